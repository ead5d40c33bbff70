// What a check found.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/coverage/pages.hpp"
#include "app/static/repair.hpp"
#include "harness/run.hpp"
#include "reports/data/bound_budget.hpp"
#include "reports/data/code_coverage.hpp"
#include "reports/data/deadline.hpp"
#include "reports/data/exact_case.hpp"
#include "reports/data/failure_story.hpp"
#include "reports/data/report_data.hpp"
#include "reports/data/schedule_coverage.hpp"
#include "reports/data/time_grounds.hpp"
#include "sim/simulate.hpp"
#include "verify/runs/determinism.hpp"
#include "verify/timing/bounds.hpp"
#include "verify/timing/response.hpp"
#include "verify/verdict/verdict.hpp"

namespace detent::app {

/// Everything that one check produced. Parts that could not be done are empty.
struct CheckResult {
  std::vector<verify::Verdict> verdicts;
  std::optional<harness::Run> native;
  std::uint32_t native_workers = 0;
  std::optional<verify::DeterminismReport> determinism;
  std::optional<sim::SimResult> simulated;
  std::vector<verify::Bound> bounds;            ///< known ones
  std::vector<verify::Bound> refused_bounds;    ///< whose assumptions do not hold here; they say which
  std::vector<verify::Response> responses;      ///< by op
  bool is_work_conserving = true;               ///< the schedules that were looked at
  std::vector<reports::ClassUse> uses{};        ///< of runs once per period; empty: none is demanded
  std::string guarded_bounds{};                 ///< of which outcomes bounds and responses are; empty: no op has guards
  std::optional<reports::Deadline> deadline{};  ///< none is demanded
  std::optional<reports::BoundBudget> budget{};  ///< of the lowest upper bound
  reports::Sensitivity sensitivity{};            ///< which op times move it
  std::optional<reports::ExactCase> exact{};     ///< of what is simulated, or why there is none
  reports::TimeGrounds op_times;                 ///< what simulation and bounds take the ops' times from
  reports::ScheduleCoverage schedules;
  std::optional<reports::CodeCoverage> code{};  ///< none: CheckOptions::coverage was not given
  std::vector<CoveragePage> code_pages{};       ///< to be written beside the report
  std::vector<reports::FailureStory> failures;
  std::vector<reports::LostValue> lost_values;  ///< the first violations of value_flow
  Remedy remedy;                                ///< of races and value violations
};

}  // namespace detent::app
