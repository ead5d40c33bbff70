// Bitcode of the model's kernels -> a verdict for each function; measured accesses -> equal or not for each op.
#include "cli/tvm_opinion.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "cli/model_input.hpp"
#include "harness/c_ir.hpp"
#include "models/tvm/ir_module.hpp"

namespace detent::cli {
namespace {

namespace tvm = models::tvm;
using Kind = tvm::IrVerdict::Kind;
using Verdicts = std::map<std::string, tvm::IrVerdict>;

bool is_exact(const tvm::AccessSets& sets) {
  return sets.reads_exact && sets.writes_exact && !sets.reads_unbounded && !sets.writes_unbounded;
}

TextOpinion text_opinion(const tvm::Import& import, const std::string& function) {
  const auto place = import.footprints.find(function);
  if (place == import.footprints.end() || !place->second.understood) return TextOpinion::kOpaque;
  const tvm::FunctionFootprint& footprint = place->second;
  const bool exact = std::all_of(footprint.params.begin(), footprint.params.end(), is_exact) &&
                     std::all_of(footprint.pool_uses.begin(), footprint.pool_uses.end(),
                                 [](const tvm::PoolUse& use) { return is_exact(use.access); });
  return exact ? TextOpinion::kExact : TextOpinion::kInexact;
}

/// Is it called with TVMValue arrays? As ModuleText decides, which writes the calls: others get their pointers as such,
/// and what those point to is data.
bool is_packed(const tvm::Import& import, const std::string& name) {
  const tvm::Function* function = import.artifact.operators.find(name);
  for (const tvm::CUnit& unit : import.artifact.externals) {
    if (function == nullptr) function = unit.find(name);
  }
  return import.program.packed && function != nullptr && function->params.size() >= 3 &&
         function->params[0].name == "args";
}

/// The allocator of a package is Detent's own, unless the artifact brings one.
std::vector<std::string> functions_by_name(const tvm::Artifact& artifact) {
  std::vector<std::string> names;
  for (const char* const name : {"TVMBackendAllocWorkspace", "TVMBackendFreeWorkspace"}) {
    const auto defines = [&](const tvm::CUnit& unit) { return unit.find(name) != nullptr; };
    const bool is_own =
        defines(artifact.operators) || std::any_of(artifact.externals.begin(), artifact.externals.end(), defines);
    if (!is_own) names.emplace_back(name);
  }
  return names;
}

Verdicts ir_verdicts(const tvm::Import& import, const models::Model& model, const std::string& compiler,
                     const std::set<std::string>& functions) {
  Verdicts verdicts;
  const auto unknown = [](const std::string& why) {
    return tvm::IrVerdict{.kind = Kind::kUnknown, .why = why, .line = 0, .file = ""};
  };
  try {
    const std::vector<std::string> bitcode =
        harness::compile_to_bitcode(module_sources(model), module_options(model, compiler).compile);
    const tvm::IrModule module(bitcode, {functions.begin(), functions.end()}, functions_by_name(import.artifact));
    for (const std::string& name : functions) {
      const auto function = module.function(name);
      verdicts[name] = function ? tvm::analyse_ir(*function, {.packed = is_packed(import, name)})
                                : unknown("has no definition that compiles");
    }
  } catch (const std::invalid_argument& error) {
    for (const std::string& name : functions) verdicts[name] = unknown(error.what());
  }
  return verdicts;
}

/// What the run showed of each op.
void add_observations(const verify::AccessAudit& accesses, std::vector<OpOpinion>& opinions) {
  const bool is_complete = accesses.verdict.outcome != verify::Outcome::kUnknown;
  for (OpOpinion& one : opinions) one.is_observed = one.is_equal = is_complete;
  for (const verify::AccessFinding& finding : accesses.findings) {
    opinions[finding.op].is_observed = opinions[finding.op].is_equal = false;
  }
  for (const verify::AccessSlack& slack : accesses.slack) opinions[slack.op].is_equal = false;
}

}  // namespace

const char* text_opinion_name(TextOpinion opinion) {
  switch (opinion) {
    case TextOpinion::kExact:
      return "exact";
    case TextOpinion::kInexact:
      return "inexact";
    case TextOpinion::kOpaque:
      return "opaque";
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

std::vector<OpOpinion> second_opinion(const tvm::Import& import, const models::Model& model,
                                      const std::string& compiler, const verify::AccessAudit& accesses) {
  const std::vector<tvm::Call>& calls = import.program.calls;
  std::set<std::string> functions;
  for (const tvm::Call& call : calls) {
    if (call.kind == tvm::Call::Kind::kOperator) functions.insert(call.function);
  }
  const Verdicts verdicts = ir_verdicts(import, model, compiler, functions);
  std::vector<OpOpinion> opinions;
  for (std::uint32_t op = 0; op < calls.size(); ++op) {
    const bool is_copy = calls[op].kind == tvm::Call::Kind::kCopy;  // one memcpy of constant size
    OpOpinion& opinion = opinions.emplace_back();
    opinion.op = op;
    opinion.function = calls[op].function;
    opinion.ir = is_copy ? tvm::IrVerdict{.kind = Kind::kIndependent, .why = "", .line = 0, .file = ""}
                         : verdicts.at(calls[op].function);
    opinion.text = is_copy ? TextOpinion::kExact : text_opinion(import, calls[op].function);
  }
  add_observations(accesses, opinions);
  return opinions;
}

}  // namespace detent::cli
