// VCD: a machine trace -> value change dump by SystemC's own tracing, for GTKWave and other wave viewers.
#pragma once

#include <cstdint>
#include <string>

#include "harness/machine_trace.hpp"

namespace detent::sim {

struct VcdOptions {
  std::uint64_t end_ps = 0;              ///< of the run; uses and samples beyond it are cut
  std::string comment;                   ///< said in the header: model, platform, seed
  std::uint64_t max_events = 2'000'000;  ///< value changes at most; the rest is cut, which a comment says
};

/// Signals, below the scope SystemC that SystemC's tracing adds:
///
///   run             1 from 0 to the end, when it falls
///   <part>.state    of each core, NPU and DMA channel: 0 idle, 1 op, 2 overhead, 3 load, 4 transfer
///   <part>.op       number of its op; z while there is none
///   <part>.load     of parts that loads use: number of the load; z while there is none
///   <counter>       values of the counter: "dram", "dram cpu0" as dram_cpu0, "ready ops" as ready_ops
///
/// Names keep letters, digits and '_'; anything else becomes '_', and a number is added to a name that was taken. Times
/// are picoseconds from the run's begin, nanoseconds (rounded down) in runs of more than 2^63 ps. Equal inputs give
/// equal bytes: no date, and nothing of the time at which the replay ran. Not while a SimKernel runs.
/// @throws std::runtime_error  the temporary file could not be written
std::string vcd_trace(const harness::MachineTrace& machine, const VcdOptions& options);

}  // namespace detent::sim
