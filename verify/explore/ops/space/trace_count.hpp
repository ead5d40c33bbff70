// A number of traces: exact, or a lower bound.
#pragma once

#include <cstdint>
#include <string>

namespace detent::verify::explore {

__extension__ using Count128 = unsigned __int128;

/// Decimal digits.
std::string format_count(Count128 count);

/// What is known of a number of traces.
struct TraceCount {
  Count128 total = 1;  ///< exact: the number; else a lower bound
  bool exact = true;
  bool overflow = false;  ///< the number does not fit 128 bits; total is a lower bound
};

}  // namespace detent::verify::explore
