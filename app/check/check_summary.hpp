// The one screen that answers: is the output the same on any schedule, can a buffer be corrupted, how long does it
// take.
#pragma once

#include <cstddef>
#include <string>

#include "app/answer/answer.hpp"
#include "verify/verdict/verdict.hpp"

namespace detent::app {

/// The screen of a finished check, from its detent.check/1 answer. `directory` is where the report lies; lines have at
/// most `width` columns, but for a word or a command that is longer.
std::string format_summary(const Json& answer, const std::string& directory, std::size_t width = 80);

/// What a detent.check/1 answer stands for: violated before unknown before holds.
verify::Outcome summary_outcome(const Json& answer);

}  // namespace detent::app
