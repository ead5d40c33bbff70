// report.json: ReportData -> schema detent.check/1.
#include "reports/data/report_data.hpp"
#include "reports/json/budget_json.hpp"
#include "reports/json/code_json.hpp"
#include "reports/json/deadline_json.hpp"
#include "reports/json/exact_json.hpp"
#include "reports/json/machine_json.hpp"
#include "reports/json/op_times_json.hpp"
#include "reports/json/schedule_json.hpp"
#include "reports/json/simulated_json.hpp"
#include "reports/json/verdict_entry.hpp"
#include "reports/text/failure_print.hpp"
#include "reports/text/report_text.hpp"
#include "reports/text/text.hpp"
#include "reports/view/desc_view.hpp"

namespace detent::reports {
namespace {

constexpr std::size_t kMaxConflicts = 64;
constexpr std::uint32_t kMaxListedOps = 10'000;

Json conflicts_json(const detent_desc* desc, const std::vector<std::uint32_t>& ops) {
  Json out = Json::array();
  if (ops.size() != 2) return out;
  for (const Conflict& c : conflicts_of(desc, ops[0], ops[1], kMaxConflicts)) {
    out.push_back({{"kind", c.kind},
                   {"tensor_a", tensor_name(desc, c.tensor_a)},
                   {"tensor_b", tensor_name(desc, c.tensor_b)},
                   {"region", region_name(desc, c.region)},
                   {"offset", c.offset_bytes},
                   {"size", c.size_bytes}});
  }
  return out;
}

Json witness_json(const detent_desc* desc, const verify::Witness& witness) {
  Json names = Json::array();
  for (const OpId op : witness.ops) names.push_back(op_name(desc, op));
  return {{"text", witness.text},
          {"ops", witness.ops},
          {"op_names", names},
          {"conflicts", conflicts_json(desc, witness.ops)},
          {"schedule", witness.schedule}};
}

/// `witness` is the first one, for readers that want one; `witnesses` are all of them.
Json verdict_json(const detent_desc* desc, const verify::Verdict& verdict) {
  Json witnesses = Json::array();
  for (const verify::Witness& witness : verdict.witnesses) witnesses.push_back(witness_json(desc, witness));
  return verdict_entry(verdict, std::move(witnesses));
}

Json simulated_json(const ReportData& data) {
  Json makespan = nullptr;
  if (data.sim_runs > 0) {
    makespan = {{"min", data.min_ps},
                {"median", data.median_ps},
                {"p99", data.p99_ps},
                {"max", data.max_ps},
                {"worst_seed", data.worst_seed}};
  }
  Json out = {{"runs", data.sim_runs}, {"executed_runs", data.sim_executed_runs}, {"makespan_ps", makespan}};
  if (!data.percentiles.empty()) out["percentiles"] = percentiles_json(data.percentiles);
  if (data.search) out["search"] = search_json(*data.search);
  return out;
}

/// One key per bound that applies; a bound that does not apply to the model has no key.
Json bounds_json(const ReportData& data) {
  Json out = Json::object();
  for (const verify::Bound& bound : data.bounds) out[bound.name + "_ps"] = bound.bound_ps;
  return out;
}

Json methods_json(const ReportData& data) {
  Json out = Json::array();
  for (const verify::Bound& bound : data.bounds) {
    out.push_back({{"name", bound.name},
                   {"bound_ps", bound.bound_ps},
                   {"exact", bound.exact},
                   {"is_upper", bound.is_upper},
                   {"assumptions", bound.assumptions}});
  }
  return out;
}

/// The headline: what the screen and the page say first.
Json answers_json(const ReportData& data) {
  Json out = Json::array();
  for (const Answer& answer : answers_of(data)) {
    out.push_back({{"question", answer.question},
                   {"answer", answer.answer},
                   {"outcome", verify::outcome_name(answer.outcome)},
                   {"detail", answer.detail}});
  }
  return out;
}

/// What each op is, so that two reports can be compared; null for more ops than are listed.
Json op_list_json(const ReportData& data) {
  const std::uint32_t count = op_count(data.desc);
  if (count > kMaxListedOps) return nullptr;
  Json out = Json::array();
  for (OpId op = 0; op < count; ++op) {
    const bool is_known = op < data.op_times.worst_ps.size() && op < data.op_times.sources.size();
    out.push_back({{"op", op},
                   {"name", op_name(data.desc, op)},
                   {"kernel", kernel_name(data.desc, op)},
                   {"class", class_name(data.desc, op)},
                   {"worst_ps", is_known ? Json(data.op_times.worst_ps[op]) : Json(nullptr)},
                   {"source", is_known ? data.op_times.sources[op] : ""}});
  }
  return out;
}

/// With why runs are below a lower bound, which needs more than the times.
Json op_times_json(const ReportData& data) {
  Json out = op_times_json(data.op_times);
  if (const std::string below = below_lower_bound(data); !out.is_null() && !below.empty()) {
    out["below_lower_bound"] = below;
  }
  return out;
}

/// -1 where there is no op.
Json lost_value_json(const detent_desc* desc, const LostValue& lost) {
  const auto op_json = [](std::uint32_t op) { return op == DETENT_NONE ? Json(-1) : Json(op); };
  Json json = {{"value", lost.value},
               {"reader", op_json(lost.reader)},
               {"writer", op_json(lost.writer)},
               {"in_the_way", op_json(lost.in_the_way)}};
  if (lost.region != DETENT_NONE) {
    json["region"] = region_name(desc, lost.region);
    json["offset"] = lost.offset_bytes;
    json["size"] = lost.size_bytes;
  }
  json["always"] = lost.always;
  json["text"] = lost.text;
  return json;
}

}  // namespace

std::string report_json(const ReportData& data) {
  Json out = {{"schema", "detent.check/1"},
              {"detent_version", data.version},
              {"model", data.model},
              {"seed", data.seed},
              {"platform", data.platform}};
  Json verdicts = Json::array();
  for (const verify::Verdict& verdict : data.verdicts) verdicts.push_back(verdict_json(data.desc, verdict));
  Json utilisation = Json::object();
  for (const auto& [core, share] : data.utilisation) utilisation[core] = share;
  Json assumptions = Json::array();
  for (const Assumption& item : data.assumptions) assumptions.push_back({{"key", item.key}, {"text", item.text}});
  if (!data.outcomes.empty())
    out["outcomes"] = {{"runs", data.outcomes}, {"bounds", data.guarded_bounds}, {"text", outcomes_in_words(data)}};
  out["ops"] = real_op_count(data.desc);
  out["arena_bytes"] = data.arena_bytes;
  out["answers"] = answers_json(data);
  out["verdicts"] = verdicts;
  out["native"] = {
      {"workers", data.native_workers}, {"digest", data.native_digest}, {"serial_digest", data.serial_digest}};
  out["simulated"] = simulated_json(data);
  out["bounds"] = bounds_json(data);
  out["methods"] = methods_json(data);
  out["op_times"] = op_times_json(data);
  if (data.exact) out["exact"] = exact_json(*data.exact);
  out["budget"] = budget_json(data.budget);
  add_sensitivity(data.sensitivity, out);
  if (data.deadline) out["deadline"] = deadline_json(*data.deadline);
  out["utilisation"] = utilisation;
  const bool is_simulated = data.sim_runs > 0 && !data.timelines.empty();
  add_machine_json(is_simulated ? data.timelines.front().machine : harness::MachineTrace{}, data.max_ps, out);
  if (!data.failures.empty()) {
    out["failures"] = Json::array();
    for (const FailureStory& failure : data.failures) out["failures"].push_back(story_json(failure));
  }
  if (!data.lost_values.empty()) {
    out["lost_values"] = Json::array();
    for (const LostValue& lost : data.lost_values) out["lost_values"].push_back(lost_value_json(data.desc, lost));
  }
  out["schedules"] = schedules_json(data.schedules);
  if (data.code) out["code_coverage"] = code_json(*data.code);
  out["op_list"] = op_list_json(data);
  out["assumptions"] = assumptions;
  if (!data.replay.empty()) out["replay"] = data.replay;
  if (!data.reproducible) out["host"] = {{"native_ps", data.native_ps}};
  return file_json(out);
}

}  // namespace detent::reports
