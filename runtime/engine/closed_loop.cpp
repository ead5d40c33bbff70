// Closed loop: workers take ops, execute, report; whoever finishes and finds the role free is the scheduler. With a
// scheduler thread, slot 0 alone takes the role.
#include "runtime/engine/fixed.h"
#include "runtime/engine/role.h"
#include "runtime/float_environment.h"

namespace detent {

namespace {

bool has_scheduler_thread(const detent_context &c) { return c.first_worker == 1; }

void release_role(Holder &holder) {
  detent_context &c = holder.c;
  checkpoint(holder.site, DETENT_CP_UNLOCK, c.desc->op_count);
  // 2: slot 0 waits for the role, or has taken it in take_role.
  if (exchange_fenced(holder.site, c.role, 0u) == 2 && holder.site.slot != 0) c.port->notify(c.port->self, 0);
  for (; holder.mailed != 0; holder.mailed &= holder.mailed - 1) {
    const std::uint32_t slot = c.first_worker + static_cast<std::uint32_t>(__builtin_ctzll(holder.mailed));
    if (load_fenced(holder.site, c.workers[slot].parked) != 0) c.port->notify(c.port->self, slot);
  }
  if (!holder.over) return;
  holder.over = false;
  store_fenced(holder.site, c.finished, 1u);
  if (holder.site.slot != 0) wake_main(c, holder.site);
}

/// Report a finished op. Returns the next op of this slot, or none: it will come by mail.
NextOp report(detent_context &c, Worker &me, std::uint32_t op, std::int32_t code) {
  const std::uint32_t slot = me.site.slot;
  NextOp next;
  Holder holder{.c = c, .site = me.site, .next = &next};
  if (c.config.op_deadline_ps != 0) me.done_ps = c.port->now_ps(c.port->self);
  if (!has_scheduler_thread(c) && try_take_role(c, c.role, me.site)) {
    settle(holder, slot, op, code);
  } else {
    me.done_code = code;
    checkpoint(me.site, DETENT_CP_QUEUE, op);
    c.complete.put(me.site, slot);
    if (has_scheduler_thread(c)) {
      wake_main(c, me.site);
      return next;
    }
    if (!try_take_role(c, c.role, me.site)) return next;
  }
  drain(holder);
  if (c.may_streak) streak(holder, me);
  leave_role(holder);
  return next;
}

/// Slot 0: the role is held by somebody on the way out, or this is the watch of the deadlines.
void abandon(detent_context &c, Worker &me, std::uint32_t op) {
  take_role(c, me.site);
  Holder holder{.c = c, .site = me.site};
  abandon_own_op(holder, op);
  drain(holder);
  leave_role(holder);
}

bool something_to_schedule(const detent_context &c, const Site &site) {
  return !c.complete.empty(site) || (c.op_states != nullptr && !c.foreign.empty(site));
}

bool main_can_go_on(const detent_context &c, const Worker &me) {
  if (load_fenced(me.site, me.mail) != DETENT_NONE || load_fenced(me.site, c.finished) != 0) return true;
  return has_scheduler_thread(c) && something_to_schedule(c, me.site);
}

/// Look at the deadlines of what is in flight; the run may end here.
void watch(detent_context &c, Worker &me) {
  take_role(c, me.site);
  Holder holder{.c = c, .site = me.site};
  drain(holder);
  if (c.schedule.active) check_deadlines(holder);
  leave_role(holder);
}

/// Slot 0 waits for mail or the end. With a deadline it looks at the clock whenever it wakes.
void wait_main(detent_context &c, Worker &me) {
  const detent_port &port = *c.port;
  for (std::uint32_t spins = 0; spins < port.spin_limit; ++spins) {
    if (main_can_go_on(c, me)) return;
    port.pause(port.self);
  }
  std::uint64_t until_ps = next_watch_ps(c);
  store_fenced(me.site, me.parked, 1u);
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
  take_role(c, me.site);
  Holder holder{.c = c, .site = me.site};
  drain(holder);
  leave_role(holder);
}

void work_off(detent_context &c, Worker &me, NextOp next) {
  while (next.op != DETENT_NONE) {
    std::int32_t code = 0;
    if (execute(c, me, next.op, next.sequence, &code) == Executed::kAbandoned) {
      abandon(c, me, next.op);
      return;
    }
    next = report(c, me, next.op, code);
  }
}

void work_as_worker(detent_context &c, Worker &me) {
  const std::uint32_t op = load_acquire(me.site, me.mail);
  if (op == DETENT_NONE) return;
  store_relaxed(me.site, me.mail, DETENT_NONE);
  work_off(c, me, {op, me.mail_sequence});
}

/// Slot 0, after a run that gave up waiting: what is still out?
std::uint32_t count_left_in_flight(detent_context &c, Worker &me) {
  take_role(c, me.site);
  Holder holder{.c = c, .site = me.site};
  drain(holder);
  if (!has_scheduler_thread(c)) take_back_mail(holder);
  const std::uint32_t in_flight = c.schedule.in_flight + load_fenced(me.site, c.abandoned);
  leave_role(holder);
  return in_flight;
}

}  // namespace

void wake_main(detent_context &c, const Site &site) {
  if (load_fenced(site, c.workers[0].parked) != 0) c.port->notify(c.port->self, 0);
}

void work_closed_loop(detent_context &c, Worker &me, std::uint32_t op) { work_off(c, me, {op, me.mail_sequence}); }

void settle_answers(detent_context &c) {
  const Site site{c.port, &c, DETENT_NONE};
  if (has_scheduler_thread(c)) {
    wake_main(c, site);
    return;
  }
  if (!try_take_role(c, c.role, site)) return;
  const FloatEnvironment callers = set_float_environment();  // async ops may be executed in here
  Holder holder{.c = c, .site = site};
  drain(holder);
  leave_role(holder);
  restore_float_environment(callers);
}

void take_role(detent_context &c, const Site &site) {
  for (std::uint32_t spins = 0; spins < c.port->spin_limit; ++spins) {
    if (try_take_role(c, c.role, site)) return;
    c.port->pause(c.port->self);
  }
  while (exchange_fenced(site, c.role, 2u) != 0) c.port->wait(c.port->self, 0, UINT64_MAX);
  checkpoint(site, DETENT_CP_LOCK, c.desc->op_count);
}

void leave_role(Holder &holder) {
  detent_context &c = holder.c;
  release_role(holder);
  while (something_to_schedule(c, holder.site) && try_take_role(c, c.role, holder.site)) {
    drain(holder);
    release_role(holder);
  }
}

std::uint32_t closed_loop_in_flight(detent_context &c) {
  take_role(c, c.workers[0].site);
  Holder holder{.c = c, .site = c.workers[0].site};
  drain(holder);
  const std::uint32_t in_flight = c.schedule.in_flight;
  leave_role(holder);
  return in_flight;
}

Outcome run_closed_loop(detent_context &c) {
  Worker &me = c.workers[0];
  const bool works = !has_scheduler_thread(c);
  take_role(c, me.site);
  NextOp next;
  Holder holder{.c = c, .site = me.site, .next = &next};
  store_relaxed(me.site, c.finished, 0u);
  open_run(holder, works ? 0 : DETENT_NONE);
  drain(holder);
  if (c.may_streak) streak(holder, me);
  leave_role(holder);
  work_off(c, me, next);
  while (load_fenced(me.site, c.finished) == 0) {
    wait_main(c, me);
    if (works) {
      work_as_worker(c, me);
    } else if (load_fenced(me.site, c.finished) == 0) {
      schedule_as_thread(c, me);
    }
  }
  const detent_error error = c.schedule.error;
  return {error, c.schedule.completed, error.status == DETENT_TIMEOUT ? count_left_in_flight(c, me) : 0};
}

}  // namespace detent
