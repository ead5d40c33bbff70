// Machine JSON: accounts and DRAM traffic of a run, as report.json and `simulate --json` have them.
#pragma once

#include <cstdint>

#include "harness/machine_trace.hpp"
#include "reports/text/text.hpp"

namespace detent::reports {

/// Adds `accounts` [{core, compute_ps, memory_ps, contention_ps, overhead_ps, load_ps, idle_ps, dram_bytes}] and `dram`
/// {bytes, peak_bytes_per_s, mean_bytes_per_s}. Without a machine: an empty list and zeros.
void add_machine_json(const harness::MachineTrace& machine, std::uint64_t makespan_ps, Json& out);

}  // namespace detent::reports
