// What every screen keeps to: lines no wider than it, numbers beside their units.
#pragma once

#include <string>
#include <vector>

namespace detent::e2e {

std::vector<std::string> screen_lines(const std::string& text);

/// No line is wider than `width`, but for words and commands to copy that are; no number ends a line whose unit or noun
/// begins the next one. @param command  for messages
void expect_screen(const std::vector<std::string>& lines, std::size_t width, const std::string& command);

}  // namespace detent::e2e
