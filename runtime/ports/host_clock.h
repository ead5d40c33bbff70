/* The monotonic clock of a POSIX host, for the ports that run on one and for host tools. Never part of firmware. */
#ifndef DETENT_RUNTIME_PORTS_HOST_CLOCK_H_
#define DETENT_RUNTIME_PORTS_HOST_CLOCK_H_

#include <time.h>

#include <cstdint>

namespace detent {

/// Times of this clock are whole nanoseconds.
constexpr std::uint64_t kHostTickPs = 1000;

/// CLOCK_MONOTONIC in picoseconds. 2^64 ps are 213 days of uptime; past them the ring log clamps (F08).
inline std::uint64_t host_now_ps() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(now.tv_nsec)) * 1000u;
}

}  // namespace detent

#endif
