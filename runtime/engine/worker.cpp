// Started slots: sleep until there is work, do what the mode says, sleep again.
#include "runtime/base/float_environment.h"
#include "runtime/engine/engine.h"

namespace detent {

namespace {

bool inbox_or_quit(const detent_context &c, const Worker &me) {
  return load_seq_cst(me.site, me.inbox) != DETENT_NONE || load_seq_cst(me.site, c.quit) != 0;
}

/// What a slot's log says about its sleep. Both records are written after waking, because between runs the rings
/// belong to the caller; a sleep that began in an earlier run leaves only its end.
void log_sleep(const detent_context &c, const Worker &me, std::uint64_t slept_ps, std::uint32_t slept_run) {
  if (me.log == nullptr || !has_room_for_extras(c, *me.log)) return;
  const LogSource source{me.site.slot, load_relaxed(me.site, c.run)};
  if (slept_run == source.run) log_put(*me.log, source, slept_ps, {.event = DETENT_EVENT_PARK});
  log_event(c, me, {.event = DETENT_EVENT_UNPARK});
}

/// False: nothing came.
bool spin_for_inbox(const detent_context &c, const Worker &me) {
  const std::uint32_t spin_limit = c.loop.spin_limit;  // its line is slot 0's to write between runs
  for (std::uint32_t spins = 0; spins < spin_limit; ++spins) {
    if (inbox_or_quit(c, me)) return true;
    c.port->pause(c.port->self);
  }
  return false;
}

/// Until there is something in the inbox; with active waiting also until somebody wakes it.
void park(detent_context &c, Worker &me) {
  const detent_port &port = *c.port;
  const std::uint64_t slept_ps = me.log != nullptr ? port.now_ps(port.self) : 0;
  const std::uint32_t slept_run = me.log != nullptr ? load_relaxed(me.site, c.run) : 0;
  store_seq_cst(me.site, me.parked, 1u);
  while (!inbox_or_quit(c, me)) {
    port.wait(port.self, me.site.slot, UINT64_MAX);
    if (c.loop.is_active) break;  // woken for the run (wake_for_run): the op is still to come
  }
  store_relaxed(me.site, me.parked, 0u);
  if (load_relaxed(me.site, me.inbox) != DETENT_NONE) log_sleep(c, me, slept_ps, slept_run);
}

/// What stands in the inbox may be taken back (take_back_op) until it has been taken out.
OpId wait_actively(detent_context &c, Worker &me) {
  while (true) {
    if (!spin_for_inbox(c, me)) park(c, me);
    const OpId op = exchange_seq_cst(me.site, me.inbox, DETENT_NONE);
    if (op != DETENT_NONE || load_seq_cst(me.site, c.quit) != 0) return op;
  }
}

}  // namespace

OpId wait_for_inbox(detent_context &c, Worker &me) {
  if (c.loop.is_active) return wait_actively(c, me);
  if (!spin_for_inbox(c, me)) park(c, me);
  const std::uint32_t inbox = load_acquire(me.site, me.inbox);
  if (inbox != DETENT_NONE) store_relaxed(me.site, me.inbox, DETENT_NONE);
  return inbox;
}

void fill_inbox(detent_context &c, const AccessSite &site, SlotId slot, std::uint32_t inbox, std::uint64_t sequence) {
  Worker &worker = c.workers[slot];
  worker.inbox_sequence = sequence;
  store_seq_cst(site, worker.inbox, inbox);
  if (load_seq_cst(site, worker.parked) != 0) c.port->notify(c.port->self, slot);
}

void worker_main(void *arg) {
  Worker &me = *static_cast<Worker *>(arg);
  detent_context &c = *me.context;
  const FloatEnvironment callers = set_float_environment();
  for (std::uint32_t inbox = wait_for_inbox(c, me); inbox != DETENT_NONE; inbox = wait_for_inbox(c, me)) {
    switch (c.mode) {
      case DETENT_MODE_CLOSED_LOOP:
        work_closed_loop(c, me, inbox);
        break;
      case DETENT_MODE_LAYERED:
        work_layer(c, me);
        break;
      case DETENT_MODE_STATIC:
        work_list(c, me);
        break;
      case DETENT_MODE_SERIAL:
        break;
    }
  }
  restore_float_environment(callers);
}

}  // namespace detent
