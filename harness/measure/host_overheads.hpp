// What the runtime's own steps cost on this machine: micro-benchmarks over the real engine and the POSIX port.
#pragma once

#include <cstdint>
#include <vector>

namespace detent::harness {

struct RuntimeCosts {
  std::uint64_t dispatch_ps{}, queue_ps{}, lock_ps{}, lock_contended_ps{};
  std::uint64_t wake_ps{}, interrupt_ps{}, log_ps{};
};

/// What the chains of empty ops show, per op, and what the role's word costs on one CPU.
struct ChainTimes {
  std::uint64_t serial_ps{}, logged_ps{}, closed_ps{}, lock_ps{};
};

/// The costs that follow from them; the others stay zero. An op of the logged chain writes two records, one of the
/// closed loop is put into a queue and taken out of it.
RuntimeCosts costs_of_chains(const ChainTimes& times);

/// Least of `rounds` each; meaning of the members: harness/measure/host_costs.hpp.
RuntimeCosts measure_runtime(const std::vector<int>& cpus, std::uint32_t rounds);

/// Time per op of a chain of `op_count` empty ops, ps: the least of `rounds` runs.
/// @param serial  serial mode; else closed loop with one worker   @param log  with the ring log
std::uint64_t chain_op_ps(std::uint32_t op_count, bool serial, bool log, std::uint32_t rounds);

}  // namespace detent::harness
