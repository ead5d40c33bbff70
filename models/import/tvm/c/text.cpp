#include "models/import/tvm/c/text.hpp"

#include <algorithm>
#include <optional>

#include "base/input_error.hpp"

namespace detent::models::tvm {
namespace {

constexpr std::uint64_t kLineBlock = 256;
constexpr std::string_view kMark = "#line ", kMarkEnd = "\" // ";

struct LineMark {
  std::string file;
  std::uint32_t line = 0;  ///< of the line behind it
  std::uint64_t end = 0;   ///< behind its newline
};

/// A line mark at this place.
std::optional<LineMark> mark_at(std::string_view text, std::uint64_t at) {
  LineMark mark;
  std::uint64_t i = at + kMark.size();
  for (; i < text.size() && is_digit(text[i]) && mark.line < 100'000'000; ++i)
    mark.line = mark.line * 10 + static_cast<std::uint32_t>(text[i] - '0');
  const std::uint64_t end = std::min<std::uint64_t>(text.find('\n', at), text.size());
  const std::string_view name = text.substr(i, end - i);
  if (mark.line == 0 || name.size() < 8 || !name.starts_with(" \"") || !name.ends_with(kMarkEnd)) return std::nullopt;
  mark.file = std::string(name.substr(2, name.size() - 2 - kMarkEnd.size()));
  mark.end = std::min<std::uint64_t>(end + 1, text.size());
  return mark;
}

}  // namespace

std::string line_mark(std::uint64_t line, const std::string& file) {
  return std::string(kMark) + std::to_string(line) + " \"" + file + std::string(kMarkEnd) + "\n";
}

TextPlace place_at(std::string_view text, std::uint64_t at, const std::string& file) {
  at = std::min<std::uint64_t>(at, text.size());
  const auto lines = [&](std::uint64_t begin) {
    return static_cast<std::uint32_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                                 text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  };
  const std::string_view before = text.substr(0, at);
  for (std::size_t i = before.rfind(kMark); i != std::string_view::npos;
       i = i == 0 ? i - 1 : before.rfind(kMark, i - 1)) {
    if (i != 0 && text[i - 1] != '\n') continue;
    const std::optional<LineMark> mark = mark_at(text, i);
    if (!mark || mark->end > at) continue;
    const bool is_own = mark->file == file.substr(file.rfind('/') + 1);
    return {is_own ? file : mark->file, mark->line + lines(mark->end)};
  }
  return {file, 1 + lines(0)};
}

void CText::fail(std::uint64_t at, const std::string& what) const {
  if (marks_ == Marks::kIgnored) {
    const std::string_view before = text_.substr(0, at);
    throw InputError(file_, std::to_string(1 + std::count(before.begin(), before.end(), '\n')), what);
  }
  const TextPlace place = place_at(text_, at, file_);
  throw InputError(place.file, std::to_string(place.line), what);
}

std::uint64_t CText::comment_end(std::uint64_t begin) const {
  if (text_[begin + 1] == '/') {
    std::uint64_t end = begin;
    do {
      end = text_.find('\n', end + 1);
      if (end == std::string_view::npos) return text_.size();
    } while (text_[end - 1] == '\\' || (text_[end - 1] == '\r' && text_[end - 2] == '\\'));
    return end;
  }
  const auto end = text_.find("*/", begin + 2);
  if (end == std::string_view::npos) fail(begin, "a comment that never ends; the file is cut off or damaged");
  return end + 2;
}

std::uint64_t CText::quoted_end(std::uint64_t begin) const {
  const char quote = text_[begin];
  for (std::uint64_t i = begin + 1; i < text_.size(); ++i) {
    if (text_[i] == quote) return i + 1;
    if (text_[i] == '\n') break;
    if (text_[i] == '\\') i += at(i + 1) == '\r' && at(i + 2) == '\n' ? 2 : 1;
  }
  fail(begin, "a string or character constant that never ends; the file is cut off or damaged");
}

std::uint64_t CText::blank_end(std::uint64_t begin) const {
  while (begin < text_.size()) {
    if (is_space(text_[begin]) || text_[begin] == '\n') {
      ++begin;
    } else if (is_comment(begin)) {
      begin = comment_end(begin);
    } else {
      break;
    }
  }
  return begin;
}

std::uint64_t CText::braces_end(std::uint64_t begin, std::uint32_t max_depth, std::uint64_t& elements) const {
  std::uint32_t depth = 0;
  bool pending = false;
  for (std::uint64_t i = begin; i < text_.size();) {
    const char c = text_[i];
    if (c == '{') {
      if (++depth > max_depth)
        fail(i, "nested deeper than " + std::to_string(max_depth) + " brackets; no generator writes that");
      pending = depth > 1;
    } else if (c == '}') {
      if (--depth == 0) {
        elements += pending ? 1U : 0U;
        return i + 1;
      }
      pending = true;
    } else if (c == ',') {
      if (depth == 1) {
        ++elements;
        pending = false;
      }
    } else if (c == '"' || c == '\'') {
      i = quoted_end(i);
      pending = true;
      continue;
    } else if (is_comment(i)) {
      i = comment_end(i);
      continue;
    } else if (!is_space(c) && c != '\n') {
      pending = true;
    }
    ++i;
  }
  fail(begin, "'{' is never closed; the file is cut off or damaged");
}

std::uint64_t CText::word_end(std::uint64_t begin) const {
  while (begin < text_.size() && is_word(text_[begin])) ++begin;
  return begin;
}

std::uint64_t CText::number_end(std::uint64_t begin) const {
  std::uint64_t end = begin;
  while (end < text_.size()) {
    const char c = text_[end];
    const bool exponent =
        (c == '+' || c == '-') && std::string_view("eEpP").find(text_[end - 1]) != std::string_view::npos;
    if (!is_word(c) && c != '.' && !exponent) break;
    ++end;
  }
  return end;
}

std::uint64_t CText::directive_end(std::uint64_t begin) const {
  std::uint64_t i = begin;
  while (i < text_.size() && text_[i] != '\n') {
    if (is_comment(i)) {
      i = comment_end(i);
    } else if (text_[i] == '\\') {
      i += at(i + 1) == '\r' && at(i + 2) == '\n' ? 3 : 2;
    } else {
      ++i;
    }
  }
  return std::min<std::uint64_t>(i, text_.size());
}

LineTable::LineTable(std::string_view text) : text_(text) {
  std::uint32_t count = 0;
  for (std::uint64_t begin = 0; begin < text.size(); begin += kLineBlock) {
    newlines_before_.push_back(count);
    const std::string_view block = text.substr(begin, kLineBlock);
    count += static_cast<std::uint32_t>(std::count(block.begin(), block.end(), '\n'));
  }
  segments_.emplace_back();
  for (std::size_t at = text.find(kMark); at != std::string_view::npos; at = text.find(kMark, at + 1)) {
    if (at != 0 && text[at - 1] != '\n') continue;
    std::optional<LineMark> mark = mark_at(text, at);
    if (!mark) continue;
    segments_.push_back({mark->end, std::move(mark->file), mark->line - std::int64_t{counted(mark->end)}});
  }
}

const LineTable::Segment& LineTable::segment_of(std::uint64_t offset) const {
  const auto after = std::upper_bound(segments_.begin() + 1, segments_.end(), offset,
                                      [](std::uint64_t at, const Segment& segment) { return at < segment.begin; });
  return *(after - 1);
}

const std::string& LineTable::file_of(std::uint64_t offset) const { return segment_of(offset).file; }

std::uint32_t LineTable::line_of(std::uint64_t offset) const {
  return static_cast<std::uint32_t>(std::max<std::int64_t>(counted(offset) + segment_of(offset).added, 1));
}

std::uint32_t LineTable::counted(std::uint64_t offset) const {
  if (newlines_before_.empty()) return 1;
  offset = std::min<std::uint64_t>(offset, text_.size() - 1);
  const std::uint64_t block = offset / kLineBlock;
  const std::string_view before = text_.substr(block * kLineBlock, offset - block * kLineBlock);
  return 1 + newlines_before_[block] + static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n'));
}

}  // namespace detent::models::tvm
