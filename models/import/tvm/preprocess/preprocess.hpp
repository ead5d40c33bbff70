// A C file and the headers that are given with it -> one text without macros and conditions, which is analysed and
// compiled alike.
//
// Headers of the C library and of TVM's runtime stay #include lines. What a compiler or a target defines by itself is
// the same for all: GNU C 4.2, 32-bit int, little endian, and nothing that tells one target from another, so that the
// portable variant of a vendor's code is taken, and the text is the same on every machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/import/tvm/files/include_path.hpp"
#include "models/import/tvm/preprocess/preprocessed.hpp"
#include "models/import/tvm/tree/ast.hpp"

namespace detent::models::tvm {

/// The headers that #include lines of a text name, whatever the conditions around them.
struct IncludeLine {
  std::string name;
  bool quoted = false;
  std::uint32_t line = 0;
};
std::vector<IncludeLine> include_lines(const std::string& text);

/// Does an #include line name a header that can be found and that no package has anyway?
bool includes_given(const std::string& text, const SourcePlace& from, const IncludePath& path);

/// @param file  as messages name it   @param from  where its own "headers" stand
/// @throws InputError  no C for a preprocessor, or a limit is passed; file and line
Preprocessed preprocess(const std::string& text, const std::string& file, const SourcePlace& from,
                        const IncludePath& path, const PreprocessOptions& options = {});

}  // namespace detent::models::tvm
