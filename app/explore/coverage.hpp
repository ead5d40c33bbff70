// What an exploration has covered, as both levels of `explore` and `check` say it.
#pragma once

#include <string>
#include <vector>

#include "app/answer/answer.hpp"
#include "reports/data/schedule_coverage.hpp"
#include "verify/explore/coverage/cover_goals.hpp"
#include "verify/explore/ops/explore.hpp"

namespace detent::app {

reports::OpScheduleCoverage coverage_of(const verify::explore::OpExploreReport& report, const std::string& strategy);

/// Cover goals of an op-level exploration: ops run one after the other, so none is under way with another.
std::vector<verify::explore::CoverGoal> op_cover_goals(const verify::explore::OpSpace& space,
                                                       const verify::explore::OpExploreReport& report);

/// `cover_goals`, and `findings`: one line for each that can happen and never did.
void add_cover_goals(const std::vector<verify::explore::CoverGoal>& cover_goals, Json& answer);
/// The findings, one line each.
Lines finding_lines(const std::vector<verify::explore::CoverGoal>& cover_goals);

}  // namespace detent::app
