#include "app/replay/oriented_run.hpp"

#include "verify/runs/trace_rules.hpp"

namespace detent::app {

std::optional<sim::SimResult> simulate_oriented(const detent_desc& desc, const sim::Platform& platform,
                                                sim::SimOptions options,
                                                const std::vector<verify::explore::Constraint>& decisions,
                                                std::string& why) {
  const verify::explore::OrientedDesc oriented(desc, decisions);
  options.runs = 1;
  options.engine.policy = "id";
  options.with_traces = true;
  sim::SimResult result = sim::simulate(oriented.desc(), platform, options);
  if (result.failure) {
    why = *result.failure;
    return std::nullopt;
  }
  const verify::Verdict obeys =
      verify::check_trace(oriented.desc(), result.worst.trace, DETENT_MAX_WORKERS + 1, result.worst.makespan_ps);
  if (obeys.outcome == verify::Outcome::kHolds) return result;
  why = obeys.witnesses.empty() ? obeys.summary : obeys.witnesses.front().text;
  return std::nullopt;
}

}  // namespace detent::app
