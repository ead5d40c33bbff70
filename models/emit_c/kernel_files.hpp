// The built-in kernels of a network: which files of runtime/kernels/ a firmware compiles.
#pragma once

#include <string_view>
#include <vector>

#include <detent/desc.h>

#include "models/emit_c/emitted_file.hpp"

namespace detent::models {

/// The sources that define the Desc's kernels and their checks, what these include below runtime/kernels/, and a
/// runtime/kernels/list.h with these kernels alone; in the order of their paths. Empty where no kernel is built in.
std::vector<EmittedFile> kernel_files(const detent_desc& desc);

/// Is the file compiled once for each instruction set?
bool is_isa_file(std::string_view path);

}  // namespace detent::models
