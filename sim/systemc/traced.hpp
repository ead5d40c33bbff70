// Signals and their changes, as a tracer takes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace detent::sim {

struct TracedSignal {
  std::string name;  ///< dots make scopes: "cpu0.state"
  int width = 1;     ///< bits, 1 to 64
};

/// Signal `signal` takes this value, or none: all bits z.
struct TracedChange {
  std::uint32_t signal = 0;
  std::uint64_t value = 0;
  bool has_value = true;
};

/// The changes of one instant are changes[begin, end).
struct TracedStep {
  std::size_t begin = 0, end = 0;
};

}  // namespace detent::sim
