#include "models/import/tvm/c/guard.hpp"

#include <algorithm>

namespace detent::models::tvm {
namespace {

bool is_statement_head(std::string_view name) {
  return name == "if" || name == "for" || name == "while" || name == "do" || name == "switch" || name == "case" ||
         name == "default";
}

bool makes_type(std::string_view name) {
  return name == "typedef" || name.starts_with("__typeof") || name == "typeof" || name == "__auto_type";
}

}  // namespace

void CompilerGuard::count(std::uint64_t at, std::uint32_t tokens) {
  const std::uint64_t all = std::uint64_t{tokens} * (macro_calls_.empty() ? 1U : macro_calls_.back().repeats);
  tokens = static_cast<std::uint32_t>(std::min<std::uint64_t>(all, limits_.max_tokens));
  tokens_ += tokens;
  statement_tokens_ += tokens;
  if (tokens_ > limits_.max_tokens) text_.fail(at, "more code than the importer reads; no generated file has as much");
  if (statement_tokens_ > limits_.max_statement_tokens) text_.fail(at, "a statement longer than any generator writes");
}

void CompilerGuard::statement_end() {
  statement_tokens_ = 0;
  prefix_run_ = 0;
  heads_ = 0;
  casts_ = 0;
  after_operand_ = after_type_ = false;
}

void CompilerGuard::word(std::uint64_t begin, std::uint64_t end, const MacroUse* macro) {
  count(end);
  keyword(text_.part(begin, end), begin, end);
  if (macro == nullptr) return;
  const bool is_call = macro->callable && text_.at(text_.blank_end(end)) == '(';
  if (!macro_calls_.empty() && macro->callable && !is_call)
    text_.fail(begin, "the name of a macro within a macro call; write it out");
  count(end, macro->tokens);
  if (!is_call) return;
  const std::uint64_t outer = macro_calls_.empty() ? 1U : macro_calls_.back().repeats;
  const std::uint64_t repeats = outer * std::max(1U, macro->max_repeats);
  macro_calls_.push_back(
      {brackets_.size() + 1, static_cast<std::uint32_t>(std::min<std::uint64_t>(repeats, limits_.max_tokens))});
}

void CompilerGuard::keyword(std::string_view name, std::uint64_t begin, std::uint64_t end) {
  if (is_statement_head(name)) {
    if (++heads_ > limits_.max_prefix_run) text_.fail(begin, "statements nested deeper than any generator writes");
    if (after_else_ && name == "if" && ++else_ifs_ > limits_.max_else_ifs)
      text_.fail(begin, "a chain of else-if longer than any generator writes");
  }
  after_else_ = name == "else";
  const bool operand = name != "return" && name != "sizeof" && name != "else" && name != "case" && name != "goto";
  if (operand) declared(name, end);
  after_type_ = operand;
  after_operand_ = operand && !name.starts_with("__");
  if (after_operand_) prefix_run_ = 0;
  if (!after_operand_ && ++prefix_run_ > limits_.max_prefix_run)
    text_.fail(begin, "more operators in a row than any generator writes");
  if (makes_type(name) && ++type_names_ > limits_.max_type_names)
    text_.fail(begin, "more types of its own than any generator writes");
}

/// The compiler links every declaration of a name to all earlier ones, and asks each of them.
void CompilerGuard::declared(std::string_view name, std::uint64_t end) {
  const bool file_scope = is_file_scope();
  if (!after_type_ && !file_scope) return;
  const char next = text_.at(text_.blank_end(end));
  if (std::string_view(";,=[(:)").find(next) == std::string_view::npos || name.starts_with("__")) return;
  redeclarations_ += (file_scope ? file_names_ : local_names_)[name]++;
  if (redeclarations_ > limits_.max_redeclarations)
    text_.fail(end, "the same names declared more often than any generator does");
}

void CompilerGuard::number(std::uint64_t end) {
  operand(end, 1);
  prefix_run_ = 0;
  after_type_ = only_words_ = false;
}

void CompilerGuard::operand(std::uint64_t end, std::uint32_t tokens) {
  count(end, tokens);
  after_operand_ = true;
}

void CompilerGuard::bracket(std::uint64_t at) {
  const char c = text_.at(at);
  count(at);
  if (c == '(' || c == '[' || c == '{') {
    open(c, at);
  } else {
    close(c, at);
  }
  after_type_ = false;
  after_operand_ = c == ')' || c == ']';
  if (c == '{' || c == '}') statement_end();
}

void CompilerGuard::open(char c, std::uint64_t at) {
  if (brackets_.size() >= limits_.max_depth)
    text_.fail(at, "nested deeper than " + std::to_string(limits_.max_depth) + " brackets; no generator writes that");
  if (c == '{' && brackets_.empty()) else_ifs_ = 0;
  only_words_ = c == '(' && !after_type_;
  brackets_ += c;
  bracket_at_.push_back(at);
}

void CompilerGuard::close(char c, std::uint64_t at) {
  const char opening = c == ')' ? '(' : c == ']' ? '[' : '{';
  if (brackets_.empty() || brackets_.back() != opening)
    text_.fail(at, std::string("'") + c + "' closes nothing; the file is damaged");
  if (!macro_calls_.empty() && macro_calls_.back().depth == brackets_.size()) macro_calls_.pop_back();
  brackets_.pop_back();
  bracket_at_.pop_back();
  if (c == ')' && only_words_ && ++casts_ > limits_.max_casts)
    text_.fail(at, "more casts in a statement than any generator writes");
  only_words_ = false;
  if (c == '}' && brackets_.empty()) local_names_.clear();
}

void CompilerGuard::sign(std::uint64_t at) {
  const char c = text_.at(at);
  count(at);
  if (c == ';' && (brackets_.empty() || brackets_.back() == '{')) statement_end();
  if (!after_operand_ && ++prefix_run_ > limits_.max_prefix_run)
    text_.fail(at, "more operators in a row than any generator writes");
  if (after_operand_) prefix_run_ = 0;
  after_operand_ = false;
  after_type_ = c == '*';
  only_words_ = only_words_ && c == '*';
  if (c == ';' && brackets_.empty()) local_names_.clear();
}

void CompilerGuard::reopen(const std::string& brackets, std::uint64_t at) {
  brackets_ = brackets;
  while (!macro_calls_.empty() && macro_calls_.back().depth > brackets_.size()) macro_calls_.pop_back();
  bracket_at_.resize(brackets_.size(), at);
}

void CompilerGuard::finish() const {
  if (brackets_.empty()) return;
  text_.fail(bracket_at_.back(),
             std::string("'") + brackets_.back() + "' is never closed; the file is cut off or damaged");
}

}  // namespace detent::models::tvm
