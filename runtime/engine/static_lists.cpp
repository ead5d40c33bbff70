// Static mode: each worker follows its own list and waits only for what happens on other workers. No queues.
#include "runtime/engine/no_scheduler.h"

namespace detent {

namespace {

bool has_happened(const detent_context &c, const Worker &me, const Wait &wait) {
  if (wait.slot == kWaitAnswer) return load_seq_cst(me.site, c.op_states[wait.count].phase) == kOpAnswered;
  const Worker &other = c.workers[wait.slot];
  if ((wait.count & kWaitBegun) != 0) return load_seq_cst(me.site, other.begun) >= (wait.count & ~kWaitBegun);
  return load_seq_cst(me.site, other.progress) >= wait.count;
}

bool has_failed(const detent_context &c, const Worker &me) { return load_seq_cst(me.site, c.fixed.failure) != 0; }

/// A back end has had the op for longer than the deadline.
bool is_overdue(const detent_context &c, const Worker &me, OpId op) {
  const OpState &state = c.op_states[op];
  if (load_seq_cst(me.site, state.phase) != kOpInFlight) return false;
  return is_late(c, state.begin_ps, c.port->now_ps(c.port->self));
}

void sleep_until(detent_context &c, Worker &me, const Wait &wait) {
  const detent_port &port = *c.port;
  const bool for_answer = wait.slot == kWaitAnswer;
  const bool watches = c.config.op_deadline_ps != 0 && (for_answer || me.site.slot == 0);
  std::uint64_t until_ps = watches ? next_watch_ps(c) : UINT64_MAX;
  store_seq_cst(me.site, me.parked, 1u);
  while (!has_happened(c, me, wait) && !has_failed(c, me)) {
    port.wait(port.self, me.site.slot, until_ps);
    if (!watches || port.now_ps(port.self) < until_ps) continue;
    if (me.site.slot == 0) watch_others(c, me);
    if (for_answer && is_overdue(c, me, wait.count))
      record_fault(c, me, make_error(DETENT_TIMEOUT, {.op = wait.count}));
    until_ps = next_watch_ps(c);
  }
  store_relaxed(me.site, me.parked, 0u);
}

/// False: the answer was an error, or came too late: nothing may follow.
bool is_good_answer(detent_context &c, Worker &me, OpId op) {
  const OpState &state = c.op_states[op];
  if (is_late(c, state.begin_ps, state.answered_ps)) {
    record_fault(c, me, make_error(DETENT_TIMEOUT, {.op = op}));
    return false;
  }
  if (state.code != 0) record_fault(c, me, make_error(DETENT_KERNEL_FAILED, {.op = op, .code = state.code}));
  return state.code == 0;
}

/// False: the run ended instead, or the answer was none to go on with.
bool wait_for(detent_context &c, Worker &me, const Wait &wait) {
  std::uint32_t spins = 0;
  while (!has_happened(c, me, wait)) {
    if (has_failed(c, me)) return false;
    if (spins < c.port->spin_limit) {
      ++spins;
      c.port->pause(c.port->self);
    } else {
      sleep_until(c, me, wait);
    }
  }
  return wait.slot != kWaitAnswer || is_good_answer(c, me, wait.count);
}

bool wait_for_others(detent_context &c, Worker &me, std::uint32_t position) {
  const Lists &lists = c.fixed.lists;
  for (std::uint32_t i = lists.first_wait[position]; i < lists.first_wait[position + 1]; ++i) {
    if (!wait_for(c, me, lists.waits[i])) return false;
  }
  return true;
}

/// An op that other workers wait for, or that waits for them. `done` is its place in the list, from 1.
bool run_linked_op(detent_context &c, Worker &me, const ListEntry &entry, std::uint32_t position, std::uint32_t done) {
  if ((entry.flags & kListWaits) != 0 && !(wait_for_others(c, me, position) && may_go_on(c, me))) return false;
  if ((entry.flags & kListSignalsBegun) != 0) {
    store_seq_cst(me.site, me.begun, done);
    wake_all(c, me.site);
  }
  const bool answered = (entry.flags & kListAnswered) != 0;
  if (!(answered ? start_answered_op(c, me, entry.op) : run_op(c, me, entry.op, 0))) return false;
  if ((entry.flags & kListSignals) != 0) {
    store_seq_cst(me.site, me.progress, done);
    wake_all(c, me.site);
  }
  return true;
}

void follow_list(detent_context &c, Worker &me) {
  const std::uint32_t begin = c.fixed.lists.first[me.site.slot];
  const std::uint32_t end = c.fixed.lists.first[me.site.slot + 1];
  for (std::uint32_t position = begin; position < end && may_go_on(c, me); ++position) {
    const ListEntry entry = c.fixed.lists.entries[position];
    if (entry.flags == 0) [[likely]] {
      if (!run_op(c, me, entry.op, 0)) return;
    } else if (!run_linked_op(c, me, entry, position, position - begin + 1)) {
      return;
    }
  }
}

/// Async ops in flight at the end of the lists, and the faults that their answers carried.
void collect_answers(detent_context &c, Worker &me) {
  if (c.async_queue == DETENT_NONE || c.op_states == nullptr) return;
  for (std::uint32_t position = 0; position < c.graph.desc->op_count; ++position) {
    const ListEntry &entry = c.fixed.lists.entries[position];
    if ((entry.flags & kListAnswered) != 0) collect_answer(c, me, entry.op);
  }
}

}  // namespace

void work_list(detent_context &c, Worker &me) {
  follow_list(c, me);
  finish_worker(c, me);
}

Outcome run_static_lists(detent_context &c) {
  Worker &me = c.workers[0];
  open_unscheduled_run(c);
  for (SlotId slot = 1; slot < c.slot_count; ++slot) {
    if (c.fixed.lists.first[slot + 1] != c.fixed.lists.first[slot]) start_worker(c, slot);
  }
  follow_list(c, me);
  wait_for_workers(c, me);
  collect_answers(c, me);
  return close_unscheduled_run(c);
}

}  // namespace detent
