// The program that runs, as a bundle names it.
#pragma once

#include <string>

#include "app/bundle/tool.hpp"

namespace detent::app {

/// Of the process that asks.
/// @param kernel_compiler  as BundleTool has it
/// @throws InputError  one of the program's files cannot be read
BundleTool this_tool(const std::string& kernel_compiler);

}  // namespace detent::app
