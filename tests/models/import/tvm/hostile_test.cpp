// Operators that no generator writes, as the importer sees them and as they run: compiled with gcc, every byte
// recorded.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/temp_directory.hpp"
#include "models/import/tvm/clang/source.hpp"
#include "models/import/tvm/footprint/footprint.hpp"
#include "tests/build.hpp"
#include "tests/effort.hpp"
#include "tests/models/import/tvm/footprint/check.hpp"

namespace detent::models::tvm {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBuffers = 4, kBufferBytes = 65536, kBefore = 16384;
constexpr std::size_t kBytes = kBuffers * kBufferBytes;

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

using Operator = std::int32_t (*)(void*, void*, void*, void*, std::int32_t, std::uint32_t, std::int8_t);

/// Sources with the hooks of the access probe, in one library. It is kept in the build tree under the hash of what it
/// is made of: a planted fault of the analysis is tried without compiling them again.
class Compiled {
 public:
  explicit Compiled(const std::vector<std::string>& texts) {
    const fs::path recorder = fs::path(DETENT_SOURCE_DIR) / "harness/access/probe_recorder.c";
    std::string whole = text_of(recorder);
    for (const std::string& text : texts) whole += text + '\0';
    const fs::path kept = fs::path(kBuildFolder) / "hostile";
    const fs::path library = kept / (std::to_string(XXH3_64bits(whole.data(), whole.size())) + ".so");
    if (!fs::exists(library)) {
      const TempDirectory directory;
      if (!compile(texts, recorder, directory.path())) return;
      fs::create_directories(kept);
      const fs::path part = library.string() + "." + std::to_string(::getpid());
      fs::copy_file(directory.path() / "operators.so", part);
      fs::rename(part, library);  // whole or not at all: others may look
    }
    library_ = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  ~Compiled() {
    if (library_ != nullptr) ::dlclose(library_);
  }
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;
  template <typename F>
  F find(const std::string& name) const {
    return reinterpret_cast<F>(::dlsym(library_, name.c_str()));
  }
  [[nodiscard]] bool is_loaded() const { return library_ != nullptr; }

 private:
  static bool compile(const std::vector<std::string>& texts, const fs::path& recorder, const fs::path& directory) {
    std::string command = "cd " + directory.string() + " && gcc -std=gnu11 -w -O0 -fPIC -fsanitize=thread -c";
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const std::string name = "operators" + std::to_string(i) + ".c";
      std::ofstream(directory / name, std::ios::binary) << texts[i];
      command += " " + name;
    }
    command += " && gcc -w -O1 -fPIC -c -o recorder.o " + recorder.string() +
               " && gcc -shared -Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset,--wrap=memcmp"
               " -o operators.so operators*.o recorder.o -lm";
    return std::system(command.c_str()) == 0;
  }

  void* library_ = nullptr;
};

ByteSet bits_of(const std::vector<std::uint64_t>& bits, std::size_t buffer) {
  std::vector<ByteInterval> intervals;
  for (std::size_t i = 0; i < kBufferBytes; ++i) {
    const std::size_t at = buffer * kBufferBytes + i;
    if (bits[at / 64] == 0) {
      i |= 63U;
      continue;
    }
    if ((bits[at / 64] >> at % 64 & 1U) == 0) continue;
    const auto place = static_cast<std::int64_t>(i) - static_cast<std::int64_t>(kBefore);
    intervals.push_back({place, place + 1});
  }
  return ByteSet::of(std::move(intervals));
}

/// Small numbers first, then the least and the greatest, then anything.
std::uint8_t byte_of(std::uint64_t seed, std::uint64_t random) {
  constexpr std::uint8_t kSame[] = {0, 1, 0x7F, 0x80, 0xFF};
  if (seed < std::size(kSame)) return kSame[seed];
  if (seed < 12) return static_cast<std::uint8_t>(random >> 58U);
  if (seed < 16) return (random >> 60U) % 3 == 0 ? 0 : 0xFF;
  return static_cast<std::uint8_t>(random >> 56U);
}

std::vector<TouchedParam> run(const Compiled& compiled, Operator op, std::uint64_t seed) {
  using Attach = void (*)(std::uintptr_t, std::uint64_t, std::uint64_t*, std::uint64_t*, std::uint64_t*, std::uint8_t*);
  const auto attach = compiled.find<Attach>("detent_probe_attach");
  alignas(64) static std::uint8_t memory[kBytes];
  std::uint64_t random = seed * 977;
  for (std::size_t i = 0; i < kBytes; ++i) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    memory[i] = byte_of(seed, random);
  }
  std::vector<std::uint64_t> reads(kBytes / 64 + 64), writes(reads.size()), early(reads.size());
  std::vector<std::uint8_t> dirty(reads.size());
  attach(reinterpret_cast<std::uintptr_t>(memory), kBytes, reads.data(), writes.data(), early.data(), dirty.data());
  std::uint8_t* base[kBuffers];
  for (std::size_t i = 0; i < kBuffers; ++i) base[i] = memory + i * kBufferBytes + kBefore;
  op(base[0], base[1], base[2], base[3], static_cast<std::int32_t>(random >> 61U),
     static_cast<std::uint32_t>(random >> 60U), static_cast<std::int8_t>(random >> 59U));
  attach(0, 0, nullptr, nullptr, nullptr, nullptr);
  std::vector<TouchedParam> touched(kBuffers);
  for (std::size_t i = 0; i < kBuffers; ++i) {
    touched[i] = {bits_of(reads, i), bits_of(writes, i), bits_of(early, i)};
  }
  return touched;
}

/// Compare a footprint with what happens on 24 inputs.
void expect_right(const Compiled& compiled, const std::string& name, const FunctionFootprint& footprint,
                  bool must_be_exact) {
  const auto op = compiled.find<Operator>(name);
  ASSERT_NE(op, nullptr) << name;
  for (const AccessSets& sets : footprint.params) {
    EXPECT_TRUE(!must_be_exact || (sets.reads_exact && sets.writes_exact)) << name;
  }
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    std::vector<TouchedParam> touched = run(compiled, op, seed);
    touched.resize(std::min(touched.size(), footprint.params.size()));
    const std::string difference = first_difference(footprint.params, touched);
    EXPECT_EQ(difference, "") << name << " seed " << seed;
    if (!difference.empty()) break;
  }
}

TEST(Hostile, NoFootprintIsSilentlyWrong) {
  const std::string text = text_of(fs::path(DETENT_SOURCE_DIR) / "tests/models/import/tvm/hostile/operators.c");
  const Compiled compiled({text});
  ASSERT_TRUE(compiled.is_loaded());
  const CUnit unit = parse_c(text, "operators.c");
  std::size_t understood = 0, all = 0;
  for (const Function& function : unit.functions) {
    const bool is_operator = function.name.starts_with("x_") || function.name.starts_with("m_");
    if (function.body == kNoNode || !is_operator) continue;
    ++all;
    const FunctionFootprint footprint = analyse_function(unit, function);
    const bool must_be_exact = function.name.starts_with("x_");
    EXPECT_TRUE(!must_be_exact || footprint.understood) << function.name << ": " << footprint.why;
    if (!footprint.understood) {
      EXPECT_NE(footprint.why, "") << function.name;
      EXPECT_NE(footprint.line, 0U) << function.name;
      continue;
    }
    ++understood;
    expect_right(compiled, function.name, footprint, must_be_exact);
  }
  EXPECT_GT(all, 100U);
  EXPECT_GT(understood, all / 2);
}

/// A section of files.txt: "//// exact name", then its text; its function f gets the section's name.
struct Section {
  std::string kind, name, text;
};

std::vector<Section> sections() {
  const std::string includes =
      "#include <stdint.h>\n#include <stddef.h>\n#include <string.h>\n#include <math.h>\n#include <stdbool.h>\n"
      "#include <stdlib.h>\n";
  std::istringstream in(text_of(fs::path(DETENT_SOURCE_DIR) / "tests/models/import/tvm/hostile/files.txt"));
  std::vector<Section> result;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("//// ")) {
      const std::size_t space = line.find(' ', 5);
      result.push_back({line.substr(5, space - 5), line.substr(space + 1), includes});
    } else if (!result.empty()) {
      const std::size_t at = line.find("int32_t f(");
      if (at != std::string::npos) line.replace(at + 8, 1, result.back().name);
      result.back().text += line + "\n";
    }
  }
  return result;
}

FunctionFootprint footprint_of(const Section& section) {
  const CUnit unit = parse_c(section.text, section.name + ".c");
  const auto function = std::find_if(unit.functions.begin(), unit.functions.end(), [&](const Function& candidate) {
    return candidate.name == section.name && candidate.body != kNoNode;
  });
  if (function == unit.functions.end()) {
    ADD_FAILURE() << section.name << " is not there";
    return {};
  }
  return analyse_function(unit, *function);
}

TEST(Hostile, OpaqueSurroundingsMakeAFunctionOpaque) {
  std::size_t count = 0;
  for (const Section& section : sections()) {
    if (section.kind != "opaque") continue;
    ++count;
    const FunctionFootprint footprint = footprint_of(section);
    EXPECT_FALSE(footprint.understood) << section.name;
    EXPECT_NE(footprint.why, "") << section.name;
    EXPECT_NE(footprint.line, 0U) << section.name;
  }
  EXPECT_GT(count, 70U);
}

TEST(Hostile, ExactSurroundingsGiveTheRightFootprint) {
  std::vector<Section> seen = sections();
  std::erase_if(seen, [](const Section& section) { return section.kind == "opaque"; });
  ASSERT_GT(seen.size(), 150U);
  seen.resize(effort(seen.size()));
  std::vector<std::string> texts;
  for (const Section& section : seen) texts.push_back(section.text);
  const Compiled compiled(texts);
  ASSERT_TRUE(compiled.is_loaded());
  for (const Section& section : seen) {
    const FunctionFootprint footprint = footprint_of(section);
    EXPECT_TRUE(footprint.understood || section.kind != "exact") << section.name << ": " << footprint.why;
    if (footprint.understood) expect_right(compiled, section.name, footprint, section.kind == "exact");
  }
}

}  // namespace
}  // namespace detent::models::tvm
