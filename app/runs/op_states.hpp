// Where each op stood when a native run had failed, as the answer of `detent run` tells it.
#pragma once

#include <string>

#include "app/answer/answer.hpp"
#include "harness/run.hpp"

namespace detent::app {

/// `op_states[]` {op, state, late, attempts, worker, ready_ns, begin_ns, end_ns}, by op; times since the run began,
/// null where there is none. Empty: the run did not fail, or nothing was kept.
/// @param op_deadline_ps  of the run; 0: none
/// @param reproducible  without workers and times
Json op_states_json(const harness::Run& run, std::uint64_t op_deadline_ps, bool reproducible);
/// "12 done, 1 failed, 1 late, 80 waiting"; an op that is late counts as that alone. "" where op_states_json is empty.
std::string op_states_text(const harness::Run& run, std::uint64_t op_deadline_ps);

}  // namespace detent::app
