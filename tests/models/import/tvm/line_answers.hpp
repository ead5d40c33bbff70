// A text of one line -> everything that scanner, preprocessor or reader of initial values says of it: for golden files.
#pragma once

#include <string>

#include "models/import/tvm/files/include_path.hpp"
#include "tests/models/import/tvm/artifact/fixture.hpp"

namespace detent::models::tvm {

/// The code that the compiler is given, macros with values, doubts and the names that depend on them.
std::string scan_answer(const std::string& text);

/// "float4[2][3]: {...}": the bytes of such a variable with this initialiser.
std::string value_answer(const std::string& line);

/// Headers that the cases of the preprocessor include, in a directory of their own.
class HeadersOfCases {
 public:
  HeadersOfCases();
  /// What comes out of the preprocessor, or "refused: ...". "[-DA -UB] text" is a text with flags.
  [[nodiscard]] std::string preprocess_answer(const std::string& text) const;

 private:
  Scratch scratch_;
  std::string root_;
  IncludePath path_;
};

}  // namespace detent::models::tvm
