// Machine view: a run -> what each part of the chip did, in order and without overlaps, as every trace file needs it.
#pragma once

#include <cstdint>

#include "base/ids.hpp"
#include "reports/data/report_data.hpp"

namespace detent::reports {

/// The run's machine trace, fit for printing: resources, loads and counters that exist, uses by (begin, end, resource),
/// none of one resource before the previous one has ended, nothing after the makespan; samples by (time, counter).
///
/// The counter "ready ops" is read from the engine's log where there is none and the log tells of it.
/// A run without a machine trace (native) gets one from its spans: each lane is a core, each op one use; transfer
/// delays use none.
harness::MachineTrace machine_of(const detent_desc* desc, const TimelineRun& run);

/// Is this op a transfer delay or release time, which no core executes?
bool is_delay(const detent_desc* desc, OpId op);

/// The counter of this name, nullptr when there is none.
const harness::Counter* find_counter(const harness::MachineTrace& machine, const std::string& name);

/// Was the traffic of the DRAM counted? Not where the platform lets each op have all of it (contention = "none"): the
/// accounts then say 0 bytes and mean nothing.
bool counts_dram(const harness::MachineTrace& machine);

/// DRAM traffic of a run.
struct DramTotals {
  std::uint64_t bytes = 0;             ///< moved for all ops
  std::uint64_t peak_bytes_per_s = 0;  ///< highest sample of the counter "dram"
  std::uint64_t mean_bytes_per_s = 0;  ///< bytes / makespan, rounded down
};
DramTotals dram_totals(const harness::MachineTrace& machine, std::uint64_t makespan_ps);

}  // namespace detent::reports
