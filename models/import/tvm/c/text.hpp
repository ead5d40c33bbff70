// A C text -> where its comments, constants, braces and directives end, and on which line a place is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace detent::models::tvm {

/// Blanks within a line; a newline is none.
inline bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
/// What names and numbers consist of; every byte that is not ASCII counts.
inline bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$' || (c & 0x80) != 0;
}

/// A view: text and file name must outlive it. Offsets are bytes; what ends behind the text ends at its size.
class CText {
 public:
  /// Whose text it is: a file as it was given, where what looks like a line mark is text, or what preprocess() made.
  enum class Marks : std::uint8_t { kIgnored, kFollowed };

  CText(std::string_view text, const std::string& file, Marks marks = Marks::kFollowed)
      : text_(text), file_(file), marks_(marks) {}

  [[nodiscard]] std::uint64_t size() const { return text_.size(); }
  /// '\0' behind the end.
  [[nodiscard]] char at(std::uint64_t i) const { return i < text_.size() ? text_[i] : '\0'; }
  [[nodiscard]] std::string_view part(std::uint64_t begin, std::uint64_t end) const {
    return text_.substr(begin, end - begin);
  }
  /// Does a comment begin here?
  [[nodiscard]] bool is_comment(std::uint64_t i) const {
    return at(i) == '/' && (at(i + 1) == '/' || at(i + 1) == '*');
  }

  /// @throws InputError  the comment, the constant, the brace never ends; braces are deeper than `max_depth`
  [[nodiscard]] std::uint64_t comment_end(std::uint64_t begin) const;
  [[nodiscard]] std::uint64_t quoted_end(std::uint64_t begin) const;
  /// Behind blanks, newlines and comments.
  [[nodiscard]] std::uint64_t blank_end(std::uint64_t begin) const;
  /// From '{' to behind its '}'; adds to `elements` those of the outermost level.
  std::uint64_t braces_end(std::uint64_t begin, std::uint32_t max_depth, std::uint64_t& elements) const;
  [[nodiscard]] std::uint64_t word_end(std::uint64_t begin) const;
  [[nodiscard]] std::uint64_t number_end(std::uint64_t begin) const;
  /// The newline that ends a directive, continued lines and comments passed over.
  [[nodiscard]] std::uint64_t directive_end(std::uint64_t begin) const;

  /// @throws InputError  always; it names file and line
  [[noreturn]] void fail(std::uint64_t at, const std::string& what) const;

 private:
  std::string_view text_;
  const std::string& file_;
  Marks marks_;
};

/// A file and a line of it.
struct TextPlace {
  std::string file;
  std::uint32_t line = 0;
};

/// A `#line` that says what follows; those that a file brings itself look different and do not count here.
std::string line_mark(std::uint64_t line, const std::string& file);

/// Where a byte of a text stands: in `file`, or where the line mark before it says.
TextPlace place_at(std::string_view text, std::uint64_t at, const std::string& file);

/// Line numbers of a text without one entry per line; line marks count.
class LineTable {
 public:
  explicit LineTable(std::string_view text);
  /// 1 for the first line; offsets past the end give the last.
  [[nodiscard]] std::uint32_t line_of(std::uint64_t offset) const;
  /// The file that a line mark names; "" where none stands before.
  [[nodiscard]] const std::string& file_of(std::uint64_t offset) const;

 private:
  /// From `begin` on, lines are those of `file`, `added` more than counted.
  struct Segment {
    std::uint64_t begin = 0;
    std::string file;
    std::int64_t added = 0;
  };
  [[nodiscard]] const Segment& segment_of(std::uint64_t offset) const;
  [[nodiscard]] std::uint32_t counted(std::uint64_t offset) const;

  std::string_view text_;
  std::vector<std::uint32_t> newlines_before_;  ///< of each block
  std::vector<Segment> segments_;               ///< the first one begins at 0
};

}  // namespace detent::models::tvm
