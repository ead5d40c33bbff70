/* One turn of a spin loop on this processor, and the host's monotonic clock, for the ports that run on a real one. */
#ifndef DETENT_RUNTIME_PORTS_PAUSE_H_
#define DETENT_RUNTIME_PORTS_PAUSE_H_

#include <time.h>

#include <cstdint>

namespace detent {

inline void cpu_pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
  __asm__ volatile("yield");
#endif
}

/// CLOCK_MONOTONIC in picoseconds. 2^64 ps are 213 days of uptime; past them the ring log clamps (F08).
inline std::uint64_t host_now_ps() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(now.tv_nsec)) * 1000u;
}

}  // namespace detent

#endif
