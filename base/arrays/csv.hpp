// Lines of a CSV file as cells: notes and empty lines left out, quotes, blanks around cells, CR before LF.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace detent {

/// Goes through the lines that say something: not empty, not begun by '#'. The text outlives the reader.
class CsvReader {
 public:
  /// @param file  named in errors
  CsvReader(std::string_view text, std::string file);

  /// Go to the next line. @return  false: there is none any more
  bool next();
  /// The cells of the line; those in quotes may hold commas, and quotes twice.
  /// @throws InputError  more than 64 cells, a quote that does not end or that something other than a comma follows
  [[nodiscard]] std::vector<std::string> cells() const;
  /// Of the line, from 1.
  [[nodiscard]] std::uint32_t number() const { return number_; }
  /// @throws InputError  "FILE:LINE: what"
  [[noreturn]] void fail(const std::string& what) const;

 private:
  std::string quoted(std::string_view& rest) const;

  std::string_view rest_, line_;
  std::string file_;
  std::uint32_t number_ = 0;
};

/// Without blanks, tabs and CR at both ends.
std::string_view trimmed_cell(std::string_view text);

}  // namespace detent
