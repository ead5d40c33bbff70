// MachineTrace: what the hardware did in one simulated run, beside what the engine logged. Plain data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <detent/limits.h>

#include "base/ids.hpp"

namespace detent::harness {

enum class ResourceKind : std::uint8_t { kCore, kAccelerator, kDma, kDram };

/// A part of the chip: "cpu0", "npu0", "npu0.dma", "dram".
struct Resource {
  std::string name;
  ResourceKind kind = ResourceKind::kCore;
};

enum class UseKind : std::uint8_t {
  kOp,        ///< executes an op
  kOverhead,  ///< the runtime's own steps
  kLoad,      ///< work of higher priority that is none of ours
  kTransfer   ///< DMA of an op
};

/// A resource was used for one thing. Uses of one resource do not overlap; a preempted op has several.
struct Use {
  std::uint32_t resource = 0;  ///< index into MachineTrace::resources
  UseKind kind = UseKind::kOp;
  OpId op = DETENT_NONE;             ///< of kOp and kTransfer
  std::uint32_t load = DETENT_NONE;  ///< of kLoad: index into MachineTrace::loads
  std::uint64_t begin_ps = 0;
  std::uint64_t end_ps = 0;
};

/// A quantity over time: "dram", "dram cpu0" (bytes per second), "ready ops", "npu0 queue" (entries).
struct Counter {
  std::string name;
  std::string unit;  ///< "B/s" or "entries"
};

/// The counter has this value from now on.
struct Sample {
  std::uint32_t counter = 0;
  std::uint64_t time_ps = 0;
  std::uint64_t value = 0;
};

/// Where the time of one core or NPU went; the five add up to the makespan.
struct Account {
  std::uint32_t resource = 0;
  std::uint64_t compute_ps = 0;   ///< executing, what it would take if memory were infinitely fast
  std::uint64_t memory_ps = 0;    ///< executing, waiting for memory, other clients' requests included
  std::uint64_t overhead_ps = 0;  ///< dispatch, queue, lock, wake-up, interrupt, log
  std::uint64_t load_ps = 0;      ///< taken away by loads of higher priority
  std::uint64_t idle_ps = 0;
  std::uint64_t dram_bytes = 0;     ///< moved for its ops
  std::uint64_t contention_ps = 0;  ///< part of memory_ps that others caused
};

/// Empty for native runs.
struct MachineTrace {
  std::vector<Resource> resources;
  std::vector<std::string> loads;
  std::vector<Use> uses;  ///< by (begin_ps, resource)
  std::vector<Counter> counters;
  std::vector<Sample> samples;  ///< by (time_ps, counter); each counter begins at time 0
  std::vector<Account> accounts;
};

}  // namespace detent::harness
