// ScheduleCoverage -> JSON, for report.json and for `detent explore`.
#pragma once

#include "reports/data/schedule_coverage.hpp"
#include "reports/text/text.hpp"

namespace detent::reports {

/// A number of traces: a number up to 64 bits, beyond them a string of digits, which JSON numbers cannot hold.
Json trace_count_json(verify::explore::Count128 count);
/// {total, exact, more_than?, estimate?, standard_error?, samples?, seen}
Json traces_json(const OpScheduleCoverage& ops);
/// {conflicting_both, conflicting_total, unordered_both, unordered_total}; unordered_both null: not counted
Json pair_coverage_json(const verify::explore::PairCoverage& pairs);
/// {name: count}
Json sync_json(std::span<const verify::explore::EngineEvidence> programs);
/// [{name, about, text, applicable, count, evidence}]
Json cover_goals_json(const std::vector<verify::explore::CoverGoal>& cover_goals);
/// `schedules` of report.json; null when nothing was looked at.
Json schedules_json(const ScheduleCoverage& coverage);

/// Executions per distinct trace; null for none.
Json redundancy_json(std::uint64_t executions, std::uint64_t distinct);

}  // namespace detent::reports
