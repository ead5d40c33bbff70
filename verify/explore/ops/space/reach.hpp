// Which op-level traces W workers can produce under the definition of execution (docs/VERIFICATION.md).
#pragma once

#include <cstdint>
#include <vector>

#include "verify/explore/ops/space/space.hpp"

namespace detent::verify::explore {

enum class Reach : std::uint8_t { kYes, kNo, kUnknown };

struct ReachOptions {
  std::uint32_t workers = 1;          ///< each serves every class of workers; async ops need none
  std::uint64_t max_states = 20'000;  ///< searched before the answer is kUnknown
};

/// Can some execution of `workers` workers under policy "id" belong to the trace of `schedule`?
///
/// An execution: ops start by rules 1 to 4 (a free worker takes the lowest op id that may start, at once; completions
/// are handled one at a time); each op takes effect at one instant between its start and its end; the trace is the
/// order of the effects of open pairs. An op that has started and has not taken effect is held; at most `workers` - 1
/// can be held while the rest goes on, so not every order that the DAG allows is reachable. Exact: searched over the
/// orders of completions; an effect as early as the trace allows never spoils anything.
Reach is_trace_reachable(const OpSpace& space, const std::vector<std::uint32_t>& schedule, const ReachOptions& options);

}  // namespace detent::verify::explore
