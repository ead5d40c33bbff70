// The port without threads on a POSIX host: time from its monotonic clock.
#include <detent/detent.h>

#include "runtime/ports/host_clock.h"

extern "C" detent_port detent_port_single(void) {
  return detent_port_single_clocked([](void *) { return uint64_t{detent::host_now_ps()}; }, nullptr);
}
