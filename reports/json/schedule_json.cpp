// Coverage of schedules as JSON.
#include "reports/json/schedule_json.hpp"

#include <cmath>

namespace detent::reports {
namespace {

namespace explore = verify::explore;

Json program_json(const explore::EngineEvidence& program) {
  const explore::ThreadStatistics& statistics = program.statistics;
  return {{"program", program.program},
          {"complete", program.complete},
          {"executions", statistics.executions},
          {"distinct", statistics.distinct},
          {"steps", statistics.steps},
          {"unseen_mass", program.complete ? 0.0 : statistics.unseen_mass()},
          {"redundancy", redundancy_json(statistics.executions, statistics.distinct)}};
}

Json engine_json(const EngineScheduleCoverage& engine) {
  Json programs = Json::array();
  for (const explore::EngineEvidence& program : engine.programs) programs.push_back(program_json(program));
  return {{"search", engine.search}, {"mode", engine.mode}, {"workers", engine.workers}, {"programs", programs}};
}

}  // namespace

Json trace_count_json(explore::Count128 count) {
  if (count <= UINT64_MAX) return static_cast<std::uint64_t>(count);
  return explore::format_count(count);
}

Json redundancy_json(std::uint64_t executions, std::uint64_t distinct) {
  if (distinct == 0) return nullptr;
  return static_cast<double>(executions) / static_cast<double>(distinct);
}

Json traces_json(const OpScheduleCoverage& ops) {
  Json traces = {{"total", trace_count_json(ops.count.total)}, {"exact", ops.count.exact}};
  if (!ops.count.exact) traces["more_than"] = true;
  if (ops.estimate) {
    const bool finite = std::isfinite(ops.estimate->total);
    traces["estimate"] = finite ? Json(ops.estimate->total) : Json("more than 1e308");
    traces["standard_error"] = finite ? Json(ops.estimate->standard_error) : Json(nullptr);
    traces["samples"] = ops.estimate->samples;
  }
  traces["seen"] = ops.seen;
  return traces;
}

Json pair_coverage_json(const explore::PairCoverage& pairs) {
  return {{"conflicting_both", pairs.conflicting_both},
          {"conflicting_total", pairs.conflicting_total},
          {"unordered_both", pairs.unordered_known ? Json(pairs.unordered_both) : Json(nullptr)},
          {"unordered_total", pairs.unordered_total}};
}

Json sync_json(std::span<const explore::EngineEvidence> programs) {
  Json sync = Json::object();
  for (const explore::SyncCount& count : explore::sync_counts(programs)) sync[count.name] = count.count;
  return sync;
}

Json cover_goals_json(const std::vector<explore::CoverGoal>& cover_goals) {
  Json list = Json::array();
  for (const explore::CoverGoal& goal : cover_goals) {
    list.push_back({{"name", goal.name},
                    {"about", goal.about},
                    {"text", goal.text},
                    {"applicable", goal.applicable},
                    {"count", goal.count},
                    {"evidence", goal.evidence}});
  }
  return list;
}

Json schedules_json(const ScheduleCoverage& coverage) {
  if (coverage.empty()) return nullptr;
  Json out = Json::object();
  if (coverage.ops) {
    const OpScheduleCoverage& ops = *coverage.ops;
    out["strategy"] = ops.strategy;
    out["executions"] = ops.executions;
    out["traces"] = traces_json(ops);
    out["pair_coverage"] = pair_coverage_json(ops.pairs);
    out["unseen_mass"] = ops.unseen_mass ? Json(*ops.unseen_mass) : Json(nullptr);
    out["redundancy"] = redundancy_json(ops.executions, ops.seen);
  } else {
    out["traces"] = nullptr;
    out["pair_coverage"] = nullptr;
  }
  out["engine"] = coverage.engine ? engine_json(*coverage.engine) : Json(nullptr);
  if (coverage.engine) out["sync"] = sync_json(coverage.engine->programs);
  out["cover_goals"] = cover_goals_json(coverage.cover_goals);
  out["note"] = coverage.note;
  return out;
}

}  // namespace detent::reports
