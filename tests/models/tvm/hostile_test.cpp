// Operators that no generator writes, as the importer sees them and as they run: compiled with gcc, every byte
// recorded.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "models/tvm/c_source.hpp"
#include "models/tvm/footprint.hpp"
#include "tests/models/tvm/footprint_check.hpp"

namespace detent::models::tvm {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBuffers = 4, kBufferBytes = 4096, kBefore = 1024;
constexpr std::size_t kBytes = kBuffers * kBufferBytes;

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

using Operator = std::int32_t (*)(void*, void*, void*, void*, std::int32_t, std::uint32_t, std::int8_t);

/// operators.c with the hooks of the access probe.
class Compiled {
 public:
  Compiled() {
    const fs::path source = fs::path(DETENT_SOURCE_DIR);
    directory_ = fs::temp_directory_path() / ("detent_hostile_" + std::to_string(::getpid()));
    fs::create_directories(directory_);
    const std::string at = directory_.string() + "/";
    const std::string wraps = " -Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset,--wrap=memcmp";
    const std::string command = "gcc -w -O0 -fPIC -fsanitize=thread -c -o " + at + "operators.o " +
                                (source / "tests/models/tvm/hostile/operators.c").string() +
                                " && gcc -w -O1 -fPIC -c -o " + at + "recorder.o " +
                                (source / "harness/probe_recorder.c").string() + " && gcc -shared" + wraps + " -o " +
                                at + "operators.so " + at + "operators.o " + at + "recorder.o";
    if (std::system(command.c_str()) != 0) return;
    library_ = ::dlopen((at + "operators.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  ~Compiled() {
    if (library_ != nullptr) ::dlclose(library_);
    fs::remove_all(directory_);
  }
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;
  template <typename F>
  F find(const std::string& name) const {
    return reinterpret_cast<F>(::dlsym(library_, name.c_str()));
  }
  [[nodiscard]] bool is_loaded() const { return library_ != nullptr; }

 private:
  fs::path directory_;
  void* library_ = nullptr;
};

ByteSet bits_of(const std::vector<std::uint64_t>& bits, std::size_t buffer) {
  std::vector<ByteInterval> intervals;
  for (std::size_t i = 0; i < kBufferBytes; ++i) {
    const std::size_t at = buffer * kBufferBytes + i;
    if ((bits[at / 64] >> at % 64 & 1U) == 0) continue;
    const auto place = static_cast<std::int64_t>(i) - static_cast<std::int64_t>(kBefore);
    intervals.push_back({place, place + 1});
  }
  return ByteSet::of(std::move(intervals));
}

std::vector<TouchedParam> run(const Compiled& compiled, Operator op, std::uint64_t seed) {
  using Attach = void (*)(std::uintptr_t, std::uint64_t, std::uint64_t*, std::uint64_t*, std::uint64_t*, std::uint8_t*);
  const auto attach = compiled.find<Attach>("detent_probe_attach");
  alignas(64) static std::uint8_t memory[kBytes];
  for (std::size_t i = 0; i < kBytes; ++i) {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    memory[i] = static_cast<std::uint8_t>(seed >> 58U);
  }
  std::vector<std::uint64_t> reads(kBytes / 64 + 64), writes(reads.size()), early(reads.size());
  std::vector<std::uint8_t> dirty(reads.size());
  attach(reinterpret_cast<std::uintptr_t>(memory), kBytes, reads.data(), writes.data(), early.data(), dirty.data());
  std::uint8_t* base[kBuffers];
  for (std::size_t i = 0; i < kBuffers; ++i) base[i] = memory + i * kBufferBytes + kBefore;
  op(base[0], base[1], base[2], base[3], static_cast<std::int32_t>(seed >> 61U),
     static_cast<std::uint32_t>(seed >> 60U), static_cast<std::int8_t>(seed >> 59U));
  attach(0, 0, nullptr, nullptr, nullptr, nullptr);
  std::vector<TouchedParam> touched(kBuffers);
  for (std::size_t i = 0; i < kBuffers; ++i) {
    touched[i] = {bits_of(reads, i), bits_of(writes, i), bits_of(early, i)};
  }
  return touched;
}

TEST(Hostile, NoFootprintIsSilentlyWrong) {
  const Compiled compiled;
  ASSERT_TRUE(compiled.is_loaded());
  const CUnit unit =
      parse_c(text_of(fs::path(DETENT_SOURCE_DIR) / "tests/models/tvm/hostile/operators.c"), "operators.c");
  std::size_t understood = 0, all = 0;
  for (const Function& function : unit.functions) {
    const bool is_operator = function.name.starts_with("x_") || function.name.starts_with("m_");
    if (function.body == kNoNode || !is_operator) continue;
    ++all;
    const FunctionFootprint footprint = analyse_function(unit, function);
    const auto op = compiled.find<Operator>(function.name);
    ASSERT_NE(op, nullptr) << function.name;
    if (function.name.starts_with("x_")) {
      EXPECT_TRUE(footprint.understood) << function.name << ": " << footprint.why;
      for (std::size_t i = 0; i < kBuffers; ++i) {
        EXPECT_TRUE(footprint.params[i].reads_exact && footprint.params[i].writes_exact) << function.name << " " << i;
      }
    }
    if (!footprint.understood) {
      EXPECT_NE(footprint.why, "") << function.name;
      EXPECT_NE(footprint.line, 0U) << function.name;
      continue;
    }
    ++understood;
    for (std::uint64_t seed = 1; seed <= 24; ++seed) {
      const std::string difference = first_difference(footprint.params, run(compiled, op, seed * 977));
      EXPECT_EQ(difference, "") << function.name << " seed " << seed;
      if (!difference.empty()) break;
    }
  }
  EXPECT_GT(all, 100U);
  EXPECT_GT(understood, all / 2);
}

}  // namespace
}  // namespace detent::models::tvm
