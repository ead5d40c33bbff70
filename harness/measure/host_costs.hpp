// HostCosts: what this machine and the runtime on it cost, each number measured by a micro-benchmark of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace detent::harness {

/// Every time is the least of several rounds: what the machine can do, not what its other users leave.
struct HostCosts {
  std::uint32_t cpus = 1;             ///< that this process may run on
  std::uint64_t clock_hz{};           ///< chain of dependent additions, one per cycle
  double flops_per_cycle{};           ///< independent multiply-adds of the widest vectors, one thread
  std::uint64_t l1_bytes{};           ///< data cache; 0: the system does not say
  std::uint64_t l2_bytes{};           ///< private caches of one CPU and its share of the last level
  double cache_bytes_per_cycle{};     ///< copying within the second level, read plus written
  std::uint64_t core_bytes_per_s{};   ///< copying far beyond the caches, one thread, read plus written
  std::uint64_t dram_bytes_per_s{};   ///< the same, all CPUs together; never below one's
  double corun_rate = 1;              ///< speed of multiply-adds while the slowest pair of CPUs both compute, (0, 1]
  std::uint64_t dispatch_ps{};        ///< op of a serial chain of empty ops
  std::uint64_t queue_ps{};           ///< closed loop instead of serial, less the lock, per queue access
  std::uint64_t lock_ps{};            ///< take and release the role's word on one CPU
  std::uint64_t lock_contended_ps{};  ///< the same word from another CPU's cache; never below lock_ps
  std::uint64_t wake_ps{};            ///< two threads park and wake each other
  std::uint64_t interrupt_ps{};       ///< lock, unlock and notify from a thread that is none of the engine's, to a step
  std::uint64_t log_ps{};             ///< one record: a chain with the ring log less the same without
};

struct HostCostOptions {
  std::uint32_t rounds = 9;                                 ///< per benchmark, > 0
  std::uint64_t copy_bytes = std::uint64_t{64} << 20U;      ///< each buffer of the bandwidth benchmark
  std::function<void(const std::string& what)> progress{};  ///< before each benchmark; may be empty
};

/// Measure. Takes a second or two; best on an idle machine, or with real-time priority (chrt -f 10).
/// @throws std::invalid_argument  no rounds
HostCosts measure_host(const HostCostOptions& options);

/// Bytes of one CPU's caches by level (1 data, 2, 3), and how many CPUs share it; 0 bytes: none, or unknown.
struct CacheLevel {
  std::uint64_t bytes = 0;
  std::uint32_t sharers = 1;
};
CacheLevel host_cache(int level);

}  // namespace detent::harness
