// What the modes without a scheduler share; see no_scheduler.h.
#include "runtime/engine/no_scheduler.h"

#include "runtime/engine/op_progress.h"
#include "runtime/engine/ticks.h"

namespace detent {

namespace {

/// Time since the run began, so that what a run does depends on no other time; 0 where the clock went back.
std::uint64_t run_time(const detent_context &c, std::uint64_t now_ps) {
  return now_ps > c.run_begin_ps ? now_ps - c.run_begin_ps : 0;
}

}  // namespace

void open_unscheduled_run(detent_context &c) {
  const AccessSite &site = c.workers[0].site;
  store_relaxed(site, c.fixed.failure, 0u);
  c.fixed.left_op = DETENT_NONE;
  for (SlotId slot = 0; slot < c.slot_count; ++slot) {
    Worker &worker = c.workers[slot];
    worker.ops_run = 0;
    store_relaxed(site, worker.progress, 0u);
    store_relaxed(site, worker.begun, 0u);
  }
}

Outcome close_unscheduled_run(detent_context &c) {
  const AccessSite &site = c.workers[0].site;
  const std::uint32_t out = load_seq_cst(site, c.fixed.working);
  const bool all_home = out == 0;
  Outcome outcome{make_error(DETENT_OK), 0, out + load_seq_cst(site, c.abandoned)};
  const std::uint32_t failure = load_seq_cst(site, c.fixed.failure);
  if (failure != 0) outcome.error = c.workers[failure - 1].fault;
  // An op is left in flight: whatever went wrong before, the status says so.
  if (outcome.ops_in_flight != 0) outcome.error = make_error(DETENT_TIMEOUT, {.op = c.fixed.left_op});
  // A slot that is late still counts its ops: only what is home can be read.
  for (SlotId slot = 0; slot < (all_home ? c.slot_count : 1); ++slot) outcome.ops_run += c.workers[slot].ops_run;
  return outcome;
}

void record_fault(detent_context &c, Worker &me, const detent_error &fault) {
  if (load_relaxed(me.site, c.fixed.failure) == me.site.slot + 1) return;  // its own came first and is being read
  me.fault = fault;
  if (compare_exchange_seq_cst(me.site, c.fixed.failure, 0u, me.site.slot + 1)) wake_all(c, me.site);
}

void wake_all(detent_context &c, const AccessSite &site) {
  for (SlotId slot = 0; slot < c.slot_count; ++slot) {
    if (slot != site.slot && load_seq_cst(site, c.workers[slot].parked) != 0) c.port->notify(c.port->self, slot);
  }
}

bool run_op_in_full(detent_context &c, Worker &me, OpId op, std::uint64_t sequence) {
  const detent_port &port = *c.port;
  const std::uint64_t deadline_ps = c.config.op_deadline_ps;
  const std::uint64_t begin_ps = measures_ends(c) ? port.now_ps(port.self) : 0;
  if (c.op_progress != nullptr) show_begin(c, me.site, op, me.site.slot, begin_ps);
  if (deadline_ps != 0) {
    me.busy.begin_ps = begin_ps;
    store_release(me.site, me.current, op);
    store_release(me.site, me.begun_at, tick_at(run_time(c, begin_ps), deadline_ps));
  }
  std::int32_t code = 0;
  const Executed executed = execute(c, me, op, sequence, &code);
  if (deadline_ps != 0) store_release(me.site, me.begun_at, kNoTick);
  const bool is_abandoned = executed == Executed::kAbandoned;
  if (is_abandoned) c.fixed.left_op = op;
  const std::uint64_t end_ps = !is_abandoned && measures_ends(c) ? port.now_ps(port.self) : 0;
  if (!is_abandoned && c.op_progress != nullptr) end_unscheduled_op(c, me.site, op, code, end_ps);
  if (is_abandoned || is_late(c, begin_ps, end_ps)) {
    record_fault(c, me, make_error(DETENT_TIMEOUT, {.op = op}));
  } else if (code != 0) {
    record_fault(c, me, make_error(DETENT_KERNEL_FAILED, {.op = op, .code = code}));
  } else {
    ++me.ops_run;
    return true;
  }
  return false;
}

bool start_answered_op(detent_context &c, Worker &me, OpId op) {
  OpState &state = c.op_states[op];
  state.begin_ps = measures_ends(c) ? c.port->now_ps(c.port->self) : 0;
  if (c.op_progress != nullptr) show_begin(c, me.site, op, me.site.slot, state.begin_ps);
  checkpoint(me.site, DETENT_CP_DISPATCH, op);
  log_event(c, me, {.event = DETENT_EVENT_OP_BEGIN, .op = op, .value = class_of(c, op)});
  checkpoint(me.site, DETENT_CP_OP_BEGIN, op);
  mark_in_flight(me.site, state, 0);
  std::int32_t code = 0;
  if (!dispatch(c, me.site, op, &code)) return true;
  log_event(c, me, {.event = DETENT_EVENT_OP_END, .op = op, .value = code});
  state.code = code;  // as if detent_complete had said so
  state.answered_ps = measures_ends(c) ? c.port->now_ps(c.port->self) : 0;
  if (c.op_progress != nullptr) end_unscheduled_op(c, me.site, op, code, state.answered_ps);
  store_seq_cst<std::uint32_t>(me.site, state.phase, kOpAnswered);
  wake_all(c, me.site);
  if (code != 0) record_fault(c, me, make_error(DETENT_KERNEL_FAILED, {.op = op, .code = code}));
  return code == 0;
}

void collect_answer(detent_context &c, Worker &me, OpId op) {
  if (load_seq_cst(me.site, c.op_states[op].phase) == kOpIdle) return;  // the run ended before it was dispatched
  std::int32_t code = 0;
  const OpState &state = c.op_states[op];
  const bool is_answered = await_answer(c, me, op, &code);
  if (is_answered) checkpoint(me.site, DETENT_CP_OP_END, op);
  if (!is_answered) c.fixed.left_op = op;
  if (!is_answered || is_late(c, state.begin_ps, state.answered_ps)) {
    record_fault(c, me, make_error(DETENT_TIMEOUT, {.op = op}));
  } else if (code != 0) {
    record_fault(c, me, make_error(DETENT_KERNEL_FAILED, {.op = op, .code = code}));
  } else {
    ++me.ops_run;
  }
}

void start_worker(detent_context &c, SlotId slot) {
  fetch_add_seq_cst(c.workers[0].site, c.fixed.working, 1u);
  fill_inbox(c, c.workers[0].site, slot, 0, 0);
}

void finish_worker(detent_context &c, Worker &me) {
  fetch_add_seq_cst(me.site, c.fixed.working, UINT32_MAX);
  if (load_seq_cst(me.site, c.workers[0].parked) != 0) c.port->notify(c.port->self, 0);
}

std::uint64_t next_watch_ps(const detent_context &c) {
  if (c.config.op_deadline_ps == 0) return UINT64_MAX;
  const std::uint64_t now_ps = c.port->now_ps(c.port->self);
  // Half a deadline: what began just after the last look is found at most half a deadline too late.
  const std::uint64_t step_ps = c.config.op_deadline_ps / 2 + 1;
  return now_ps > UINT64_MAX - step_ps ? UINT64_MAX : now_ps + step_ps;
}

namespace {

/// The op that another slot has had for longer than the deadline, or DETENT_NONE.
OpId late_op_of(const detent_context &c, const Worker &me, const Worker &worker, std::uint64_t now_ps) {
  const std::uint32_t begun_at = load_acquire(me.site, worker.begun_at);
  const bool is_past = begun_at != kNoTick && is_past_deadline(begun_at, run_time(c, now_ps), c.config.op_deadline_ps);
  if (!is_past) return DETENT_NONE;
  const OpId op = load_acquire(me.site, worker.current);
  // The slot may have gone on to its next op between the two reads: then the op is not the one that began then. An op
  // that begins after now_ps shows another tick, because a late one began more than a deadline before.
  return load_acquire(me.site, worker.begun_at) == begun_at ? op : OpId(DETENT_NONE);
}

}  // namespace

std::uint32_t watch_others(detent_context &c, Worker &me) {
  const std::uint64_t now_ps = c.port->now_ps(c.port->self);
  std::uint32_t late = 0;
  for (SlotId slot = 1; slot < c.slot_count; ++slot) {
    const OpId op = late_op_of(c, me, c.workers[slot], now_ps);
    if (op == DETENT_NONE) continue;
    ++late;
    c.fixed.left_op = op;
    record_fault(c, me, make_error(DETENT_TIMEOUT, {.op = op}));
  }
  return late;
}

void wait_for_workers(detent_context &c, Worker &me) {
  const detent_port &port = *c.port;
  for (std::uint32_t spins = 0; spins < port.spin_limit; ++spins) {
    if (load_seq_cst(me.site, c.fixed.working) == 0) return;
    port.pause(port.self);
  }
  store_seq_cst(me.site, me.parked, 1u);
  std::uint64_t until_ps = next_watch_ps(c);
  for (std::uint32_t out = load_seq_cst(me.site, c.fixed.working); out != 0;
       out = load_seq_cst(me.site, c.fixed.working)) {
    port.wait(port.self, 0, until_ps);
    if (until_ps == UINT64_MAX || port.now_ps(port.self) < until_ps) continue;
    out = load_seq_cst(me.site, c.fixed.working);  // before the look: who comes home during it is not among the late
    if (watch_others(c, me) == out) break;
    until_ps = next_watch_ps(c);
  }
  store_relaxed(me.site, me.parked, 0u);
}

std::uint32_t workers_outside(detent_context &c) { return load_seq_cst(c.workers[0].site, c.fixed.working); }

}  // namespace detent
