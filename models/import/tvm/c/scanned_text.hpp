// ScannedText: the code that the compiler is given, with the place of each of its characters in the original text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/import/tvm/tree/ast.hpp"

namespace detent::models::tvm {

/// A place that the compiler of the kernels may read otherwise: it depends on what the file does not say.
struct Doubt {
  SourceRange range;  ///< of the original text
  std::string why;
  std::string name;  ///< that is not in the code because of it; "" none
};

class ScannedText {
 public:
  std::string code;           ///< for the compiler
  std::vector<Macro> macros;  ///< with an integer value
  std::vector<Doubt> doubts;

  /// Where `code_offset` stands in the original text; offsets past the end map to its end.
  [[nodiscard]] std::uint64_t original(std::uint64_t code_offset) const;
  /// [begin, end) of the code in the original text.
  [[nodiscard]] SourceRange original(std::uint64_t begin, std::uint64_t end) const;

  /// `part` comes next in the code and stands for what begins at `text_begin` in the original text.
  void append(std::string_view part, std::uint64_t text_begin);

 private:
  struct Piece {
    std::uint64_t code_begin, text_begin;
  };
  std::vector<Piece> pieces_;  ///< ascending; each runs to the next
};

}  // namespace detent::models::tvm
