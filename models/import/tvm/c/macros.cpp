#include "models/import/tvm/c/macros.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "models/import/tvm/c/text.hpp"

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

bool MacroTable::count_tokens(std::string_view params, std::string_view body, MacroUse& use,
                              std::vector<std::string_view>& words) const {
  std::map<std::string_view, std::uint64_t> repeated;  // parameters
  for (std::uint64_t i = 0; i < params.size();) {
    std::uint64_t end = i;
    while (end < params.size() && is_word(params[end])) ++end;
    if (end > i) repeated.emplace(params.substr(i, end - i), 0);
    if (params[i] == '.') repeated.emplace("__VA_ARGS__", 0);
    i = std::max(end, i + 1);
  }
  std::vector<std::pair<std::uint32_t, std::uint64_t>> calls;  // depth of their arguments, how often those are repeated
  std::uint32_t depth = 0;
  std::uint64_t tokens = 0;
  const auto repeats = [&] { return calls.empty() ? 1U : calls.back().second; };
  for (std::uint64_t i = 0; i < body.size();) {
    const char c = body[i];
    if (c == '\\') {
      i = continued_at(body, i);
      if (i == std::string_view::npos) return false;
    } else if (is_word(c)) {
      const std::uint64_t begin = i;
      while (i < body.size() && is_word(body[i])) ++i;
      words.push_back(body.substr(begin, i - begin));
      const auto parameter = repeated.find(words.back());
      if (parameter != repeated.end()) parameter->second += repeats();
      const MacroUse* inner = find(words.back());
      tokens += repeats() * (1 + (inner == nullptr ? 0U : inner->tokens));
      if (inner != nullptr && inner->callable) {
        while (i < body.size() && is_space(body[i])) ++i;
        if (i == body.size() || body[i] != '(') return false;
        calls.emplace_back(depth + 1, repeats() * std::max(1U, inner->max_repeats));
      }
    } else {
      if (c == '(') ++depth;
      if (c == ')' && !calls.empty() && calls.back().first == depth) calls.pop_back();
      if (c == ')' && depth > 0) --depth;
      tokens += is_space(c) || c == '\n' ? 0U : repeats();
      ++i;
    }
    if (tokens > max_tokens_ || repeats() > max_tokens_) return false;
  }
  use.tokens = static_cast<std::uint32_t>(tokens);
  use.max_repeats = 1;
  for (const auto& [name, count] : repeated)
    use.max_repeats =
        std::max(use.max_repeats, static_cast<std::uint32_t>(std::min<std::uint64_t>(count, max_tokens_)));
  return true;
}

bool MacroTable::define(std::string_view line, bool is_doubtful) {
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
  const std::string_view params = use.callable ? body.substr(0, std::min(body.find(')'), body.size() - 1) + 1) : "";
  body.remove_prefix(params.size());
  std::vector<std::string_view> words;
  if (!count_tokens(params, body, use, words)) return false;
  // Defined after it was used in another macro, its expansion would not have been counted there.
  if (use.tokens > 1 && expanded_words_.contains(name)) return false;
  for (const std::string_view word : words) expanded_words_.emplace(word);
  std::int64_t value = 0;
  if (!use.callable && integer_value(body.substr(0, std::min(body.find("//"), body.find("/*"))), value))
    values_.push_back({name, value});
  for (const std::string_view word : words) {
    if (!is_digit(word[0])) use.words.emplace_back(word);
  }
  const MacroUse* before = find(name);
  use.is_doubtful = is_doubtful || (before != nullptr && before->is_doubtful);
  macros_[name] = std::move(use);
  return true;
}

bool MacroTable::is_doubtful(std::string_view name) const {
  const MacroUse* use = find(name);
  return use == nullptr || use->is_doubtful;
}

void MacroTable::make_doubtful(std::string_view name) {
  const auto found = macros_.find(name);
  if (found != macros_.end()) found->second.is_doubtful = true;
}

std::string MacroTable::unknown_in(std::vector<std::string_view> names) const {
  std::set<std::string_view> seen;
  std::reverse(names.begin(), names.end());
  while (!names.empty()) {
    const std::string_view name = names.back();
    names.pop_back();
    if (name == "defined" || name == "__cplusplus" || !seen.insert(name).second) continue;
    if (is_doubtful(name)) return std::string(name);
    const std::vector<std::string>& words = find(name)->words;
    names.insert(names.end(), words.begin(), words.end());
  }
  return "";
}

}  // namespace detent::models::tvm
