// C files of a module -> LLVM bitcode, as clang-19 lowers them before it optimises anything.
#pragma once

#include <string>
#include <vector>

#include "harness/module/c_compiler.hpp"

namespace detent::harness {

/// Bitcode of every file that is compiled, support files left out. The module's own compiler preprocesses them with the
/// module's flags, so that macros mean what they mean in the kernels; clang-19 translates the result with debug
/// locations, with no function taken for a built-in one, and without a pass of its optimiser. Local variables that the
/// text does not set begin as bytes 0xaa (numbers, pointers) or as not a number, so that the reader of the bitcode can
/// tell; a function that may end without the value that it returns does not compile.
/// @throws std::invalid_argument  no such compiler, or it does not compile
std::vector<std::string> compile_to_bitcode(const std::vector<CSource>& sources, const CCompileOptions& options);

}  // namespace detent::harness
