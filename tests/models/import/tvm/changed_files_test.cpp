// C files of artifacts, changed at random: each is refused with a message, or analysed and made a model, never a crash.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/input_error.hpp"
#include "tests/effort.hpp"
#include "tests/models/import/tvm/artifact/fixture.hpp"
#include "tests/models/import/tvm/import_text.hpp"

namespace detent::models::tvm {
namespace {

namespace fs = std::filesystem;

/// What nobody generates, between what somebody does.
constexpr std::array<std::string_view, 30> kStrange = {"__builtin_expect",
                                                       "__builtin_memcpy",
                                                       "__builtin_offsetof",
                                                       "__builtin_choose_expr",
                                                       "__builtin_va_arg",
                                                       "__sync_fetch_and_add",
                                                       "__atomic_load_n",
                                                       "__builtin_convertvector",
                                                       "_Generic",
                                                       "_Alignof",
                                                       "__typeof__",
                                                       "__auto_type",
                                                       "__attribute__((vector_size(16)))",
                                                       "_Complex",
                                                       "__int128",
                                                       "_Atomic",
                                                       "goto *",
                                                       "...",
                                                       "_Float16",
                                                       "__builtin_alloca",
                                                       "__real__",
                                                       "({",
                                                       "})",
                                                       "(struct s){",
                                                       "_BitInt(37)",
                                                       "__func__",
                                                       "L\"x\"",
                                                       "1e999",
                                                       "99999999999999999999",
                                                       "return"};

std::vector<std::string> sources() {
  std::vector<fs::path> paths;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kFixtures)) {
    if (entry.path().extension() == ".c" && fs::file_size(entry.path()) < 60'000) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const fs::path& path : paths) texts.push_back(read_text(path));
  const std::string hostile = read_text(fs::path(DETENT_SOURCE_DIR) / "tests/models/import/tvm/hostile/operators.c");
  texts.resize(texts.size() + texts.size() / 8 + 1, hostile);
  return texts;
}

std::string word_at(const std::string& text, std::size_t at) {
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  std::size_t end = at;
  while (end < text.size() && is_word(text[end])) ++end;
  return text.substr(at, std::max<std::size_t>(end - at, 1));
}

std::string changed(const std::vector<std::string>& texts, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
  std::string text = texts[below(texts.size())];
  for (std::size_t changes = 1 + below(6); changes > 0; --changes) {
    const std::size_t at = below(text.size());
    const std::string& other = texts[below(texts.size())];
    const std::size_t there = below(other.size());
    switch (below(6)) {
      case 0:
        text.erase(at, 1 + below(20));
        break;
      case 1:
        text.insert(at, " " + std::string(kStrange[below(kStrange.size())]) + " ");
        break;
      case 2:
        text.replace(at, word_at(text, at).size(), word_at(other, there));
        break;
      case 3:
        text.insert(std::min(text.find('\n', at), text.size()), other.substr(there, other.find('\n', there) - there));
        break;
      case 4:
        text[at] = static_cast<char>(random() % 256);
        break;
      default:
        text.insert(at, text.substr(at, 1 + below(60)));
        break;
    }
    text += '\n';
  }
  return text;
}

TEST(ChangedFiles, AreRefusedOrAnalysed) {
  const std::vector<std::string> texts = sources();
  ASSERT_GT(texts.size(), 20U);
  std::size_t analysed = 0, refused = 0;
  for (std::uint64_t seed = 1; seed <= effort(1000U); ++seed) {
    try {
      const CUnit unit = parse_c(changed(texts, seed), "m.c");
      for (const Function& function : unit.functions) {
        if (function.body != kNoNode) static_cast<void>(analyse_function(unit, function, {.packed = seed % 2 == 0}));
      }
      ++analysed;
      const auto main = std::find_if(unit.functions.begin(), unit.functions.end(), [](const Function& function) {
        return function.body != kNoNode && function.name.find("main") != std::string::npos;
      });
      if (main == unit.functions.end()) continue;
      Artifact artifact;
      artifact.origin = "m.c";
      artifact.module_name = "default";
      artifact.operators = unit;
      artifact.main_symbol = main->name;
      const Import import = analyse_artifact(std::move(artifact));
      static_cast<void>(imported_model(import));
      static_cast<void>(replan_parallel(import));
    } catch (const InputError& error) {
      ASSERT_NE(std::string(error.what()), "") << seed;
      ++refused;
    }
  }
  EXPECT_GT(analysed, effort(1000U) / 5);
  EXPECT_GT(refused, effort(1000U) / 5);
}

}  // namespace
}  // namespace detent::models::tvm
