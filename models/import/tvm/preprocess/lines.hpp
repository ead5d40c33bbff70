// Physical lines of C -> logical ones: a backslash at the end of a line joins the next one to it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace detent::models::tvm {

/// As many newlines follow a joined line as it had, so that all others keep their numbers.
struct JoinedText {
  std::string text;
  std::vector<std::uint64_t> joints;  ///< offsets at which a line was joined to the one before
  std::vector<std::uint64_t> owed;    ///< the offset behind its logical line, for each of them

  /// Lines joined before `at` in its own logical line.
  [[nodiscard]] std::uint64_t joined_before(std::uint64_t at) const;
  /// Is a line joined between two offsets?
  [[nodiscard]] bool joins(std::uint64_t begin, std::uint64_t end) const;
};

/// A joint as compilers see it: blanks may stand between the backslash and the newline.
JoinedText joined_lines(const std::string& text);

}  // namespace detent::models::tvm
