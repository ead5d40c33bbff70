// Whether what a command writes at its end can be written: said before it begins.
#pragma once

#include <string>

namespace detent::app {

/// @param name  the option: "--json"   @param text  its file, or folder, which is made where it is missing
/// @throws std::invalid_argument  a missing folder, one that cannot be written, a folder for a file or the reverse
void require_writable(const std::string& name, const std::string& text, bool is_folder);

}  // namespace detent::app
