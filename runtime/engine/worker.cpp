// Started slots: sleep until there is mail, do what the mode says, sleep again.
#include "runtime/engine/engine.h"
#include "runtime/float_environment.h"

namespace detent {

namespace {

bool mail_or_quit(const detent_context &c, const Worker &me) {
  return load_fenced(me.site, me.mail) != DETENT_NONE || load_fenced(me.site, c.quit) != 0;
}

/// What a slot's log says about its sleep. Both records are written after waking, because between runs the rings
/// belong to the caller; a sleep that began in an earlier run leaves only its end.
void log_sleep(const detent_context &c, const Worker &me, std::uint64_t slept_ps, std::uint32_t slept_run) {
  if (me.log == nullptr || !has_room_for_extras(c, *me.log)) return;
  const LogSource source{me.site.slot, load_relaxed(me.site, c.run)};
  if (slept_run == source.run) log_put(*me.log, source, slept_ps, {.event = DETENT_EVENT_PARK});
  log_event(c, me, {.event = DETENT_EVENT_UNPARK});
}

void park(detent_context &c, Worker &me) {
  const detent_port &port = *c.port;
  const std::uint64_t slept_ps = me.log != nullptr ? port.now_ps(port.self) : 0;
  const std::uint32_t slept_run = me.log != nullptr ? load_relaxed(me.site, c.run) : 0;
  store_fenced(me.site, me.parked, 1u);
  while (!mail_or_quit(c, me)) port.wait(port.self, me.site.slot, UINT64_MAX);
  store_relaxed(me.site, me.parked, 0u);
  if (load_relaxed(me.site, me.mail) != DETENT_NONE) log_sleep(c, me, slept_ps, slept_run);
}

}  // namespace

std::uint32_t wait_mail(detent_context &c, Worker &me) {
  const detent_port &port = *c.port;
  std::uint32_t spins = 0;
  while (spins < port.spin_limit && !mail_or_quit(c, me)) {
    port.pause(port.self);
    ++spins;
  }
  if (spins == port.spin_limit) park(c, me);
  const std::uint32_t mail = load_acquire(me.site, me.mail);
  if (mail != DETENT_NONE) store_relaxed(me.site, me.mail, DETENT_NONE);
  return mail;
}

void send_mail(detent_context &c, const Site &site, std::uint32_t slot, std::uint32_t mail, std::uint64_t sequence) {
  Worker &worker = c.workers[slot];
  worker.mail_sequence = sequence;
  store_fenced(site, worker.mail, mail);
  if (load_fenced(site, worker.parked) != 0) c.port->notify(c.port->self, slot);
}

void worker_main(void *arg) {
  Worker &me = *static_cast<Worker *>(arg);
  detent_context &c = *me.context;
  const FloatEnvironment callers = set_float_environment();
  for (std::uint32_t mail = wait_mail(c, me); mail != DETENT_NONE; mail = wait_mail(c, me)) {
    switch (c.mode) {
      case DETENT_MODE_CLOSED_LOOP:
        work_closed_loop(c, me, mail);
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
