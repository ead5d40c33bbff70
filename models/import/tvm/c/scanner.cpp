#include "models/import/tvm/c/scanner.hpp"

#include "base/input_error.hpp"

namespace detent::models::tvm {

ScannedText Scanner::run() {
  if (view_.size() > limits_.max_bytes) throw InputError(file_, "", "larger than 1 GiB; no generated file is");
  const auto nul = view_.find('\0');
  if (nul != std::string_view::npos) text_.fail(nul, "NUL byte; this is not C source");
  if (view_.starts_with("\xEF\xBB\xBF")) {
    pos_ = 3;
    code_.drop(0, 3);
  }
  while (pos_ < text_.size()) step();
  guard_.finish();
  if (!conditions_.empty()) text_.fail(conditions_.back().at, "#if without #endif; the file is cut off or damaged");
  code_.keep_until(text_.size());
  out_.code += '\n';
  out_.doubts = doubts_.take();
  out_.macros = macros_.values();
  return std::move(out_);
}

void Scanner::step() {
  const char c = text_.at(pos_);
  if (c == '\n') {
    line_start_ = true;
    ++pos_;
  } else if (is_space(c)) {
    ++pos_;
  } else if (text_.is_comment(pos_)) {
    pos_ = text_.comment_end(pos_);
  } else if (line_start_ && (c == '#' || (c == '%' && text_.at(pos_ + 1) == ':'))) {
    directive();
  } else {
    line_start_ = false;
    token();
  }
}

void Scanner::token() {
  const char c = text_.at(pos_);
  if (is_digit(c) || (c == '.' && is_digit(text_.at(pos_ + 1)))) {
    pos_ = text_.number_end(pos_);
    guard_.number(pos_);
  } else if (is_word(c)) {
    word();
  } else if (c == '"' || c == '\'') {
    pos_ = text_.quoted_end(pos_);
    guard_.operand(pos_, 1);
  } else if (std::string_view("(){}[]").find(c) != std::string_view::npos) {
    if (c == '[' && text_.at(pos_ + 1) == '[') doubts_.doubt(pos_, pos_ + 2, "an attribute in brackets");
    guard_.bracket(pos_++);
  } else {
    sign();
  }
}

void Scanner::word() {
  const std::uint64_t begin = pos_;
  pos_ = text_.word_end(begin);
  const std::string_view name = text_.part(begin, pos_);
  guard_.word(begin, pos_, macros_.find(name));
  doubts_.doubt_word(name, begin);
  if (name == "_Pragma" || name.starts_with("__has_")) code_.replace(begin, begin + 1, "x");
  if (text_.at(pos_) == '"' && name.back() == 'R')
    code_.replace(pos_ - 1, pos_, "x");  // no raw strings: quotes mean what they meant here
}

void Scanner::sign() {
  const std::uint64_t at = pos_++;
  if (text_.at(at) ==
      '\\') {  // a line continued outside of directives: nothing here needs it, and it could hide a word
    code_.replace(at, at + 1, " ");
    return;
  }
  guard_.sign(at);
  if (assigns(at)) initialiser();
}

/// Is this a '=' that is no part of another operator?
bool Scanner::assigns(std::uint64_t at) const {
  const char before = at > 0 ? text_.at(at - 1) : ' ';
  return text_.at(at) == '=' && text_.at(at + 1) != '=' &&
         std::string_view("=!<>+-*/%&|^").find(before) == std::string_view::npos;
}

}  // namespace detent::models::tvm
