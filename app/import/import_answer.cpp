// An import as JSON.
#include <fmt/format.h>

#include <algorithm>

#include "app/import/conflict_kinds.hpp"
#include "app/import/import_tvm.hpp"
#include "harness/run.hpp"

namespace detent::app {
namespace {

namespace tvm = models::tvm;

constexpr std::size_t kRacesListed = 10'000;

Json race_json(const tvm::Program& program, const tvm::Conflict& race) {
  Json overlaps = Json::array();
  for (const tvm::Overlap& overlap : race.overlaps) {
    const tvm::ByteInterval hull = overlap.bytes.hull();
    overlaps.push_back({{"kind", kinds_text(overlap.kind)},
                        {"region", program.objects[overlap.object].name},
                        {"offset", hull.begin},
                        {"end", hull.end},
                        {"bytes", overlap.bytes.size_bytes()},
                        {"name_a", overlap.what_a},
                        {"name_b", overlap.what_b}});
  }
  return {{"op_a", race.a},
          {"op_b", race.b},
          {"function_a", program.calls[race.a].function},
          {"function_b", program.calls[race.b].function},
          {"kind", kinds_text(race.kinds)},
          {"overlaps", std::move(overlaps)}};
}

Json parallelism_json(const tvm::Parallelism& p) {
  return {{"edges", p.edges},
          {"width", p.width},
          {"depth", p.depth},
          {"work", p.work},
          {"critical_path", p.critical_path},
          {"unordered_pairs", p.unordered_pairs}};
}

const char* strategy_key(tvm::ScratchPlace place) {
  switch (place) {
    case tvm::ScratchPlace::kPerCall:
      return "per-call";
    case tvm::ScratchPlace::kPerLane:
      return "per-worker";
    case tvm::ScratchPlace::kAsImported:
      return "tvm";
  }
  return "?";
}

std::vector<tvm::CallEdge> edges_of(const models::Model& model) {
  std::vector<tvm::CallEdge> edges;
  for (const models::Edge& edge : model.edges) edges.emplace_back(edge.from, edge.to);
  return edges;
}

Json missing_json(const tvm::MissingCode& missing) {
  Json functions = Json::array();
  for (const tvm::MissingCode::Item& item : missing.functions)
    functions.push_back({{"function", item.function}, {"why", item.why}, {"ops", item.ops}});
  Json headers = Json::array();
  for (const tvm::MissingHeader& header : missing.headers)
    headers.push_back({{"header", header.name}, {"file", header.file}, {"line", header.line}});
  return {{"functions", std::move(functions)}, {"headers", std::move(headers)}, {"text", missing.text()}};
}

std::vector<std::uint64_t> costs(const ImportedTvm& it) {
  if (!it.costs.empty()) return it.costs;
  std::vector<std::uint64_t> flops;
  for (const models::Op& op : it.model().ops) flops.push_back(std::max<std::uint64_t>(op.flops, 1));
  return flops;
}

Json plans_answer(const ImportedTvm& it) {
  Json plans = Json::array();
  for (std::size_t i = 0; i < it.replan->plans.size(); ++i) {
    const tvm::ReplanFigures& plan = it.replan->plans[i];
    plans.push_back({{"order", plan.name},
                     {"strategy", strategy_key(plan.strategy)},
                     {"arena_bytes", plan.arena_bytes},
                     {"lower_bound_bytes", plan.lower_bound_bytes},
                     {"parallelism", parallelism_json(plan.parallelism)},
                     {"leaves_all", plan.leaves_all},
                     {"taken", i == it.replan->taken}});
  }
  return plans;
}

Json arena_answer(const ImportedTvm& it) {
  return {{"tvm_bytes", it.replan->tvm_arena_bytes},
          {"arena_bytes", it.replan->plan().arena_bytes},
          {"order", it.replan->plan().name},
          {"strategy", strategy_key(it.replan->plan().strategy)},
          {"per_call_bytes", it.replan->plans[0].arena_bytes},
          {"per_worker_bytes", it.replan->plans[1].arena_bytes},
          {"lower_bound_bytes", it.replan->lower_bound_bytes},
          {"stack_bytes", it.replan->stack_bytes},
          {"local_buffers", it.replan->local_buffers},
          {"moved_buffers", it.replan->moved_buffers},
          {"in_place_ops", it.replan->shared_in_place},
          {"plans", plans_answer(it)}};
}

Json opinions_answer(const ImportedTvm& it) {
  Json opinions = Json::array();
  for (const OpOpinion& one : it.audit->kernels.opinions) {
    Json json = {{"op", one.op},
                 {"function", one.function},
                 {"inputs", one.holds_for_all_inputs() ? "all" : "this"},
                 {"ir", ir_opinion_name(one.ir.kind)},
                 {"text", footprint_name(one.text)},
                 {"disagrees", one.disagrees()},
                 {"equal", one.is_equal}};
    if (!one.holds_for_all_inputs()) json["why"] = one.reason();
    opinions.push_back(std::move(json));
  }
  return opinions;
}

Json witness_texts(const verify::Verdict& verdict) {
  Json texts = Json::array();
  for (const verify::Witness& witness : verdict.witnesses) texts.push_back(witness.text);
  return texts;
}

Json audit_answer(const ImportedTvm& it) {
  Json slack = Json::array();
  for (const verify::AccessSlack& one : it.audit->kernels.accesses.slack) {
    slack.push_back({{"op", one.op}, {"read_bytes", one.read_bytes}, {"scratch_bytes", one.scratch_bytes}});
  }
  Json json = {{"accesses", verify::outcome_name(it.audit->kernels.accesses.verdict.outcome)},
               {"observed_ops", it.audit->kernels.accesses.observed_ops},
               {"findings", witness_texts(it.audit->kernels.accesses.verdict)},
               {"declared_untouched", std::move(slack)},
               {"serial_digest", harness::format_digest(it.audit->runs.serial_digest)},
               {"determinism", verify::outcome_name(it.audit->runs.verdict.outcome)},
               {"results", verify::outcome_name(it.audit->results())},
               {"runs", it.audit->runs.runs.size()}};
  json["text_analysis"] = {{"outcome", verify::outcome_name(it.audit->text.outcome)},
                           {"summary", it.audit->text.summary},
                           {"findings", witness_texts(it.audit->text)}};
  json["all_inputs_ops"] = it.audit->kernels.all_inputs_ops();
  json["opinions"] = opinions_answer(it);
  if (it.audit->reference_digest) json["reference_digest"] = harness::format_digest(*it.audit->reference_digest);
  return json;
}

}  // namespace

Json import_parallelism(const ImportedTvm& it) {
  const std::size_t calls = it.import.program.calls.size();
  Json json = {{"unit", it.costs.empty() ? "flops" : "ps"},
               {"names", parallelism_json(tvm::parallelism(calls, it.import.hazards.name_edges, costs(it)))},
               {"hazards", parallelism_json(tvm::parallelism(calls, it.import.hazards.hazard_edges, costs(it)))}};
  if (it.replan) json["replanned"] = parallelism_json(tvm::parallelism(calls, edges_of(it.replan->model), costs(it)));
  return json;
}

Json import_answer(const ImportTvmOptions& options, const ImportedTvm& it) {
  const tvm::HazardReport& hazards = it.import.hazards;
  Json json = json_header("import", options.request);
  json["package"] = it.is_interrupted ? Json() : Json(options.package);
  json["module"] = it.import.artifact.module_name;
  json["tvm_version"] = it.import.artifact.tvm_version;
  json["ops"] = it.import.program.calls.size();
  json["edges"] = hazards.name_edges.size();
  json["tensors"] = it.import.program.buffers.size();
  json["unordered_pairs"] = hazards.unordered_pairs;
  json["conflicting_pairs"] = hazards.conflicts.size();
  json["racing_pairs"] = hazards.racing_pairs;
  json["hazards"] = {{"raw", hazards.raw}, {"war", hazards.war}, {"waw", hazards.waw}};
  json["targets"] = Json::array();
  for (const tvm::CTypes& types : it.import.artifact.types) json["targets"].push_back(types.target);
  json["executable_here"] = !it.is_foreign;
  json["package_edges"] = it.model().edges.size();
  json["parallelism"] = import_parallelism(it);
  if (!it.settings.empty()) json["settings"] = it.settings;
  if (it.replan) json["replan"] = arena_answer(it);
  if (it.audit) json["audit"] = audit_answer(it);
  if (!it.measured.empty() && !options.request.reproducible) {
    Json native = Json::array();
    for (const auto& [workers, ps] : it.measured) native.push_back({{"workers", workers}, {"best_ns", ps / 1000}});
    Json cores = Json::array();
    for (const auto& [count, ps] : it.simulated) cores.push_back({{"cores", count}, {"makespan_ps", ps}});
    json["host"] = {{"native", std::move(native)}, {"list_schedule", std::move(cores)}};
  }
  if (!it.import.missing.empty()) json["missing"] = missing_json(it.import.missing);
  Json calls = Json::array();
  for (std::size_t i = 0; i < it.import.program.calls.size(); ++i) {
    calls.push_back(
        {{"op", i}, {"function", it.import.program.calls[i].function}, {"line", it.import.program.calls[i].line}});
  }
  json["calls"] = std::move(calls);
  Json races = Json::array();
  for (const tvm::Conflict& conflict : hazards.conflicts) {
    if (!conflict.is_ordered && races.size() < kRacesListed) races.push_back(race_json(it.import.program, conflict));
  }
  json["races"] = std::move(races);
  json["notes"] = it.import.notes;
  return json;
}

}  // namespace detent::app
