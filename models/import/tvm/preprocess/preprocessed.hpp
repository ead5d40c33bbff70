// A preprocessed text, and how it is to be made.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/import/tvm/tree/ast.hpp"

namespace detent::models::tvm {

struct Preprocessed {
  /// Lines of other files stand between `#line N "FILE"` and another one for what follows; all lines of the file itself
  /// that hold code are as far from such a line as in the file.
  std::string text;
  bool has_headers = false;            ///< a header was found and stands in the text
  std::vector<MissingHeader> missing;  ///< was asked for and is nowhere
  /// Macros that conditions ask for and that nothing defines, with the first place: "vendor.h:12".
  std::map<std::string, std::string> undefined;
};

struct PreprocessOptions {
  std::vector<std::string> flags;  ///< of the compiler: -D and -U count
  std::uint64_t max_bytes = std::uint64_t{1} << 30U;
  std::uint32_t max_depth = 100;       ///< of headers in headers
  std::uint32_t max_headers = 20'000;  ///< that are put in, again and again included
};

}  // namespace detent::models::tvm
