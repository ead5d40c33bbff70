// Closed loop: workers take ops, execute, report; whoever finishes and finds the role free is the scheduler. With a
// scheduler thread, slot 0 alone takes the role.
#include "runtime/base/compiler.h"
#include "runtime/base/float_environment.h"
#include "runtime/engine/no_scheduler.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/worker_pool.h"

namespace detent {

namespace {

bool has_scheduler_thread(const detent_context &c) { return c.first_worker == 1 && !c.loop.is_shared; }

/// Workers of a pool that wait for the role of this member.
void notify_waiting_workers(SchedulerGuard &guard) {
  detent_context &c = guard.c;
  for (SlotId slot = 1; slot < c.slot_count; ++slot) {
    if (slot == SlotId(guard.site.slot) || load_seq_cst(guard.site, c.workers[slot].parked) == 0) continue;
    c.port->notify(c.port->self, slot);
  }
}

void release_role(SchedulerGuard &guard) {
  detent_context &c = guard.c;
  const std::uint32_t ready_for = c.loop.is_shared ? publish_ready(guard) : 0;
  const std::uint32_t ready_count = c.loop.plain ? c.loop.schedule.ready_count : UINT32_MAX;
  checkpoint(guard.site, DETENT_CP_UNLOCK, c.graph.desc->op_count);
  // 2: slot 0 or a worker of a pool waits for the role, or has taken it in acquire_scheduler.
  if (exchange_seq_cst(guard.site, c.loop.role, 0u) == 2) {
    if (guard.site.slot != 0) c.port->notify(c.port->self, 0);
    if (c.loop.is_shared) notify_waiting_workers(guard);
  }
  if (ready_for != 0) wake_pool_workers(guard, ready_for, ready_count);
  for (; guard.filled != 0; guard.filled &= guard.filled - 1) {
    const SlotId slot = c.first_worker + count_trailing_zeros(guard.filled);
    if (load_seq_cst(guard.site, c.workers[slot].parked) != 0) c.port->notify(c.port->self, slot);
  }
  if (!guard.over) return;
  guard.over = false;
  store_seq_cst(guard.site, c.loop.finished, 1u);
  if (guard.site.slot != 0) wake_main(c, guard.site);
}

/// In a run that measures each op is executed by work_off.
bool runs_inline(const detent_context &c) { return c.loop.may_run_inline && !c.loop.measuring.on; }

/// Report a finished op. Returns the next op of this slot, or none: it will come through its inbox.
NextOp report(detent_context &c, Worker &me, OpId op, std::int32_t code) {
  const SlotId slot = me.site.slot;
  NextOp next;
  SchedulerGuard guard{.c = c, .site = me.site, .next = &next};
  if (measures_ends(c)) me.done_ps = c.port->now_ps(c.port->self);
  if (!has_scheduler_thread(c) && try_acquire_scheduler(c, c.loop.role, me.site)) {
    handle_completion(guard, slot, op, code);
  } else {
    me.done_code = code;
    checkpoint(me.site, DETENT_CP_QUEUE, op);
    c.loop.complete.put(me.site, slot);
    if (has_scheduler_thread(c)) {
      wake_main(c, me.site);
      return next;
    }
    if (!try_acquire_scheduler(c, c.loop.role, me.site)) return next;
  }
  drain(guard);
  if (runs_inline(c)) run_inline(guard, me);
  release_scheduler(guard);
  return next;
}

/// Slot 0: the role is held by somebody on the way out, or this is the watch of the deadlines.
void abandon(detent_context &c, Worker &me, OpId op) {
  acquire_scheduler(c, me.site);
  SchedulerGuard guard{.c = c, .site = me.site};
  abandon_own_op(guard, op);
  drain(guard);
  release_scheduler(guard);
}

bool something_to_schedule(const detent_context &c, const AccessSite &site) {
  return !c.loop.complete.empty(site) || (c.op_states != nullptr && !c.loop.foreign.empty(site));
}

bool main_can_go_on(const detent_context &c, const Worker &me) {
  if (load_seq_cst(me.site, me.inbox) != DETENT_NONE || load_seq_cst(me.site, c.loop.finished) != 0) return true;
  return has_scheduler_thread(c) && something_to_schedule(c, me.site);
}

/// Look at the deadlines of what is in flight; the run may end here.
void watch(detent_context &c, Worker &me) {
  acquire_scheduler(c, me.site);
  SchedulerGuard guard{.c = c, .site = me.site};
  drain(guard);
  if (c.loop.schedule.active) check_deadlines(guard);
  release_scheduler(guard);
}

/// Slot 0 waits for work or the end. With a deadline it looks at the clock whenever it wakes.
void wait_main(detent_context &c, Worker &me) {
  const detent_port &port = *c.port;
  // The clock is looked at while the slot sleeps.
  const std::uint32_t spin_limit = c.config.op_deadline_ps != 0 ? port.spin_limit : c.loop.spin_limit;
  for (std::uint32_t spins = 0; spins < spin_limit; ++spins) {
    if (main_can_go_on(c, me)) return;
    port.pause(port.self);
  }
  std::uint64_t until_ps = next_watch_ps(c);
  store_seq_cst(me.site, me.parked, 1u);
  while (!main_can_go_on(c, me)) {
    port.wait(port.self, 0, until_ps);
    if (until_ps != UINT64_MAX && port.now_ps(port.self) >= until_ps) {
      watch(c, me);
      until_ps = next_watch_ps(c);
    }
  }
  store_relaxed(me.site, me.parked, 0u);
}

void schedule_as_thread(detent_context &c, Worker &me) {
  if (!has_scheduler_thread(c)) return;
  acquire_scheduler(c, me.site);
  SchedulerGuard guard{.c = c, .site = me.site};
  drain(guard);
  release_scheduler(guard);
}

void work_off(detent_context &c, Worker &me, NextOp next) {
  while (next.op != DETENT_NONE) {
    std::int32_t code = 0;
    const Executed executed = c.loop.measuring.on ? execute_measured(c, me, next.op, next.sequence, &code)
                                                  : execute(c, me, next.op, next.sequence, &code);
    if (executed == Executed::kAbandoned) {
      abandon(c, me, next.op);
      return;
    }
    next = report(c, me, next.op, code);
  }
}

void work_as_worker(detent_context &c, Worker &me) {
  OpId op = DETENT_NONE;
  if (c.loop.is_active) {
    op = exchange_seq_cst(me.site, me.inbox, DETENT_NONE);
  } else {
    op = load_acquire(me.site, me.inbox);
    if (op != DETENT_NONE) store_relaxed(me.site, me.inbox, DETENT_NONE);
  }
  if (op == DETENT_NONE) return;
  work_off(c, me, {op, me.inbox_sequence});
}

/// Active waiting: workers that sleep wake up and spin while slot 0 opens the run; no op waits for them meanwhile.
void wake_for_run(const detent_context &c, const Worker &me) {
  if (!c.loop.may_hand) return;
  for (SlotId slot = 1; slot <= c.loop.wake_count; ++slot) {
    if (load_relaxed(me.site, c.workers[slot].parked) != 0) c.port->notify(c.port->self, slot);
  }
}

/// Slot 0, after a run that gave up waiting: what is still out?
std::uint32_t count_left_in_flight(detent_context &c, Worker &me) {
  acquire_scheduler(c, me.site);
  SchedulerGuard guard{.c = c, .site = me.site};
  drain(guard);
  if (!has_scheduler_thread(c)) empty_own_inbox(guard);
  const std::uint32_t in_flight = c.loop.schedule.in_flight + load_seq_cst(me.site, c.abandoned);
  release_scheduler(guard);
  return in_flight;
}

}  // namespace

void wake_main(detent_context &c, const AccessSite &site) {
  if (load_seq_cst(site, c.workers[0].parked) != 0) c.port->notify(c.port->self, 0);
}

void work_closed_loop(detent_context &c, Worker &me, OpId op) { work_off(c, me, {op, me.inbox_sequence}); }

void serve_member(detent_context &c, SlotId slot) {
  Worker &me = c.workers[slot];
  acquire_scheduler(c, me.site);
  NextOp next;
  SchedulerGuard guard{.c = c, .site = me.site, .next = &next};
  drain(guard);
  serve_pool_worker(guard, slot);
  release_scheduler(guard);
  work_off(c, me, next);
}

void handle_answers(detent_context &c) {
  const AccessSite site = site_of(c, DETENT_NONE);
  if (has_scheduler_thread(c)) {
    wake_main(c, site);
    return;
  }
  if (!try_acquire_scheduler(c, c.loop.role, site)) return;
  const FloatEnvironment callers = set_float_environment();  // async ops may be executed in here
  SchedulerGuard guard{.c = c, .site = site};
  drain(guard);
  release_scheduler(guard);
  restore_float_environment(callers);
}

void acquire_scheduler(detent_context &c, const AccessSite &site) {
  for (std::uint32_t spins = 0; spins < c.port->spin_limit; ++spins) {
    if (try_acquire_scheduler(c, c.loop.role, site)) return;
    c.port->pause(c.port->self);
  }
  std::uint32_t &parked = c.workers[site.slot].parked;
  if (site.slot != 0) store_seq_cst(site, parked, 1u);
  while (exchange_seq_cst(site, c.loop.role, 2u) != 0) c.port->wait(c.port->self, site.slot, UINT64_MAX);
  if (site.slot != 0) store_relaxed(site, parked, 0u);
  checkpoint(site, DETENT_CP_LOCK, c.graph.desc->op_count);
}

void release_scheduler(SchedulerGuard &guard) {
  detent_context &c = guard.c;
  release_role(guard);
  while (something_to_schedule(c, guard.site) && try_acquire_scheduler(c, c.loop.role, guard.site)) {
    drain(guard);
    release_role(guard);
  }
}

std::uint32_t closed_loop_in_flight(detent_context &c) {
  acquire_scheduler(c, c.workers[0].site);
  SchedulerGuard guard{.c = c, .site = c.workers[0].site};
  drain(guard);
  const std::uint32_t in_flight = c.loop.schedule.in_flight;
  release_scheduler(guard);
  return in_flight;
}

Outcome run_closed_loop(detent_context &c) {
  Worker &me = c.workers[0];
  const bool works = c.first_worker == 0;
  wake_for_run(c, me);
  acquire_scheduler(c, me.site);
  NextOp next;
  SchedulerGuard guard{.c = c, .site = me.site, .next = &next};
  store_relaxed(me.site, c.loop.finished, 0u);
  open_run(guard, works ? 0 : DETENT_NONE);
  drain(guard);
  if (runs_inline(c)) run_inline(guard, me);
  release_scheduler(guard);
  work_off(c, me, next);
  while (load_seq_cst(me.site, c.loop.finished) == 0) {
    wait_main(c, me);
    if (works) {
      work_as_worker(c, me);
    } else if (has_scheduler_thread(c) && load_seq_cst(me.site, c.loop.finished) == 0) {
      schedule_as_thread(c, me);
    }
  }
  const detent_error error = c.loop.schedule.error;
  return {error, c.loop.schedule.completed, error.status == DETENT_TIMEOUT ? count_left_in_flight(c, me) : 0};
}

}  // namespace detent
