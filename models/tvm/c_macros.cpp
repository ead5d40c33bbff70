#include "models/tvm/c_macros.hpp"

#include <algorithm>
#include <charconv>

#include "models/tvm/c_text.hpp"

namespace detent::models::tvm {
namespace {

/// The value of "12", "(0x10UL)", "-3"; false for anything else.
bool integer_value(std::string_view text, std::int64_t& value) {
  auto trim = [&] {
    while (!text.empty() && (is_space(text.front()) || text.front() == '\n')) text.remove_prefix(1);
    while (!text.empty() && (is_space(text.back()) || text.back() == '\n')) text.remove_suffix(1);
  };
  trim();
  while (text.size() > 2 && text.front() == '(' && text.back() == ')') {
    text = text.substr(1, text.size() - 2);
    trim();
  }
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  while (!text.empty() && std::string_view("uUlL").find(text.back()) != std::string_view::npos) text.remove_suffix(1);
  int base = 10;
  if (text.size() > 2 && text[0] == '0' && (text[1] | 0x20) == 'x') {
    base = 16;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text[0] == '0') {
    base = 8;
  }
  std::uint64_t magnitude = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), magnitude, base);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return false;
  if (magnitude > std::uint64_t{INT64_MAX}) return false;
  value = negative ? -static_cast<std::int64_t>(magnitude) : static_cast<std::int64_t>(magnitude);
  return true;
}

bool mentions(std::string_view text, std::string_view word) { return text.find(word) != std::string_view::npos; }

/// Where a line continued at `backslash` goes on; npos: nowhere, or in the middle of a word.
std::uint64_t continued_at(std::string_view body, std::uint64_t backslash) {
  const std::uint64_t newline = body.find('\n', backslash);
  if (newline == std::string_view::npos) return newline;
  const bool hides_word =
      backslash > 0 && is_word(body[backslash - 1]) && newline + 1 < body.size() && is_word(body[newline + 1]);
  return hides_word ? std::string_view::npos : newline + 1;
}

}  // namespace

const MacroUse* MacroTable::find(std::string_view name) const {
  const auto found = macros_.find(name);
  return found == macros_.end() ? nullptr : &found->second;
}

bool MacroTable::count_tokens(std::string_view body, MacroUse& use, std::vector<std::string_view>& words) const {
  for (std::uint64_t i = 0; i < body.size();) {
    if (body[i] == '\\') {
      i = continued_at(body, i);
      if (i == std::string_view::npos) return false;
    } else if (is_word(body[i])) {
      const std::uint64_t begin = i;
      while (i < body.size() && is_word(body[i])) ++i;
      ++use.tokens;
      words.push_back(body.substr(begin, i - begin));
      const MacroUse* inner = find(words.back());
      if (inner == nullptr) continue;
      if (inner->callable) return false;
      use.tokens += inner->tokens;
    } else {
      use.tokens += is_space(body[i]) || body[i] == '\n' ? 0U : 1U;
      ++i;
    }
    if (use.tokens > max_tokens_) return false;
  }
  return true;
}

bool MacroTable::define(std::string_view line) {
  std::uint64_t i = 0;
  while (i < line.size() && is_space(line[i])) ++i;
  const std::uint64_t name_begin = i;
  while (i < line.size() && is_word(line[i])) ++i;
  const std::string name(line.substr(name_begin, i - name_begin));
  MacroUse use;
  use.callable = i < line.size() && line[i] == '(';
  std::string_view body = line.substr(i);
  if (name.empty() || mentions(body, "##") || mentions(body, "%:")) return false;
  if (mentions(body, "_Pragma") || mentions(body, "__has_")) return false;
  if (use.callable) body.remove_prefix(mentions(body, ")") ? body.find(')') + 1 : body.size());
  std::vector<std::string_view> words;
  if (!count_tokens(body, use, words)) return false;
  // Defined after it was used in another macro, its expansion would not have been counted there.
  if (use.tokens > 1 && expanded_words_.contains(name)) return false;
  for (const std::string_view word : words) expanded_words_.emplace(word);
  use.max_repeats = use.callable ? use.tokens : 1;
  std::int64_t value = 0;
  if (!use.callable && integer_value(body.substr(0, std::min(body.find("//"), body.find("/*"))), value))
    values_.push_back({name, value});
  macros_[name] = use;
  return true;
}

}  // namespace detent::models::tvm
