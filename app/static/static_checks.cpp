#include "app/static/static_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "app/model/loaded_model.hpp"
#include "app/model/order_file.hpp"
#include "harness/instance.hpp"
#include "verify/static/memory_plan.hpp"
#include "verify/static/structure.hpp"

namespace detent::app {
namespace {

verify::Verdict not_checked(verify::Property property) {
  return {.property = property,
          .outcome = verify::Outcome::kUnknown,
          .summary = "not checked: the structure or the memory plan is violated",
          .witnesses = {}};
}

/// Of bare ranges. The tables may be broken: what lies outside them is not named.
bool names_every_read(const detent_desc& desc, const ValueTables* values) {
  if (values == nullptr || !values->names_values()) return false;
  for (std::uint32_t op = 0; op < desc.op_count; ++op) {
    const detent_slice& inputs = desc.ops[op].inputs;
    if (inputs.first > desc.tensor_ref_count || inputs.count > desc.tensor_ref_count - inputs.first) return false;
    for (std::uint32_t k = 0; k < inputs.count; ++k) {
      const std::uint32_t tensor = desc.tensor_refs[inputs.first + k];
      if (tensor >= values->tensor_values.size() || values->tensor_values[tensor].empty()) return false;
    }
  }
  return true;
}

void add_value_flow(const detent_desc& desc, const ValueTables* values, StaticAnswer& answer) {
  try {
    verify::ValueFlowOptions options;
    options.are_conflicts_ordered = answer.races && answer.races->are_all_ordered;
    answer.flow = verify::find_value_violations(desc, values, options);
    answer.verdicts.push_back(verify::judge_value_flow(desc, *answer.flow));
  } catch (const std::invalid_argument& refusal) {
    verify::Verdict verdict = not_checked(verify::Property::kValueFlow);
    verdict.summary = std::string("not checked: ") + refusal.what();
    answer.verdicts.push_back(std::move(verdict));
  }
}

/// A number of an op in JSON; -1: none.
Json op_or_none(std::uint32_t op) { return op == DETENT_NONE ? Json(-1) : Json(op); }

/// What it proves of declared bytes is known of real ones only if ops touch no others.
bool rests_on_bytes(verify::Property property) {
  using verify::Property;
  constexpr std::array kResting = {Property::kBufferRaces,  Property::kBufferRacesSmt, Property::kValueFlow,
                                   Property::kValueFlowSmt, Property::kDeterminism,    Property::kOpSchedules};
  return std::ranges::find(kResting, property) != kResting.end();
}

/// A plan that only some schedules break is executed, so that its races can be shown.
bool is_bound_by_runtime(const detent_desc& desc) { return harness::check_desc(desc).status == DETENT_OK; }

/// The runtime refuses ops that read what a failed op has left.
bool reads_failures(const StaticAnswer& answer) {
  return answer.flow && std::ranges::any_of(answer.flow->listed, [](const verify::ValueViolation& violation) {
           return violation.fault == verify::FlowFault::kFailed;
         });
}

}  // namespace

void require_structure(const std::string& model, const detent_desc& desc) {
  const verify::Verdict structure = verify::check_structure(desc);
  if (structure.outcome != verify::Outcome::kViolated) return;
  throw std::invalid_argument(model + ": " + structure.witnesses.front().text);
}

StaticAnswer check_static_laws(const detent_desc& desc, const ValueTables* values, const OnStep& on_step) {
  StaticAnswer answer;
  begin_step(on_step, "checks the memory plan");
  answer.verdicts.push_back(verify::check_structure(desc));
  answer.verdicts.push_back(verify::check_memory_plan(desc, names_every_read(desc, values)));
  const bool is_sound = std::ranges::all_of(
      answer.verdicts, [](const verify::Verdict& v) { return v.outcome == verify::Outcome::kHolds; });
  answer.is_executable =
      is_sound || (answer.verdicts.front().outcome == verify::Outcome::kHolds && is_bound_by_runtime(desc));
  if (!answer.is_executable) {
    answer.verdicts.push_back(not_checked(verify::Property::kBufferRaces));
    answer.verdicts.push_back(not_checked(verify::Property::kValueFlow));
    return answer;
  }
  begin_step(on_step, "looks for races");
  verify::RaceOptions options;
  options.values = values;
  options.max_counted_ops = verify::kMaxCountedOps;
  answer.races = verify::find_races(desc, options);
  answer.verdicts.push_back(verify::judge_races(desc, *answer.races));
  begin_step(on_step, "follows the values");
  add_value_flow(desc, values, answer);
  if (reads_failures(answer)) answer.is_executable = is_bound_by_runtime(desc);
  return answer;
}

void add_ground(std::vector<verify::Verdict>& verdicts, const std::string& ground, const verify::Verdict* audit) {
  if (ground.empty()) return;
  const bool is_wrong = audit != nullptr && audit->outcome == verify::Outcome::kViolated;
  for (verify::Verdict& verdict : verdicts) {
    const bool is_of_races =
        verdict.property == verify::Property::kBufferRaces || verdict.property == verify::Property::kBufferRacesSmt;
    if (!is_of_races && !(is_wrong && rests_on_bytes(verdict.property))) continue;
    verdict.summary += "; " + ground;
    if (is_wrong && verdict.outcome == verify::Outcome::kHolds) verdict.outcome = verify::Outcome::kUnknown;
  }
}

void add_assumed_bytes(std::vector<verify::Verdict>& verdicts, const std::string& assumes) {
  for (verify::Verdict& verdict : verdicts) {
    if (rests_on_bytes(verdict.property) && verdict.outcome == verify::Outcome::kHolds) verdict.assumes = assumes;
  }
}

void add_unaudited_functions(std::vector<verify::Verdict>& verdicts, const std::string& why) {
  for (verify::Verdict& verdict : verdicts) {
    const bool is_of_outputs =
        verdict.property == verify::Property::kDeterminism || verdict.property == verify::Property::kOpSchedules;
    if (!is_of_outputs || verdict.outcome != verify::Outcome::kHolds) continue;
    verdict.outcome = verify::Outcome::kUnknown;
    verdict.summary +=
        "; not known: whether C functions keep nothing between calls and read what the graph lists alone (" + why + ")";
  }
}

bool has_unknown_footprint(const models::Model& model) {
  return std::ranges::any_of(model.ops,
                             [](const models::Op& op) { return op.footprint == models::Footprint::kUnknown; });
}

void add_unknown_footprints(std::vector<verify::Verdict>& verdicts, const models::Model& model) {
  constexpr std::size_t kNamed = 3;
  std::vector<std::uint32_t> unknown;
  for (std::uint32_t op = 0; op < model.ops.size(); ++op) {
    if (model.ops[op].footprint == models::Footprint::kUnknown) unknown.push_back(op);
  }
  if (unknown.empty()) return;
  std::string names;
  for (std::size_t i = 0; i < std::min(kNamed, unknown.size()); ++i)
    names += fmt::format("{}op {} ({})", i == 0 ? "" : ", ", unknown[i], model.ops[unknown[i]].name);
  if (unknown.size() > kNamed) names += fmt::format(" and {} more", unknown.size() - kNamed);
  for (verify::Verdict& verdict : verdicts) {
    if (!rests_on_bytes(verdict.property)) continue;
    if (verdict.outcome == verify::Outcome::kHolds) verdict.outcome = verify::Outcome::kUnknown;
    verdict.summary +=
        fmt::format("; {} may touch other bytes than the graph lists, so that nothing holds for all schedules", names);
  }
}

Json violations_json(const detent_desc& desc, const std::vector<verify::ValueViolation>& violations) {
  Json list = Json::array();
  for (const verify::ValueViolation& violation : violations) {
    const bool has_bytes = violation.region != DETENT_NONE;
    Json entry = {{"reader", op_or_none(violation.reader)},
                  {"value", violation.value},
                  {"writer", op_or_none(violation.writer)},
                  {"in_the_way", op_or_none(violation.in_the_way)},
                  {"region", has_bytes ? desc.regions[violation.region].name : ""},
                  {"offset", violation.offset_bytes},
                  {"size", violation.size_bytes},
                  {"always", violation.always},
                  {"schedule", violation.schedule},
                  {"text", verify::describe_violation(desc, violation)}};
    list.push_back(std::move(entry));
  }
  return list;
}

Json count_json(const std::optional<std::uint64_t>& count) { return count ? Json(*count) : Json(); }

Json races_json(const detent_desc& desc, const std::vector<verify::Race>& races) {
  Json list = Json::array();
  for (const verify::Race& race : races) {
    list.push_back({{"op_a", race.op_a},
                    {"op_b", race.op_b},
                    {"kind", verify::hazard_name(race.kind)},
                    {"region", desc.regions[race.region].name},
                    {"offset", race.offset_bytes},
                    {"size", race.size_bytes},
                    {"name_a", op_name(desc, race.op_a)},
                    {"name_b", op_name(desc, race.op_b)},
                    {"tensor_a", desc.tensors[race.tensor_a].name},
                    {"tensor_b", desc.tensors[race.tensor_b].name}});
  }
  return list;
}

}  // namespace detent::app
