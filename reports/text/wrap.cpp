#include "reports/text/wrap.hpp"

#include <algorithm>
#include <vector>

namespace detent::reports {
namespace {

bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }

/// "16.1", "(94", "1,234", "+3": digits at the end, so that what follows is counted or measured by it.
bool is_number(std::string_view word) {
  while (!word.empty() && (word.front() == '(' || word.front() == '[' || word.front() == '-' || word.front() == '+' ||
                           word.front() == '~')) {
    word.remove_prefix(1);
  }
  return !word.empty() && is_ascii_digit(word.front()) && std::ranges::all_of(word, [](char c) {
    return is_ascii_digit(c) || c == '.' || c == ',' || (c & 0x80) != 0;
  }) && is_ascii_digit(word.back());
}

bool is_operator(std::string_view word) {
  return word == "=" || word == "/" || word == "x" || word == "+" || word == "-" || word == "\xC2\xB1";
}

/// Whether a line may end between the two words.
bool may_part(std::string_view word, std::string_view next) {
  if (is_number(word) || is_operator(word)) return false;
  const bool begins_range = word.size() > 2 && word.front() == '[' && word.back() == ',' && is_ascii_digit(word[1]);
  const bool is_counted_noun = word == "op" || word == "(op" || word == "tensor" || word == "(tensor" ||
                               word == "seed" || word == "(seed" || word == "byte";
  if (begins_range || (is_counted_noun && !next.empty() && is_ascii_digit(next.front()))) return false;
  if (word == "detent" || next.starts_with("'detent-replay/")) return false;  // a command to copy stays on one line
  return !(is_operator(next) || next == "%");
}

struct Word {
  std::size_t blanks;  ///< before it
  std::string_view text;
};

/// A quoted replay line is one word: broken, it would not be what a shell must get.
constexpr std::string_view kReplayLine = "'detent-replay/1";

std::vector<Word> words_of(std::string_view line) {
  std::vector<Word> words;
  std::size_t at = 0;
  while (at < line.size()) {
    const std::size_t begin = line.find_first_not_of(' ', at);
    if (begin == std::string_view::npos) break;
    const bool is_replay = line.substr(begin).starts_with(kReplayLine);
    const std::size_t last = is_replay ? std::min(line.find('\'', begin + 1), line.size()) : begin;
    const std::size_t end = std::min(line.find(' ', last), line.size());
    words.push_back({begin - at, line.substr(begin, end - begin)});
    at = end;
  }
  return words;
}

/// Where the last column of a table begins, if that leaves half of the width.
std::size_t hang_of(const std::vector<Word>& words, std::size_t width) {
  std::size_t column = 0;
  std::size_t hang = words.empty() ? 0 : words.front().blanks + 2;
  for (std::size_t i = 0; i < words.size(); ++i) {
    column += words[i].blanks;
    if (i > 0 && words[i].blanks >= 2 && column <= width / 2) hang = column;
    column += columns_of(words[i].text);
  }
  return std::min(hang, width / 2);
}

/// Words that stay together, from `first` on: the index behind the last and their columns with the blanks between.
std::pair<std::size_t, std::size_t> unit_at(const std::vector<Word>& words, std::size_t first) {
  std::size_t end = first + 1;
  std::size_t columns = columns_of(words[first].text);
  while (end < words.size() && words[end].blanks == 1 && !may_part(words[end - 1].text, words[end].text)) {
    columns += 1 + columns_of(words[end].text);
    ++end;
  }
  return {end, columns};
}

std::string wrap_line(std::string_view line, std::size_t width, std::size_t hang, const std::vector<Word>& words) {
  if (columns_of(line) <= width) return std::string(line);
  std::string out;
  std::size_t column = 0;
  bool is_begin = true;  // of a line
  for (std::size_t i = 0; i < words.size();) {
    const auto [end, columns] = unit_at(words, i);
    std::size_t blanks = is_begin && i > 0 ? 0 : words[i].blanks;
    if (!is_begin && column + blanks + columns > width) {
      out += "\n" + std::string(hang, ' ');
      column = hang;
      blanks = 0;
    }
    for (std::size_t k = i; k < end; ++k) {
      const std::size_t before = k == i ? blanks : words[k].blanks;
      out.append(before, ' ');
      out += words[k].text;
      column += before + columns_of(words[k].text);
    }
    is_begin = false;
    i = end;
  }
  return out;
}

}  // namespace

std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string first_columns(std::string_view text, std::size_t columns) {
  constexpr std::string_view kRest = "...";
  if (columns_of(text) <= columns) return std::string(text);
  const std::size_t kept = columns > kRest.size() ? columns - kRest.size() : 0;
  std::size_t end = 0;
  for (std::size_t taken = 0; end < text.size(); ++end) {
    const bool begins = (text[end] & 0xC0) != 0x80;
    if (begins && taken++ == kept) break;
  }
  return std::string(text.substr(0, end)) + std::string(kRest.substr(0, columns - kept));
}

std::string wrap(std::string_view line, std::size_t width) {
  std::string out;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find('\n', begin), line.size());
    const std::string_view one = line.substr(begin, end - begin);
    const std::vector<Word> words = words_of(one);
    out += wrap_line(one, width, hang_of(words, width), words);
    if (end < line.size()) out += '\n';
    begin = end + 1;
  }
  return out;
}

std::string wrap_hanging(std::string_view line, std::size_t width, std::size_t hang) {
  return wrap_line(line, width, hang, words_of(line));
}

}  // namespace detent::reports
