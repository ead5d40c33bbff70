// ScheduleCoverage: which schedules were executed of those that matter, at op level and at thread level.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "verify/explore/coverage/cover_goals.hpp"
#include "verify/explore/ops/explore.hpp"

namespace detent::reports {

/// Orders of whole ops.
struct OpScheduleCoverage {
  std::string strategy;
  std::uint64_t executions = 0, seen = 0;  ///< schedules run; distinct traces among them
  verify::explore::TraceCount count{};
  std::optional<verify::explore::TraceEstimate> estimate{};  ///< where count is not exact
  verify::explore::PairCoverage pairs{};
  std::optional<double> unseen_mass{};  ///< 0: every trace was run; none: the schedules were chosen, not drawn
};

/// Steps of the engine's threads.
struct EngineScheduleCoverage {
  std::string search;  ///< "rotate"
  std::string mode;    ///< "closed-loop"
  std::uint32_t workers = 0;
  std::vector<verify::explore::EngineEvidence> programs{};
};

/// Parts that were not looked at are empty.
struct ScheduleCoverage {
  std::optional<OpScheduleCoverage> ops{};
  std::optional<EngineScheduleCoverage> engine{};
  std::vector<verify::explore::CoverGoal> cover_goals{};
  std::string note{};  ///< why a part is missing; empty: none is

  [[nodiscard]] bool empty() const { return !ops && !engine && cover_goals.empty() && note.empty(); }
};

}  // namespace detent::reports
