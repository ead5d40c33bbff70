// Executions of a plan in which devices fail: what is executed where, in which order, and what comes out.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/partition/plan.hpp"

namespace detent::models::partition {

/// A run that does not end in reasonable time: loops in loops, each within its bound.
class TooMuchWork : public std::runtime_error {
  using std::runtime_error::runtime_error;
};
inline constexpr std::uint64_t kMaxTouchedOperands = 20'000'000;

struct PlanResult {
  ResultCode code = ResultCode::kNoError;
  std::vector<double> outputs{};     ///< by output of the main model; empty after an error
  std::vector<std::string> trace{};  ///< attempts: "device#step", "fallback#step", "full"
};

/// Execute a run. A failing step leaves nothing that anybody reads. A step that fails on a device is tried on the CPU,
/// then the whole model is; one that fails on the CPU goes to the whole model at once, and so does every failure of a
/// fenced run. Nothing of that without fallback, or where the whole plan is one step on the CPU. A loop of the plan
/// itself that reaches the bound ends the run; one inside a step is a failure of that step.
/// @throws TooMuchWork
PlanResult run_plan(const PlanCase& plan_case, const Plan& plan, const PlanRun& run);

}  // namespace detent::models::partition
