// C text -> syntax tree, by libclang. Nothing of the file is executed and nothing is included from disk.
#pragma once

#include <string>

#include "models/import/tvm/c/limits.hpp"
#include "models/import/tvm/clang/target.hpp"
#include "models/import/tvm/tree/ast.hpp"

namespace detent::models::tvm {

/// Parse one generated file.
///
/// #include lines are not followed: a prelude of our own declares what generated code uses (fixed-width integers, bool,
/// libm, string.h, the TVM C runtime's types and functions, the CMSIS-NN types); unknown types and functions damage
/// only the function in which they stand. Initialisers of file-scope arrays and structs longer than a few hundred bytes
/// are blanked before parsing, so that 50 MB of constants cost no more than reading them; all places refer to the
/// original.
///
/// @param file    named in errors
/// @param target  whose types it has
/// @throws InputError  the text is no C at all: NUL bytes, unbalanced braces or an unterminated comment or string (with
///                     the line), deeper nesting than any generator writes, more than 1 GiB
CUnit parse_c(std::string text, const std::string& file, const CTarget& target = host_target());

/// How a file is read that no generator wrote.
struct ParseOptions {
  CTarget target = host_target();
  ScanLimits limits{};
  std::string declarations{};  ///< C text that stands before the file's, without a tree; the file may declare it again
};
/// As parse_c, of any C file. @throws InputError  as parse_c; with max_table_bytes, more of them than that
CUnit parse_any_c(std::string text, const std::string& file, const ParseOptions& options);

}  // namespace detent::models::tvm
