// The clock of the kernel benchmark.
#pragma once

#include <ctime>

namespace detent::bench {

/// CPU time of the calling thread, milliseconds: what other programs take of the core does not count.
inline double thread_cpu_ms() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

}  // namespace detent::bench
