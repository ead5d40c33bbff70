// Serial mode: the ops one after another on the caller's thread, in topological order, best rank first.
#include "runtime/engine/no_scheduler.h"

namespace detent {

Outcome run_serial(detent_context &c) {
  Worker &me = c.workers[0];
  open_unscheduled_run(c);
  for (std::uint32_t i = 0; i < c.graph.desc->op_count; ++i) {
    if (!may_go_on(c, me) || !run_op(c, me, c.graph.serial_order[i], i + std::uint64_t{1})) break;
  }
  return close_unscheduled_run(c);
}

}  // namespace detent
