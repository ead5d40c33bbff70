// Bitcode of a package's kernels -> a verdict for each function; measured accesses -> equal or not for each op.
#include "app/model/kernel_audit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

#include "app/answer/answer.hpp"
#include "harness/access/probe.hpp"
#include "harness/module/c_ir.hpp"
#include "harness/module/module_cache.hpp"
#include "models/core/thunks.hpp"
#include "models/files/package.hpp"
#include "models/import/tvm/ir/module.hpp"
#include "models/import/tvm/module/allocator.hpp"

namespace detent::app {
namespace {

constexpr const char* kOfOneInput = "for this input only";

namespace tvm = models::tvm;
using Kind = tvm::IrVerdict::Kind;
using Verdicts = std::map<std::string, tvm::IrVerdict>;
using verify::Outcome;

tvm::IrVerdict unknown(const std::string& why) {
  return {.kind = Kind::kUnknown, .by_place = false, .why = why, .line = 0, .file = ""};
}

/// By kernel name.
Verdicts ir_verdicts(const models::Model& model, const std::string& compiler) {
  const std::map<std::string, models::ThunkCall> thunks = models::thunk_calls(model);
  std::vector<std::string> by_name;
  if (tvm::has_own_allocator(model)) by_name = {"TVMBackendAllocWorkspace", "TVMBackendFreeWorkspace"};
  std::set<std::string> functions;
  for (const auto& [kernel, call] : thunks) functions.insert(call.function);
  Verdicts verdicts;
  try {
    const std::vector<std::string> bitcode =
        harness::compile_to_bitcode(module_sources(model), module_options(model, compiler).compile);
    const tvm::IrModule module(bitcode, {functions.begin(), functions.end()}, by_name);
    for (const auto& [kernel, call] : thunks) {
      const auto function = module.function(call.function);
      if (call.kind == models::ThunkCall::Kind::kCopy) {
        verdicts[kernel] = {.kind = Kind::kIndependent, .by_place = false, .why = "", .line = 0, .file = ""};
      } else if (function) {
        verdicts[kernel] = tvm::analyse_ir(*function, {.packed = call.kind == models::ThunkCall::Kind::kPacked,
                                                       .kernel = call.kind == models::ThunkCall::Kind::kKernel});
      } else {
        verdicts[kernel] = unknown("has no definition that compiles");
      }
    }
  } catch (const std::invalid_argument& error) {
    for (const auto& [kernel, call] : thunks) verdicts[kernel] = unknown(error.what());
  }
  return verdicts;
}

std::vector<OpOpinion> second_opinion(const models::Model& model, const std::string& compiler,
                                      const verify::AccessAudit& accesses) {
  const Verdicts verdicts = ir_verdicts(model, compiler);
  const bool is_complete = accesses.verdict.outcome != Outcome::kUnknown;
  std::vector<OpOpinion> opinions;
  for (OpId op = 0; op < model.ops.size(); ++op) {
    const models::Op& from = model.ops[op];
    const auto verdict = verdicts.find(from.kernel);
    opinions.push_back({.op = op,
                        .function = from.kernel.substr(0, from.kernel.find('#')),
                        .ir = verdict != verdicts.end() ? verdict->second : unknown("is no C function of the model"),
                        .text = from.footprint,
                        .is_observed = is_complete,
                        .is_equal = is_complete});
  }
  for (const verify::AccessFinding& finding : accesses.findings) {
    opinions[finding.op].is_observed = opinions[finding.op].is_equal = false;
  }
  for (const verify::AccessSlack& slack : accesses.slack) opinions[slack.op].is_equal = false;
  return opinions;
}

// ---- kept verdicts

std::string compiler_version(const std::string& name) {
  try {
    return harness::find_compiler(name).version;
  } catch (const std::invalid_argument&) {
    return "none";
  }
}

std::string key_of(const LoadedModel& loaded, std::uint64_t input_seed) {
  harness::ContentKey key;
  key.add("access audit");
  harness::add_this_program(key);
  key.add(models::encode_package(loaded.model));
  key.add(compiler_version(""));
  key.add(compiler_version("clang-19"));
  key.add(std::to_string(input_seed));
  return key.hex();
}

std::optional<Outcome> outcome_named(const std::string& name) {
  for (const Outcome outcome : {Outcome::kHolds, Outcome::kViolated, Outcome::kUnknown}) {
    if (name == verify::outcome_name(outcome)) return outcome;
  }
  return std::nullopt;
}

std::string text_of(const verify::Verdict& verdict) {
  Json json = {{"outcome", verify::outcome_name(verdict.outcome)},
               {"summary", verdict.summary},
               {"total", verdict.total},
               {"assumes", verdict.assumes}};
  json["witnesses"] = Json::array();
  for (const verify::Witness& witness : verdict.witnesses) {
    json["witnesses"].push_back({{"text", witness.text}, {"ops", witness.ops}});
  }
  return json.dump();
}

std::optional<verify::Verdict> verdict_of(const std::string& text) {
  try {
    const Json json = Json::parse(text);
    const std::optional<Outcome> outcome = outcome_named(json.at("outcome"));
    if (!outcome) return std::nullopt;
    verify::Verdict verdict{.property = verify::Property::kAccessAudit,
                            .outcome = *outcome,
                            .summary = json.at("summary"),
                            .witnesses = {},
                            .total = json.at("total"),
                            .assumes = json.at("assumes")};
    for (const Json& witness : json.at("witnesses")) {
      verdict.witnesses.push_back({.text = witness.at("text"), .ops = witness.at("ops"), .schedule = {}});
    }
    return verdict;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace

const char* footprint_name(models::Footprint footprint) {
  switch (footprint) {
    case models::Footprint::kDeclared:
      return "declared";
    case models::Footprint::kExact:
      return "exact";
    case models::Footprint::kSuperset:
      return "inexact";
    case models::Footprint::kOpaque:
      return "opaque";
    case models::Footprint::kUnknown:
      return "unknown";
  }
  return "?";
}

const char* ir_opinion_name(Kind kind) {
  switch (kind) {
    case Kind::kIndependent:
      return "independent";
    case Kind::kDepends:
      return "depends";
    case Kind::kUnknown:
      return "unknown";
  }
  return "?";
}

std::string OpOpinion::reason() const {
  if (holds_for_all_inputs()) return "";
  if (ir.kind == Kind::kIndependent)
    return "the bytes that it touched are not those of the analysis, or not all were seen";
  return (ir.line == 0 ? "" : "line " + std::to_string(ir.line) + ": ") + ir.why;
}

std::size_t KernelAudit::all_inputs_ops() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(opinions, [](const OpOpinion& one) { return one.holds_for_all_inputs(); }));
}

verify::Verdict KernelAudit::verdict() const {
  verify::Verdict verdict = accesses.verdict;
  verdict.summary +=
      fmt::format("; {} of {} touch the same bytes for all inputs (LLVM IR)", all_inputs_ops(), opinions.size());
  const auto is_limited = [](const OpOpinion& one) { return !one.holds_for_all_inputs(); };
  if (const auto first = std::ranges::find_if(opinions, is_limited); first != opinions.end()) {
    verdict.summary += fmt::format("; op {} ({}) {}: {}", first->op, first->function, kOfOneInput, first->reason());
    const std::size_t others = opinions.size() - all_inputs_ops() - 1;
    verdict.assumes = fmt::format("no other input makes op {} ({}){} touch bytes that the model does not list",
                                  first->op, first->function, others == 0 ? "" : fmt::format(" or {} more", others));
  }
  for (const OpOpinion& one : opinions) {
    if (!one.disagrees()) continue;
    if (verdict.outcome == Outcome::kHolds) verdict.outcome = Outcome::kUnknown;
    verdict.witnesses.push_back({.text = fmt::format("op {} ({}): exact by text analysis, but LLVM IR says: {}", one.op,
                                                     one.function, one.reason()),
                                 .ops = {one.op},
                                 .schedule = {}});
  }
  return verdict;
}

KernelAudit audit_kernels(const LoadedModel& loaded, const std::string& compiler, std::uint64_t input_seed) {
  // An allocator of ours keeps each thread's place in the workspace.
  const bool watches_thread_local = !models::tvm::has_own_allocator(loaded.model);
  const harness::AccessProbe probe(module_sources(loaded.model), module_options(loaded.model, compiler),
                                   watches_thread_local);
  KernelAudit audit;
  audit.report = probe.measure(loaded.desc(), {.seed = input_seed});
  for (OpId op = 0; op < loaded.model.ops.size() && op < audit.report.ops.size(); ++op) {
    const models::Footprint known = loaded.model.ops[op].footprint;
    // Of other calls the importer knows that they may keep a state, and keeps their order.
    const bool is_without_state = known == models::Footprint::kDeclared || known == models::Footprint::kExact;
    if (!is_without_state) audit.report.ops[op].variable_writes = 0;
  }
  audit.accesses = verify::audit_accesses(loaded.desc(), audit.report);
  audit.opinions = second_opinion(loaded.model, compiler, audit.accesses);
  return audit;
}

bool has_kernels_to_audit(const LoadedModel& loaded) { return !loaded.model.sources.empty() && is_executable(loaded); }

verify::Verdict kept_audit(const LoadedModel& loaded, std::uint64_t input_seed) {
  try {
    const harness::ModuleCache cache("");
    const std::string key = key_of(loaded, input_seed);
    if (const auto kept = cache.find_text(key)) {
      if (auto verdict = verdict_of(*kept)) return *std::move(verdict);
    }
    verify::Verdict verdict = audit_kernels(loaded, "", input_seed).verdict();
    cache.store_text(key, text_of(verdict));
    return verdict;
  } catch (const std::invalid_argument& error) {
    return {.property = verify::Property::kAccessAudit,
            .outcome = Outcome::kUnknown,
            .summary = fmt::format("not made: {}", error.what()),
            .witnesses = {}};
  }
}

bool has_c_functions(const models::Model& model) {
  return std::ranges::any_of(model.ops, [](const models::Op& op) { return models::names_c_function(op.kernel); });
}

std::string assumed_of_functions(const LoadedModel& loaded, const verify::Verdict* audit) {
  if (!has_c_functions(loaded.model)) return "";
  if (audit != nullptr && audit->outcome == Outcome::kHolds) return audit->assumes;
  return "C functions touch no bytes but those that the graph lists";
}

std::string footprint_ground(const LoadedModel& loaded, const verify::Verdict* audit) {
  if (loaded.model.sources.empty()) return "";
  const bool is_of_graph = has_c_functions(loaded.model);
  const std::string ground = is_of_graph ? "footprints as the graph states them" : "footprints by text analysis";
  if (audit == nullptr) return ground;
  switch (audit->outcome) {
    case Outcome::kHolds:
      if (!is_of_graph) return ground + " and audit";
      return ground + ", and audit" + (audit->assumes.empty() ? "" : fmt::format(", of some ops {}", kOfOneInput));
    case Outcome::kUnknown:
      return ground + "; the audit is unknown";
    case Outcome::kViolated:
      return ground + "; the audit found others";
  }
  return "";
}

}  // namespace detent::app
