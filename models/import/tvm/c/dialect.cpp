#include "models/import/tvm/c/dialect.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "models/import/tvm/c/text.hpp"

namespace detent::models::tvm {
namespace {

/// Spelled like macros of a compiler, but words of the language.
constexpr std::array<std::string_view, 22> kKeywords = {
    "__attribute__", "__inline__",  "__restrict__", "__const__",     "__volatile__", "__signed__",
    "__typeof__",    "__alignof__", "__asm__",      "__extension__", "__real__",     "__imag__",
    "__complex__",   "__label__",   "__func__",     "__thread__",    "__cplusplus",  "__int128__",
    "__auto_type__", "__builtin__", "__VA_ARGS__",  "__VA_OPT__"};
constexpr std::array<std::string_view, 12> kOddMacros = {"_LP64", "__amd64", "__x86_64", "__k8",   "linux", "unix",
                                                         "i386",  "__linux", "__unix",   "__i386", "__arm", "__clang"};
constexpr std::array<std::string_view, 10> kMacroPrefixes = {"__ATOMIC_",  "__CLANG_",  "__GCC_", "__FPCLASS_",
                                                             "__GXX_",     "__MEMORY_", "__SEG_", "__OPENCL_",
                                                             "__FP_FAST_", "__GNUC"};

constexpr std::array<std::string_view, 37> kAttributes = {"aligned",
                                                          "packed",
                                                          "section",
                                                          "unused",
                                                          "used",
                                                          "deprecated",
                                                          "visibility",
                                                          "always_inline",
                                                          "noinline",
                                                          "hot",
                                                          "cold",
                                                          "const",
                                                          "pure",
                                                          "nonnull",
                                                          "noreturn",
                                                          "format",
                                                          "malloc",
                                                          "flatten",
                                                          "noclone",
                                                          "vector_size",
                                                          "may_alias",
                                                          "unavailable",
                                                          "artificial",
                                                          "gnu_inline",
                                                          "leaf",
                                                          "nothrow",
                                                          "alloc_size",
                                                          "returns_nonnull",
                                                          "warn_unused_result",
                                                          "fallthrough",
                                                          "mode",
                                                          "externally_visible",
                                                          "retain",
                                                          "access",
                                                          "error",
                                                          "warning",
                                                          "no_instrument_function"};
/// Judged where they stand: at a variable by the converter, at a function or type of which nothing else is said here.
constexpr std::array<std::string_view, 2> kJudgedAttributes = {"cleanup", "transparent_union"};

template <typename List>
bool contains(const List& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t i = 0; i < line.size();) {
    std::size_t end = i;
    while (end < line.size() && is_word(line[end])) ++end;
    if (end > i) words.push_back(line.substr(i, end - i));
    i = std::max(end, i + 1);
  }
  return words;
}

/// pack(), pack(4), pack(push), pack(push, 4), pack(pop), with a name for what is pushed.
bool is_pack(std::string_view line, const std::vector<std::string_view>& words) {
  const bool is_plain = std::all_of(
      line.begin(), line.end(), [](char c) { return is_word(c) || is_space(c) || c == '(' || c == ')' || c == ','; });
  return is_plain && line.size() <= 80 && words.size() <= 4;
}

}  // namespace

bool is_compilers_macro(std::string_view name) {
  if (contains(kOddMacros, name)) return true;
  if (!name.starts_with("__") || contains(kKeywords, name) || name.starts_with("__tvm_")) return false;
  if (name.size() > 4 && name.ends_with("__")) return true;
  return std::any_of(kMacroPrefixes.begin(), kMacroPrefixes.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

bool is_plain_attribute(std::string_view name) {
  if (name.size() > 4 && name.starts_with("__") && name.ends_with("__")) name = name.substr(2, name.size() - 4);
  return contains(kAttributes, name) || contains(kJudgedAttributes, name);
}

Pragma pragma_of(std::string_view line) {
  const std::vector<std::string_view> words = words_of(line);
  if (words.empty()) return Pragma::kIgnored;
  const std::string_view first = words[0];
  if (first == "pack") return is_pack(line, words) ? Pragma::kForCompiler : Pragma::kUnknown;
  if (first == "once" || first == "unroll" || first == "message" || first == "region" || first == "endregion" ||
      first == "mark") {
    return Pragma::kIgnored;
  }
  if (words.size() < 2) return Pragma::kUnknown;
  const std::string_view second = words[1];
  const bool is_gcc = first == "GCC" && (second == "diagnostic" || second == "unroll" || second == "ivdep" ||
                                         second == "warning" || second == "error");
  const auto is_speed = [](std::string_view word) {
    constexpr std::array<std::string_view, 10> kWords = {"O0",     "O1",    "O2",   "O3",   "Os",
                                                         "unroll", "loops", "tree", "loop", "vectorize"};
    return contains(kWords, word);
  };
  const bool is_options =
      first == "GCC" && (second == "push_options" || second == "pop_options" ||
                         (second == "optimize" && std::all_of(words.begin() + 2, words.end(), is_speed)));
  const bool is_clang = first == "clang" && (second == "diagnostic" || second == "loop");
  const bool is_standard = first == "STDC" && second == "FP_CONTRACT";
  return is_gcc || is_options || is_clang || is_standard ? Pragma::kIgnored : Pragma::kUnknown;
}

}  // namespace detent::models::tvm
