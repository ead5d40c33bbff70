// TimeDemands <-> the keys of an op graph file that state them.
#pragma once

#include <string>

#include "base/json.hpp"
#include "models/core/model.hpp"

namespace detent::models {

/// Reads "deadline": "5ms", or a whole number of picoseconds.
/// @throws InputError  no time above 0 and at most kMaxGraphTimePs
TimeDemands read_demands(JsonObject& root);

/// `, "deadline": "5ms"` in the largest unit that is exact; empty: nothing is demanded.
std::string demands_text(const TimeDemands& demands);

}  // namespace detent::models
