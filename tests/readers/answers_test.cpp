// Neighbours of every input of the fuzz targets' corpora, of the platforms and of graphs made up at random, by small
// changes drawn from their names: what the readers say of each, refusals too, against golden files of digests.
#include "tests/readers/answers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/files/package.hpp"
#include "models/zoo/zoo.hpp"
#include "tests/build.hpp"
#include "tests/e2e/random/random_graph_file.hpp"
#include "tests/golden.hpp"
#include "tests/readers/changed_bytes.hpp"

namespace detent::readers {
namespace {

namespace fs = std::filesystem;

/// Of each input, where there are few, some and many.
constexpr std::size_t kNeighboursOfFew = 120, kNeighbours = 48, kNeighboursOfMany = 6, kFew = 6, kMany = 30;
constexpr std::uint64_t kGraphs = 12;
constexpr const char* kModels[] = {"diamond:3", "chain:3",  "branchnet",   "branchnet_int8",     "cascade",
                                   "refine",    "fallback", "random:7:10", "bad_duplicate_edge", "bad_reuse_war"};
/// Sanitizers see faults that no answer shows; slower builds look at one neighbour of several.
const std::size_t kStride = kIsInstrumented ? 8 : 1;

std::string read_bytes(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Name and bytes, by name.
using Inputs = std::vector<std::pair<std::string, std::string>>;

void add_files(const fs::path& folder, const std::string& prefix, Inputs& inputs) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.is_regular_file())
      inputs.emplace_back(prefix + entry.path().filename().string(), read_bytes(entry.path()));
  }
  std::sort(inputs.begin(), inputs.end());
}

Inputs inputs_of(const std::string& name) {
  const fs::path root = DETENT_SOURCE_DIR;
  Inputs inputs;
  if (name == "model") {
    for (const char* const zoo : kModels) inputs.emplace_back(zoo, models::encode_package(models::make_zoo_model(zoo)));
    return inputs;
  }
  add_files(root / "tests/fuzz/corpus" / name, "", inputs);
  if (name == "platform") add_files(root / "sim/platforms", "platforms/", inputs);
  if (name == "graph") {
    for (std::uint64_t seed = 0; seed < kGraphs; ++seed)
      inputs.emplace_back("random" + std::to_string(seed), e2e::random_graph_file(seed));
  }
  return inputs;
}

std::string digest_of(const std::string& text) {
  std::ostringstream digits;
  digits << std::hex << (fnv_of(text) & 0xffffffffU);
  return digits.str();
}

/// Lines "NAME | digest digest ...", the first one of the input as it is.
std::map<std::string, std::vector<std::string>> read_known(const std::string& path) {
  std::map<std::string, std::vector<std::string>> known;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t bar = line.find(" |");
    std::istringstream words(line.substr(bar + 2));
    known[line.substr(0, bar)] = {std::istream_iterator<std::string>(words), {}};
  }
  return known;
}

class ReaderAnswers : public testing::TestWithParam<Reader> {};

TEST_P(ReaderAnswers, AreAsBefore) {
  const Reader& reader = GetParam();
#ifdef __clang__
  // Which of several missing keys a message names: the compilers evaluate arguments in different orders.
  if (std::string(reader.name) == "answer") GTEST_SKIP() << "as gcc compiles it";
#endif
  const std::string path = std::string(DETENT_SOURCE_DIR) + "/tests/readers/golden/" + reader.name + ".txt";
  const bool writes = std::getenv("DETENT_WRITE_GOLDEN") != nullptr;
  auto known = read_known(path);
  const Inputs inputs = inputs_of(reader.name);
  const std::size_t neighbours = inputs.size() > kMany  ? kNeighboursOfMany
                                 : inputs.size() > kFew ? kNeighbours
                                                        : kNeighboursOfFew;
  std::string lines;
  for (const auto& [name, bytes] : inputs) {
    lines += name + " |";
    std::vector<std::string>& before = known[name];
    before.resize(neighbours + 1);
    for (std::size_t i = 0; i <= neighbours; i += writes ? 1 : kStride) {
      const std::uint64_t seed = fnv_of(name + std::to_string(i));
      const std::string changed = i == 0           ? bytes
                                  : reader.is_text ? changed_words(bytes, seed)
                                                   : changed_bytes(bytes, seed);
      const std::string said = reader.answer(changed);
      lines += " " + digest_of(said);
      if (!writes && digest_of(said) != before[i]) {
        ADD_FAILURE() << path << ": " << name << ", number " << i << " is not " << before[i] << " any more:\n"
                      << (reader.is_text ? changed.substr(0, 2000) : "(bytes)") << "\nis read as\n"
                      << said.substr(0, 2000);
      }
    }
    lines += "\n";
  }
  if (writes) std::ofstream(path, std::ios::binary) << lines;
}

INSTANTIATE_TEST_SUITE_P(Readers, ReaderAnswers, testing::ValuesIn(all_readers()),
                         [](const auto& reader) { return std::string(reader.param.name); });

}  // namespace
}  // namespace detent::readers
