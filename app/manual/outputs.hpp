// Whether what a command writes at its end can be written: said before it begins.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/answer/given_option.hpp"

namespace detent::app {

/// @param name  the option: "--json"   @param text  its file, or folder, which is made where it is missing
/// @throws std::invalid_argument  a missing folder, one that cannot be written, a folder for a file or the reverse;
/// beside --out a file that is somebody's work: a model, a platform, a source, a picture
void require_writable(const std::string& name, const std::string& text, bool is_folder);

/// Every file that a command writes can be written, has a name of its own, and is none that the command reads.
/// @param given  the options of the command
/// @throws std::invalid_argument  as require_writable; two options with one file, naming both
void check_files(const std::vector<GivenOption>& given);

/// Whether check_files knows what the option names as read, or as written.
bool names_files(std::string_view option);
/// Whether it names what is written.
bool names_output(std::string_view option);

/// The same of --out where a package goes: over another package or nothing.
/// @throws std::invalid_argument
void require_package_place(const std::string& path);
/// The same where an op graph goes: over another graph, an answer, or nothing.
/// @throws std::invalid_argument
void require_graph_place(const std::string& path);

}  // namespace detent::app
