// Times in op graph files, and TimeDemands <-> the keys that state them.
#pragma once

#include <cstdint>
#include <string>

#include "base/json.hpp"
#include "models/core/model.hpp"

namespace detent::models {

/// A time in ps: a whole number, or a text with a unit, "5ms".
/// @throws InputError  no such time, or one above kMaxGraphTimePs
std::uint64_t read_graph_time(const JsonValue& value);

/// Reads "deadline": "5ms" and "period": "10ms", or whole numbers of picoseconds.
/// @throws InputError  no time above 0 and at most kMaxGraphTimePs
TimeDemands read_demands(JsonObject& root);

/// `, "deadline": "5ms", "period": "10ms"` in the largest unit that is exact; empty: nothing is demanded.
std::string demands_text(const TimeDemands& demands);

}  // namespace detent::models
