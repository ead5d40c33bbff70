// Port without threads: everything happens on the thread that calls detent_run. Needs no operating system.
#include <detent/detent.h>

#include "runtime/bind/bind.h"
#include "runtime/ports/pause.h"

namespace {

void lock(void *) {}
void unlock(void *) {}
/// Nobody else can notify, so there is nothing to sleep for: every return is an early one, which the contract allows.
void wait(void *, uint32_t, uint64_t) {}
void notify(void *, uint32_t) {}
detent_status start(void *, uint32_t, void (*)(void *), void *) { return DETENT_WORKER_FAILED; }
void join(void *, uint32_t) {}
void pause(void *) { detent::cpu_pause(); }

}  // namespace

extern "C" detent_port detent_port_single_clocked(uint64_t (*now_ps)(void *self), void *self) {
  detent_port port{};
  port.self = self;
  port.checkpoint_mask = 0;
  port.spin_limit = 0;
  port.max_slots = 1;
  port.default_workers = 1;
  port.now_ps = now_ps != nullptr ? now_ps : detent::no_clock;
  port.lock = lock;
  port.unlock = unlock;
  port.wait = wait;
  port.notify = notify;
  port.start = start;
  port.join = join;
  port.pause = pause;
  port.checkpoint = nullptr;
  port.claim = nullptr;  // the one slot keeps nothing: contexts do not meet here
  port.release = nullptr;
  return port;
}
