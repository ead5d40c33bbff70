// What the help of each command says beside its options: examples that work, and what needs more than a line.
#pragma once

#include <string>
#include <vector>

namespace detent::app {

/// @param command  "check", "import tvm", "" for the program
std::vector<std::string> examples_of(const std::string& command);
/// Paragraphs, a line each; may be empty.
std::string details_of(const std::string& command);

}  // namespace detent::app
