// Tokens of a C text, one after the other -> an error where they could exhaust the compiler's stack or memory (B09,
// B15).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "models/import/tvm/c/limits.hpp"
#include "models/import/tvm/c/macros.hpp"
#include "models/import/tvm/c/text.hpp"

namespace detent::models::tvm {

/// Follows brackets and statements and counts what ScanLimits caps; every member that takes a token throws InputError
/// with its line when a cap is passed or a bracket closes nothing. Offsets are into the text.
class CompilerGuard {
 public:
  /// Both must outlive it.
  CompilerGuard(const CText& text, const ScanLimits& limits) : text_(text), limits_(limits) {}

  /// @param macro  that the word names; null: none
  void word(std::uint64_t begin, std::uint64_t end, const MacroUse* macro);
  void number(std::uint64_t end);
  void bracket(std::uint64_t at);
  void sign(std::uint64_t at);
  /// `tokens` that are an operand together: a string, an initialiser that is left out.
  void operand(std::uint64_t end, std::uint32_t tokens);
  void directive(std::uint64_t end, std::uint32_t tokens) { count(end, tokens); }

  [[nodiscard]] bool is_file_scope() const { return brackets_.empty(); }
  [[nodiscard]] const std::string& open_brackets() const { return brackets_; }
  /// Another group of a condition begins: the brackets that were open before its first one.
  void reopen(const std::string& brackets, std::uint64_t at);
  /// At the end of the text. @throws InputError  a bracket is open
  void finish() const;

 private:
  void count(std::uint64_t at, std::uint32_t tokens = 1);
  void keyword(std::string_view name, std::uint64_t begin, std::uint64_t end);
  void declared(std::string_view name, std::uint64_t end);
  void open(char c, std::uint64_t at);
  void close(char c, std::uint64_t at);
  void statement_end();

  const CText& text_;
  const ScanLimits& limits_;
  std::string brackets_;
  std::vector<std::uint64_t> bracket_at_;
  /// Inside a macro's arguments: the depth of brackets there, and how often what stands there may be repeated.
  struct MacroCall {
    std::size_t depth;
    std::uint32_t repeats;
  };
  std::vector<MacroCall> macro_calls_;
  std::uint32_t tokens_ = 0, statement_tokens_ = 0, prefix_run_ = 0, heads_ = 0, else_ifs_ = 0, type_names_ = 0;
  bool after_else_ = false, after_operand_ = false;
  bool after_type_ = false;  ///< behind a word that may name a type, or a '*'
  bool only_words_ = false;  ///< since the last '(' that no word preceded: what a cast looks like
  std::uint32_t casts_ = 0;  ///< of this statement
  std::unordered_map<std::string_view, std::uint32_t> file_names_, local_names_;
  std::uint64_t redeclarations_ = 0;
};

}  // namespace detent::models::tvm
