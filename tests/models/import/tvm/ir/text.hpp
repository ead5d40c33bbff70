// C text -> verdicts of the analysis of LLVM's IR, for tests.
#pragma once

#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/module/c_ir.hpp"
#include "models/import/tvm/ir/module.hpp"
#include "models/import/tvm/ir/taint.hpp"

namespace detent::models::tvm {

/// "independent", "depends: ...", "place: ..." (where memory lies), "unknown: ..."; with "line N: " before the reason.
inline std::string verdict_text(const IrVerdict& verdict) {
  const std::string reason = "line " + std::to_string(verdict.line) + ": " + verdict.why;
  switch (verdict.kind) {
    case IrVerdict::Kind::kIndependent:
      return "independent";
    case IrVerdict::Kind::kDepends:
      return std::string(verdict.by_place ? "place: " : "depends: ") + reason;
    case IrVerdict::Kind::kUnknown:
      return "unknown: " + reason;
  }
  return "?";
}

inline std::vector<std::string> bitcode_of(const std::vector<std::string>& texts) {
  std::vector<harness::CSource> sources;
  for (const std::string& text : texts) sources.push_back({"file" + std::to_string(sources.size()) + ".c", text});
  return harness::compile_to_bitcode(sources, {});
}

/// Of one function of one text.
inline std::string ir_verdict(const std::string& text, const std::string& name = "f",
                              const IrTaintOptions& options = {}) {
  const IrModule module(bitcode_of({text}), {name});
  const auto function = module.function(name);
  return function ? verdict_text(analyse_ir(*function, options)) : "no such function";
}

}  // namespace detent::models::tvm
