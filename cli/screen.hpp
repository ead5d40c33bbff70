// The one screen that answers: is the output the same on any schedule, can a buffer be corrupted, how long does it
// take.
#pragma once

#include <string>

#include "cli/output.hpp"

namespace detent::cli {

/// The screen of a finished check, from its detent.check/1 answer. `directory` is where the report lies.
std::string format_screen(const Json& answer, const std::string& directory);

/// Exit code that a detent.check/1 answer stands for: violated before unknown before holds.
int screen_exit_code(const Json& answer);

}  // namespace detent::cli
