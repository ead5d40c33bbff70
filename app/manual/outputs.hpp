// Whether what a command writes at its end can be written: said before it begins.
#pragma once

#include <string>

namespace detent::app {

/// @param name  the option: "--json"   @param text  its file, or folder, which is made where it is missing
/// @throws std::invalid_argument  a missing folder, one that cannot be written, a folder for a file or the reverse;
/// beside --out a file that is somebody's work: a model, a platform, a source, a picture
void require_writable(const std::string& name, const std::string& text, bool is_folder);

/// The same of --out where a package goes: over another package or nothing.
/// @throws std::invalid_argument
void require_package_place(const std::string& path);

}  // namespace detent::app
