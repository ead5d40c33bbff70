// ObservedRun: one serial run of a Desc on probed memory, with every op handed to an observer instead of being called.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <detent/detent.h>

#include "harness/access/probed_memory.hpp"

namespace detent::harness {

/// What a run starts from.
struct ObserveOptions {
  std::uint64_t seed = 0;                   ///< of the inputs (harness/fill.hpp)
  std::vector<std::uint8_t> input_bytes{};  ///< replaces the seeded input when not empty: all INPUT regions in order
  std::vector<detent_backend> backends{};   ///< asked first; the built-in kernels serve the rest
};

/// Called once per op, in topological order, lowest id first. `backend` is the index in ObserveOptions::backends, or
/// their number for the built-in kernels. Calls entity.run itself, any number of times; returns the op's code.
using Observer = std::function<std::int32_t(const detent_entity& entity, std::size_t backend)>;

/// Bind `memory.desc()` to `memory`, fill the inputs and run once. Exceptions of the observer come through, after the
/// run has been ended.
/// @return  outcome of bind and run
/// @throws std::invalid_argument  input of the wrong size
detent_error run_observed(const ProbedMemory& memory, const ObserveOptions& options, const Observer& observer);

}  // namespace detent::harness
