// The schedules that `check` runs: orders of ops with the model's kernels, thread schedules of the engine on its graph.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/answer/answer.hpp"
#include "app/check/result.hpp"
#include "app/model/loaded_model.hpp"
#include "app/model/schedule_options.hpp"
#include "app/replay/replay_line.hpp"
#include "reports/data/failure_story.hpp"
#include "reports/data/schedule_coverage.hpp"
#include "verify/explore/coverage/cover_goals.hpp"
#include "verify/explore/ops/exploration.hpp"
#include "verify/runs/read_check.hpp"

namespace detent::app {

/// What the exploration needs to know of the check that it is part of.
struct CoverageOptions {
  std::optional<std::uint64_t> schedules{};  ///< op level: executions at most; none: by the work of one run; 0: no
                                             ///< exploration at either level
  bool execute = true;                       ///< kernels may be executed
  std::uint32_t split = 1;
  bool winograd = false;  ///< as LoadedModel::winograd
  std::string set{};
  std::string schedule{};
  std::string device{};  ///< of replay lines: as ReplayLine::device
  std::string outcomes{};
  std::uint32_t workers = 0;  ///< of --workers; 0: chosen
};

struct CoverageResult {
  reports::ScheduleCoverage coverage;
  /// "op_schedules" when it is known, "engine_schedules" when it is violated, "cover_goals".
  std::vector<verify::Verdict> verdicts;
  std::vector<reports::FailureStory> failures;
  verify::ReadRuns reads;  ///< of the executed schedules of whole ops
};

/// The program whose thread schedules cover_schedules samples on the model's graph, as detent explore takes it: a
/// failure of the sample is repeated by its line. @param shape  of the sample
ReplayLine sampled_program(const Request& request, const ScheduleOptions& schedule, const CoverageOptions& options,
                           const verify::explore::EngineShape& shape);

/// The orders of whole ops that cover_schedules executes, executed by other kernels. @return  none: it executes none
std::optional<verify::explore::OpExploreReport> execute_orders(const Request& request, const CoverageOptions& options,
                                                               const LoadedModel& loaded,
                                                               const std::vector<detent_backend>& backends);

/// Explore `loaded`, whose static laws hold, and judge what `result` and the exploration have exercised. Bounded by
/// work, not by time: the same arguments give the same answer.
CoverageResult cover_schedules(const Request& request, const ScheduleOptions& schedule, const CoverageOptions& options,
                               const LoadedModel& loaded, const CheckResult& result);

}  // namespace detent::app
