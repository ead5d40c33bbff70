#include "models/import/tvm/preprocess/file_text.hpp"

#include <algorithm>
#include <utility>

namespace detent::models::tvm {

FileText::FileText(const std::string& text, std::string name, std::string shown)
    : lines_(joined_lines(text)),
      joined_(lines_.text),
      shown_(std::move(shown)),
      presumed_(std::move(name)),
      text_(joined_, shown_, CText::Marks::kIgnored) {}

void FileText::check() const {
  if (const auto nul = joined_.find('\0'); nul != std::string::npos) fail(nul, "NUL byte; this is not C source");
  if (const auto end = joined_.find("\\\n"); end != std::string::npos)
    fail(end, "a backslash ends a line that another one ended");
  for (auto at = joined_.find('\r'); at != std::string::npos; at = joined_.find('\r', at + 1)) {
    if (text_.at(at + 1) != '\n' && at + 1 != joined_.size()) fail(at, "a carriage return within a line");
  }
}

void FileText::fail(std::uint64_t at, const std::string& what) const {
  constexpr std::size_t kMost = 1000;  // names and texts of any size are repeated
  text_.fail(at, what.size() > kMost ? what.substr(0, kMost) + "..." : what);
}

std::uint64_t FileText::newlines(std::uint64_t begin, std::uint64_t end) const {
  return static_cast<std::uint64_t>(std::count(joined_.begin() + static_cast<std::ptrdiff_t>(begin),
                                               joined_.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
}

std::uint64_t FileText::line_at(std::uint64_t at) {
  if (at < counted_) {
    line_ = 1;
    counted_ = 0;
  }
  line_ += newlines(counted_, at);
  counted_ = at;
  return line_;
}

bool FileText::spans_lines(std::uint64_t begin, std::uint64_t end) const {
  return newlines(begin, end) != 0 || lines_.joins(begin, end);
}

PpMacros::Place FileText::here(std::uint64_t at) {
  const auto line = static_cast<std::int64_t>(line_at(at) + lines_.joined_before(at)) + moved_;
  return {presumed_, static_cast<std::uint64_t>(std::max<std::int64_t>(line, 0))};
}

void FileText::renumber(const std::vector<PpToken>& tokens, std::uint64_t end) {
  const bool has_line = !tokens.empty() && tokens[0].text.size() < 10 &&
                        std::all_of(tokens[0].text.begin(), tokens[0].text.end(), is_digit);
  if (!has_line) throw PpFault{"#line without a number"};
  if (tokens.size() > 1 && (tokens[1].kind != PpToken::Kind::kQuoted || !tokens[1].text.starts_with('"')))
    throw PpFault{"#line with a name that is not quoted"};
  const std::uint64_t next = line_at(end) + lines_.joined_before(end) + 1;
  moved_ = static_cast<std::int64_t>(std::stoull(tokens[0].text)) - static_cast<std::int64_t>(next);
  if (tokens.size() > 1) presumed_ = tokens[1].text.substr(1, tokens[1].text.size() - 2);
}

}  // namespace detent::models::tvm
