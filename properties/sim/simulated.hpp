// GraphCase -> a simulation of it, for the laws of sim/.
#pragma once

#include <string>

#include "properties/law.hpp"
#include "sim/simulate.hpp"

namespace detent::laws {

/// Five runs of the case: its engine, jitter and seed.
sim::SimOptions options_of(const GraphCase& g);

/// As many CPU cores as the case has workers and one NPU; nothing costs anything but ops.
sim::Platform bare_platform(const GraphCase& g);

/// Simulate; a failure of the simulation is one of the law.
sim::SimResult simulated(const models::LoweredModel& model, const sim::Platform& platform,
                         const sim::SimOptions& options);
sim::SimResult simulated_bare(const GraphCase& g, const models::LoweredModel& model);
sim::SimResult simulated_on_chip(const GraphCase& g, const models::LoweredModel& model);
/// In the order of the case's schedule on one core, as simulated_order_line says.
sim::SimResult simulated_in_order(const GraphCase& g, const models::LoweredModel& model);

/// Every number of a result, traces included.
std::string text_of(const sim::SimResult& result);

/// Spans by op. Each op of the Desc has exactly one.
std::vector<harness::Span> spans_by_op(const detent_desc& desc, const harness::Trace& trace);

/// Digest of the serial native run.
std::uint64_t serial_digest(const detent_desc& desc);

}  // namespace detent::laws
