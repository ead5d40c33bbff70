#include "models/import/tvm/artifact/roles.hpp"

#include <algorithm>

#include "models/import/tvm/artifact/parts.hpp"
#include "models/import/tvm/c/text.hpp"

namespace detent::models::tvm {
namespace {

/// Of two functions that are named like main, the one with the greater rank is; 0: none. An application's wrapper may
/// end in _run_model, too, but main takes its tensors as parameters.
int rank_as_main(const Function& function) {
  if (function.body == kNoNode || function.params.empty()) return 0;
  const int prefixed = function.name.starts_with(kSymbolPrefix) ? 1 : 0;
  if (function.name.ends_with(kMainSuffix)) return 3 + prefixed;
  return function.name.ends_with(kOldMainSuffix) ? 1 + prefixed : 0;
}

}  // namespace

const Function* find_main(const CUnit& unit) {
  const Function* main = nullptr;
  for (const Function& function : unit.functions) {
    if (rank_as_main(function) > (main != nullptr ? rank_as_main(*main) : 0)) main = &function;
  }
  return main;
}

std::string module_of(std::string symbol) {
  if (symbol.ends_with(kMainSuffix)) {
    symbol.erase(symbol.size() - kMainSuffix.size());
    if (symbol.ends_with("_")) symbol.pop_back();
  } else if (symbol.ends_with(kOldMainSuffix)) {
    symbol.erase(symbol.size() - kOldMainSuffix.size());
  }
  if (symbol.starts_with(kSymbolPrefix)) symbol.erase(0, kSymbolPrefix.size());
  return symbol.empty() ? "default" : symbol;
}

bool is_packed(const Function& function) {
  if (function.params.size() < 5) return false;
  const CType &args = function.params[0].type, &ids = function.params[1].type, &count = function.params[2].type;
  const bool holds_values = args.scalar == CType::Scalar::kVoid || args.scalar == CType::Scalar::kRecord ||
                            args.scalar == CType::Scalar::kOther;
  return args.pointers == 1 && holds_values && ids.pointers == 1 && ids.scalar == CType::Scalar::kInt &&
         count.pointers == 0 && count.scalar == CType::Scalar::kInt && count.extents.empty();
}

std::string line_of_missing_main(const CUnit& unit) {
  const std::size_t at = std::min(unit.text.find(kMainSuffix), unit.text.find(kOldMainSuffix));
  if (at == std::string::npos) return {};
  if (!unit.errors.empty()) return std::to_string(unit.errors.front().line);
  return std::to_string(place_at(unit.text, at, unit.file).line);
}

bool is_stronger_main(const Function& one, const Function& other) { return rank_as_main(one) > rank_as_main(other); }

const Function* find_operator(const CUnit& unit) {
  for (const Function& function : unit.functions) {
    if (function.body != kNoNode && !function.is_static && function.name.starts_with(kSymbolPrefix)) return &function;
  }
  return nullptr;
}

std::size_t count_operators(const CUnit& unit, bool any_name) {
  return static_cast<std::size_t>(std::count_if(unit.functions.begin(), unit.functions.end(), [&](const Function& f) {
    return f.body != kNoNode && (any_name || (f.name.starts_with(kSymbolPrefix) && !f.name.ends_with(kRunSuffix) &&
                                              !f.name.ends_with("_metadata")));
  }));
}

const Function* find_run(const CUnit& unit, const std::string& main_symbol) {
  if (unit.text.find(main_symbol) == std::string::npos) return nullptr;
  const Function* run = nullptr;
  for (const Function& function : unit.functions) {
    if (function.body != kNoNode && function.name.ends_with(kRunSuffix)) run = &function;
  }
  return run;
}

bool defines_pool(const CUnit& unit) {
  return pooled_struct(unit).first != nullptr ||
         std::any_of(unit.globals.begin(), unit.globals.end(),
                     [](const Global& g) { return g.variable.name == "global_workspace"; });
}

bool has_metadata_tables(const CUnit& unit) {
  return std::any_of(unit.globals.begin(), unit.globals.end(),
                     [](const Global& g) { return g.variable.name.starts_with("kTvmgenMetadata"); });
}

std::set<std::string> open_symbols(const CUnit& unit) {
  std::set<std::string> called = open_variables(unit);
  for (const Expr& expr : unit.exprs) {
    if (expr.kind == ExprKind::kCall && unit.expr(expr.args[0]).kind == ExprKind::kName)
      called.insert(unit.expr(expr.args[0]).text);
  }
  for (const Function& function : unit.functions) {
    if (function.body != kNoNode) called.erase(function.name);
  }
  return called;
}

std::set<std::string> open_variables(const CUnit& unit) {
  std::set<std::string> declared, open;
  for (const Global& global : unit.globals) {
    if (!global.is_defined) declared.insert(global.variable.name);
  }
  for (const Global& global : unit.globals) {
    if (global.is_defined) declared.erase(global.variable.name);
  }
  if (declared.empty()) return open;
  for (const Expr& expr : unit.exprs) {
    if (expr.kind == ExprKind::kName && declared.contains(expr.text)) open.insert(expr.text);
  }
  return open;
}

bool defines(const CUnit& unit, const std::string& symbol) {
  return std::any_of(unit.functions.begin(), unit.functions.end(),
                     [&](const Function& f) { return f.body != kNoNode && !f.is_static && f.name == symbol; }) ||
         std::any_of(unit.globals.begin(), unit.globals.end(), [&](const Global& global) {
           return global.is_defined && !global.is_static && global.variable.name == symbol;
         });
}

}  // namespace detent::models::tvm
