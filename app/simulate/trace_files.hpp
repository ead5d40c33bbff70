// Trace files: what other tools open, of a check's or a simulation's runs.
#pragma once

#include <string>

#include "app/answer/answer.hpp"
#include "reports/data/report_data.hpp"
#include "sim/simulate.hpp"

namespace detent::app {

/// Make an --out directory, with its parents. @throws std::invalid_argument
void make_output_directory(const std::string& directory);

/// Worst and typical run of a simulation as timelines, each with its machine trace and what repeats it. Nothing where
/// the simulation failed.
void add_simulated_timelines(const sim::SimResult& result, reports::ReportData& data);

/// Write trace.pftrace (all timelines), trace.btf and trace.vcd (the first) into `directory`, which exists: each file
/// holds either what it held before or all of its new content. Times are simulated, or the host's in a report without
/// simulated runs. @throws std::invalid_argument  a file cannot be written
void write_trace_files(const std::string& directory, const reports::ReportData& data);

/// `simulate --out DIR`: the trace files of its worst and typical run; nothing when `directory` is empty.
void write_simulation_traces(const std::string& directory, const Request& request, const detent_desc& desc,
                             const sim::Platform& platform, const sim::SimResult& result);

/// `accounts` and `dram` of the worst run.
void add_machine_account(const sim::SimResult& result, Json& answer);

}  // namespace detent::app
