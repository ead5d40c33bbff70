/* The engine's parts and how they hang together. Internal to the runtime.
 *
 *   detent.cpp  -> serial | closed_loop | layered | static_lists      one run, on the thread of detent_run (slot 0)
 *   worker.cpp  -> what the started slots do between and within runs
 *   closed_loop -> schedule (steps under the role) -> execute
 */
#ifndef DETENT_RUNTIME_ENGINE_ENGINE_H_
#define DETENT_RUNTIME_ENGINE_ENGINE_H_

#include "runtime/base/error.h"
#include "runtime/base/freestanding.h"
#include "runtime/engine/context.h"
#include "runtime/engine/log_put.h"

namespace detent {

/// How a run ended.
struct Outcome {
  detent_error error;
  std::uint32_t ops_run;
  std::uint32_t ops_in_flight;  ///< left with a kernel or back end, at most; 0 unless the status is TIMEOUT
};

/// One run of each mode, on slot 0. The context is not failed; c.busy is held.
Outcome run_serial(detent_context &c);
Outcome run_closed_loop(detent_context &c);
Outcome run_layered(detent_context &c);
Outcome run_static_lists(detent_context &c);

/// The layout of layered mode from serial_order and ranks.
void lay_out_layers(detent_context &c);
/// The lists of static mode: the Desc's own for this number of workers, else computed. Rejects a schedule that misses
/// an op (TABLE_RANGE) or would deadlock (STALLED). Uses policy_work.
detent_error lay_out_lists(detent_context &c);

/// Forget a failed run: every op waits for all its predecessors again. Nothing is in flight.
void rearm(detent_context &c);
/// Closed loop, no run on: ops of an earlier run that are still with a worker or back end.
std::uint32_t closed_loop_in_flight(detent_context &c);
/// Layered and static: slots that have not come back from an earlier run, and async ops not answered.
std::uint32_t workers_outside(detent_context &c);

/// Entry of every started slot; `arg` is its Worker.
void worker_main(void *arg);
/// Wait for work in the inbox of a slot other than 0. DETENT_NONE: the context is being shut down.
OpId wait_for_inbox(detent_context &c, Worker &me);
/// Put work into the inbox of an idle worker and wake it if it sleeps.
void fill_inbox(detent_context &c, const AccessSite &site, SlotId slot, std::uint32_t inbox, std::uint64_t sequence);

/// What a started slot does with the work in its inbox, per mode.
void work_closed_loop(detent_context &c, Worker &me, OpId op);
void work_layer(detent_context &c, Worker &me);
void work_list(detent_context &c, Worker &me);
/// What a pool's worker does with a member that has an op for it: that op, and those that come after it while no other
/// member comes first.
void serve_member(detent_context &c, SlotId slot);
/// Wake every slot that sleeps: what it waits for may have come.
void wake_all(detent_context &c, const AccessSite &site);
/// Closed loop, on a thread that is no slot: something stands in the ForeignQueue.
void handle_answers(detent_context &c);

/// What execute did with the op.
enum class Executed : std::uint8_t {
  kDone,       ///< *code says how it ended
  kAbandoned,  ///< slot 0 only: its back end did not answer before the deadline
};

/// Dispatch an op on a slot and wait for its end. `sequence`: its place in the order of starts, 0 = none.
Executed execute_in_full(detent_context &c, Worker &me, OpId op, std::uint64_t sequence, std::int32_t *code);

/// As execute_in_full, without the call when nothing listens and the kernel is called directly.
inline Executed execute(detent_context &c, Worker &me, OpId op, std::uint64_t sequence, std::int32_t *code) {
  if (me.bare) [[likely]] {
    const detent_entity &entity = c.graph.entities[op];
    *code = entity.run(&entity.args);
    return Executed::kDone;
  }
  return execute_in_full(c, me, op, sequence, code);
}

/// As execute, in a run that measures: the time it takes becomes the op's cost.
Executed execute_measured(detent_context &c, Worker &me, OpId op, std::uint64_t sequence, std::int32_t *code);

/// Mark a dispatchable op in flight before its back end sees it; `owner` waits for it (DETENT_NONE: ForeignQueue).
void mark_in_flight(const AccessSite &site, OpState &state, std::uint32_t owner);
/// Call the back end. True: it is done and `*code` is set; false: detent_complete will tell, or has told already.
bool dispatch(detent_context &c, const AccessSite &site, OpId op, std::int32_t *code);
/// Wait on `me` until the op has been answered. False: slot 0 gave up at the deadline (the op is abandoned).
bool await_answer(detent_context &c, Worker &me, OpId op, std::int32_t *code);

/// With a deadline: has what began at `begin_ps` taken too long at `now_ps`?
inline bool is_late(const detent_context &c, std::uint64_t begin_ps, std::uint64_t now_ps) {
  const std::uint64_t deadline_ps = c.config.op_deadline_ps;
  return deadline_ps != 0 && now_ps > begin_ps && now_ps - begin_ps > deadline_ps;
}

/// The end of each op is timed: for its deadline, or because somebody may ask where it stands.
inline bool measures_ends(const detent_context &c) { return c.config.op_deadline_ps != 0 || c.op_progress != nullptr; }

/// Of an ASYNC class, in a mode that collects answers after others have gone on: its end counts for them at once.
inline bool is_collected_op(const detent_context &c, OpId op) {
  const bool has_no_scheduler = c.mode == DETENT_MODE_STATIC || c.mode == DETENT_MODE_LAYERED;
  return has_no_scheduler && (c.graph.nodes[op].flags & kNodeAsync) != 0;
}

/// What a record of an op's begin says of it.
inline std::int32_t class_of(const detent_context &c, OpId op) {
  return static_cast<std::int32_t>(c.graph.desc->ops[op].core_class);
}

/// Write a record if the slot keeps a log.
inline void log_event(const detent_context &c, const Worker &me, const LogEntry &entry) {
  if (!is_logged(entry.event) || me.log == nullptr) return;
  const LogSource source{me.site.slot, load_relaxed(me.site, c.run)};
  log_put(*me.log, source, c.port->now_ps(c.port->self), entry);
  checkpoint(me.site, DETENT_CP_LOG, entry.op);
}

/// Records that say nothing about ops (READY, PARK, UNPARK) are written only while the ring has room for all begin and
/// end records of a run after them: a ring of 2 * op_count + n records never loses one of an op to them.
inline bool has_room_for_extras(const detent_context &c, const detent_log &log) {
  constexpr std::uint64_t kMargin = 16;
  return log.written + std::uint64_t{2} * c.graph.desc->op_count + kMargin < log.capacity;
}

/// Write a record into a ring that belongs to no slot: c.loop.async_ring (under the role), c.rejected_ring (under the
/// port's lock).
inline void log_to_ring(const detent_context &c, const AccessSite &site, std::uint32_t ring, const LogEntry &entry) {
  if (!is_logged(entry.event) || c.log_count == 0) return;
  log_put(c.logs[ring], {ring, load_relaxed(site, c.run)}, c.port->now_ps(c.port->self), entry);
  checkpoint(site, DETENT_CP_LOG, entry.op);
}

}  // namespace detent

#endif
