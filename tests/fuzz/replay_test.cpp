// Every input in corpus/, where the findings of past runs are kept too, passes its target in the normal builds.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "tests/fuzz/target.hpp"

namespace detent::fuzz {
namespace {

namespace fs = std::filesystem;

struct Target {
  const char* name;
  void (*run)(std::string_view);
};

#define DETENT_FUZZ_ROW(name) Target{#name, name##_target},
constexpr Target kTargets[] = {DETENT_FUZZ_TARGETS(DETENT_FUZZ_ROW)};
#undef DETENT_FUZZ_ROW

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class FuzzCorpus : public testing::TestWithParam<Target> {};

TEST_P(FuzzCorpus, PassesItsTarget) {
  const fs::path folder = fs::path(DETENT_SOURCE_DIR) / "tests/fuzz/corpus" / GetParam().name;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  EXPECT_GE(files.size(), 2U) << "one that is accepted and one that is refused";
  for (const fs::path& file : files) {
    EXPECT_NO_THROW(GetParam().run(read_file(file))) << file;
  }
}

TEST_P(FuzzCorpus, PassesItsTargetCutAnywhere) {
  const fs::path folder = fs::path(DETENT_SOURCE_DIR) / "tests/fuzz/corpus" / GetParam().name;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string bytes = read_file(entry.path());
    for (std::size_t length = 0; length < bytes.size(); length += 1 + bytes.size() / 16) {
      EXPECT_NO_THROW(GetParam().run(std::string_view(bytes).substr(0, length))) << entry.path() << " " << length;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Reader, FuzzCorpus, testing::ValuesIn(kTargets),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(FuzzTarget, ALawThatDoesNotHoldIsAFinding) {
  EXPECT_THROW(require(false, "never"), LawBroken);
  EXPECT_FALSE(accepts([] { throw std::invalid_argument("input: refused"); }));
  EXPECT_THROW(accepts([] { throw std::invalid_argument("refused"); }), LawBroken);
  EXPECT_THROW(accepts([] { throw std::out_of_range("escaped"); }), std::out_of_range);
}

}  // namespace
}  // namespace detent::fuzz
