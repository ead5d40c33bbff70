/* What the modes without a scheduler share: one op on one slot, how a fault ends the run, and how slot 0 waits for the
 * others while it watches the deadlines.
 *
 * A slot writes its own fault and then tries to put its number into the context's failure word: the first one counts.
 */
#ifndef DETENT_RUNTIME_ENGINE_FIXED_H_
#define DETENT_RUNTIME_ENGINE_FIXED_H_

#include "runtime/engine/engine.h"

namespace detent {

/// Slot 0, before a run without a scheduler: no faults, no ops.
void open_unscheduled_run(detent_context &c);
/// Slot 0, when all other slots are back or late.
Outcome close_unscheduled_run(detent_context &c);
/// End the run with this fault unless another one came first; wakes slots that wait for an op that will not come.
void record_fault(detent_context &c, Worker &me, const detent_error &fault);

/// May the next op start? False after a fault; a cancellation becomes one.
inline bool may_go_on(detent_context &c, Worker &me) {
  if (load_relaxed(me.site, c.fixed.failure) != 0) return false;
  if (load_relaxed(me.site, c.cancelled) == 0) [[likely]]
    return true;
  record_fault(c, me, make_error(DETENT_CANCELLED));
  return false;
}

/// Execute an op with its deadline. False: it failed, and the fault is recorded.
bool run_op_in_full(detent_context &c, Worker &me, OpId op, std::uint64_t sequence);

inline bool run_op(detent_context &c, Worker &me, OpId op, std::uint64_t sequence) {
  if (me.bare && c.config.op_deadline_ps == 0) [[likely]] {
    const detent_entity &entity = c.graph.entities[op];
    const std::int32_t code = entity.run(&entity.args);
    if (code == 0) [[likely]] {
      ++me.ops_run;
      return true;
    }
    record_fault(c, me, make_error(DETENT_KERNEL_FAILED, {.op = op, .code = code}));
    return false;
  }
  return run_op_in_full(c, me, op, sequence);
}

/// Async op of a back end that answers later: dispatch it on this slot and go on. False: it failed at once.
bool start_answered_op(detent_context &c, Worker &me, OpId op);
/// Slot 0: wait for the answer to an async op that may be in flight, and count it.
void collect_answer(detent_context &c, Worker &me, OpId op);

/// Slot 0: give work to another slot, which will call finish_worker.
void start_worker(detent_context &c, SlotId slot);
void finish_worker(detent_context &c, Worker &me);
/// Slot 0: until every slot is home, or those that are not are past their deadline (then TIMEOUT is recorded).
void wait_for_workers(detent_context &c, Worker &me);
/// Slot 0, with a deadline: record a fault for each op that is late. Returns how many slots are.
std::uint32_t watch_others(detent_context &c, Worker &me);
/// When to look at the deadlines next: half a deadline from now, or never (UINT64_MAX) without one.
std::uint64_t next_watch_ps(const detent_context &c);

}  // namespace detent

#endif
