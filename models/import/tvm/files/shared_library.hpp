// C functions of a library that few commands need, loaded when the first of them does.
#pragma once

#include <string>

#include "base/input_error.hpp"

namespace detent::models::tvm {

/// Load a library for good. @param file  a path, or a name that the dynamic linker looks for
/// @param remedy  ends the error: "; install the package ..."
/// @throws InputError  it cannot be loaded
void* open_library(const char* file, const char* remedy);

/// @throws InputError  the library has no function of that name
void* find_function(void* library, const char* file, const std::string& name, const char* remedy);

}  // namespace detent::models::tvm
