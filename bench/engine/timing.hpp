// What the engine's benchmarks measure with.
#pragma once

#include <ctime>

namespace detent::bench {

inline double read_clock_ns(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

inline double now_ns() { return read_clock_ns(CLOCK_MONOTONIC); }

}  // namespace detent::bench
