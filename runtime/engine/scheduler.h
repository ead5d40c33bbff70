/* The scheduler role: a token that at most one thread holds. Only its holder changes the state of entities. */
#ifndef DETENT_RUNTIME_ENGINE_ROLE_H_
#define DETENT_RUNTIME_ENGINE_ROLE_H_

#include "runtime/engine/engine.h"

namespace detent {

/// An op that a slot takes for itself when it lets go of the role, and its place in the order of starts.
struct NextOp {
  OpId op = DETENT_NONE;
  std::uint64_t sequence = 0;
};

/// A thread that holds the role, and what it has to do once it lets go. Everything in it is settled by
/// release_scheduler, so that no op is lost with a SchedulerGuard.
struct SchedulerGuard {
  detent_context &c;
  AccessSite site;
  NextOp *next = nullptr;    ///< where an op for the holder's own slot goes; null: into its inbox, as for all others
  std::uint64_t filled = 0;  ///< other workers whose inbox was filled: bit per worker
  bool over = false;         ///< the run ended in this hold: announce it after the release
};

/// Take the role if it is free. Whoever has just put something into a queue and finds the role held leaves it to the
/// holder, which looks at the queues after its release: so this read must stand in the one order of all fenced
/// accesses, behind that put (docs/ENGINE.md).
inline bool try_acquire_scheduler(const detent_context &c, std::uint32_t &role, const AccessSite &site) {
  if (load_seq_cst(site, role) != 0 || !compare_exchange_seq_cst(site, role, 0u, 1u)) return false;
  checkpoint(site, DETENT_CP_LOCK, c.graph.desc->op_count);
  return true;
}

/// Slot 0, or a worker of a pool: take the role, waiting for a holder on its way out.
void acquire_scheduler(detent_context &c, const AccessSite &site);
/// Let go of the role, wake whose inbox was filled, announce the end of the run. Whoever put something into a queue
/// since looks at the role after that, and this looks at the queues after letting go: one of the two handles the entry.
void release_scheduler(SchedulerGuard &guard);

/// Slot 0 may sleep until the end of the run or something to schedule: make it look again.
void wake_main(detent_context &c, const AccessSite &site);

/// Under the role. One completion: count it, release what waited for it, then give every free worker the best ready
/// op. `slot` is the finisher, which comes first.
void handle_completion(SchedulerGuard &guard, SlotId slot, OpId op, std::int32_t code);
/// Under the role, c.loop.may_run_inline, guard.next set. While the holder's next op is the only one in flight, keep
/// the role: execute and complete in one go.
void run_inline(SchedulerGuard &guard, Worker &me);
/// Under the role. `slot`'s op has been counted by run_inline: it is free, like all others.
void dispatch_after_inline(SchedulerGuard &guard, SlotId slot);
/// Under the role. Handle everything that stands in the queues.
void drain(SchedulerGuard &guard);
/// Under the role, of a pool's member. The worker has come for an op, and its last one has been counted: give it the
/// best one, if there is any.
void serve_pool_worker(SchedulerGuard &guard, SlotId slot);
/// Under the role, of a pool's member: bit per worker (slot - 1) that has no op here and for which peek finds one. A
/// worker whose last op has ended and has not been counted still has it: it stays away until then.
std::uint32_t workers_with_ops(const detent_context &c);
/// Under the role. Begin a run and hand out the first ops; `slot` is served first (DETENT_NONE: nobody is).
void open_run(SchedulerGuard &guard, SlotId slot);
/// Under the role, with a deadline, in a run: stop if an op is late; end the run if all that is still in flight is.
/// True if it has ended.
bool check_deadlines(SchedulerGuard &guard);
/// Under the role. Slot 0's own op will not be waited for any longer.
void abandon_own_op(SchedulerGuard &guard, OpId op);
/// Under the role, after a run: an op that slot 0 was given and has not begun is no longer in flight.
void empty_own_inbox(SchedulerGuard &guard);

}  // namespace detent

#endif
