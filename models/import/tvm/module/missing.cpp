#include "models/import/tvm/module/missing.hpp"

#include <algorithm>
#include <utility>

#include "models/import/tvm/artifact/roles.hpp"
#include "models/import/tvm/clang/prelude.hpp"
#include "models/import/tvm/files/module_support.hpp"

namespace detent::models::tvm {
namespace {

constexpr const char* kNoBody = "its definition is not here";
constexpr std::size_t kMostShown = 8;

std::string key_name(const std::string& key) { return key.substr(0, key.find('\n')); }

std::string printable(std::string text) {
  constexpr std::size_t kMost = 200;
  if (text.size() > kMost) text = text.substr(0, kMost) + "...";
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = '?';
  }
  for (std::size_t at = text.find("*/"); at != std::string::npos; at = text.find("*/")) text.replace(at, 2, "* /");
  return text;
}

/// "a, b and 3 more"
std::string listed(const std::vector<std::string>& items) {
  std::string text;
  for (std::size_t i = 0; i < items.size() && i < kMostShown; ++i) text += (i == 0 ? "" : ", ") + items[i];
  return items.size() > kMostShown ? text + " and " + std::to_string(items.size() - kMostShown) + " more" : text;
}

}  // namespace

Definitions::Definitions(const Artifact& artifact) : artifact_(artifact) {
  std::vector<const CUnit*> units = {&artifact.operators};
  for (const CUnit& unit : artifact.externals) units.push_back(&unit);
  for (const CUnit* unit : units) {
    statics_.emplace_back();
    for (const Function& function : unit->functions) {
      if (function.body == kNoNode) continue;
      (function.is_static ? statics_.back() : defined_).insert(function.name);
    }
    for (const Global& global : unit->globals) {
      if (global.is_defined && !global.is_static) defined_.insert(global.variable.name);
    }
  }
  for (std::size_t i = 0; i < units.size(); ++i) add(*units[i], i);
  std::map<std::string, std::vector<std::string>> callers;
  for (const auto& [caller, callees] : callees_) {
    for (const std::string& callee : callees) callers[callee].push_back(caller);
  }
  std::vector<std::string> open;
  for (const auto& [name, why] : faults_) open.push_back(name);
  while (!open.empty()) {
    const std::string name = std::move(open.back());
    open.pop_back();
    if (!unusable_.insert(name).second) continue;
    const auto found = callers.find(name);
    if (found != callers.end()) open.insert(open.end(), found->second.begin(), found->second.end());
  }
}

std::string Definitions::key(std::size_t unit, const std::string& function) const {
  return statics_[unit].contains(function) ? function + "\n" + std::to_string(unit) : function;
}

void Definitions::add(const CUnit& unit, std::size_t index) {
  std::vector<const Function*> bodies;
  std::set<std::string> named = open_variables(unit);
  for (const Function& function : unit.functions) {
    named.insert(function.name);
    if (function.body != kNoNode) bodies.push_back(&function);
  }
  std::sort(bodies.begin(), bodies.end(),
            [](const Function* a, const Function* b) { return a->body_range.begin < b->body_range.begin; });
  const auto body_around = [&](const Expr& e) -> const Function* {
    const auto after =
        std::upper_bound(bodies.begin(), bodies.end(), e.range.begin,
                         [](std::uint64_t at, const Function* function) { return at < function->body_range.begin; });
    if (after == bodies.begin() || (*(after - 1))->body_range.end < e.range.end) return nullptr;
    return *(after - 1);
  };
  const bool brings_arm = uses_arm(unit.text);
  const auto note_use = [&](const Expr& e, const std::string& name) {
    const Function* caller = body_around(e);
    if (caller == nullptr || caller->name == name) return;
    callees_[key(index, caller->name)].insert(key(index, name));
    const bool is_there = defined_.contains(name) || statics_[index].contains(name) || is_runtime_function(name) ||
                          is_library_function(name) || (brings_arm && is_arm_function(name)) ||
                          name.starts_with("__builtin_") || name.starts_with("__sync_") ||
                          name.starts_with("__atomic_");
    if (!is_there) faults_.try_emplace(name, kNoBody);
  };
  for (const Expr& e : unit.exprs) {
    const Expr* callee = e.kind == ExprKind::kCall && !e.args.empty() ? &unit.expr(e.args[0]) : nullptr;
    if (callee != nullptr && callee->kind == ExprKind::kName) note_use(e, callee->text);
    if (e.kind == ExprKind::kName && named.contains(e.text)) note_use(e, e.text);
  }
  add_errors(unit, index);
}

/// An error outside of all functions leaves none usable.
void Definitions::add_errors(const CUnit& unit, std::size_t index) {
  std::string hopeless;
  const auto reason = [](const Diagnostic& error) {
    return "does not compile: line " + std::to_string(error.line) + ": " + error.text;
  };
  for (const Diagnostic& error : unit.errors) {
    const auto function = std::find_if(unit.functions.begin(), unit.functions.end(), [&](const Function& one) {
      return one.body != kNoNode && one.range.begin <= error.at && error.at < one.range.end;
    });
    if (function == unit.functions.end()) {
      if (hopeless.empty()) hopeless = reason(error);
      continue;
    }
    // A call of what nobody declares is the callee's fault where it has no body.
    const bool is_callee = error.text.find("undeclared function '") != std::string::npos;
    const std::size_t quote = error.text.find('\'');
    const std::string callee = is_callee ? error.text.substr(quote + 1, error.text.rfind('\'') - quote - 1) : "";
    const auto fault = faults_.find(callee);
    const bool is_known = !callee.empty() && fault != faults_.end() && fault->second == kNoBody;
    if (!is_known) faults_.try_emplace(key(index, function->name), reason(error));
  }
  for (const Function& function : unit.functions) {
    if (function.body == kNoNode) continue;
    if (!hopeless.empty()) faults_.try_emplace(key(index, function.name), hopeless);
    const bool is_told = std::any_of(unit.errors.begin(), unit.errors.end(), [&](const Diagnostic& error) {
      return function.range.begin <= error.at && error.at < function.range.end;
    });
    if (function.damaged && !is_told) faults_.try_emplace(key(index, function.name), "does not compile");
  }
}

bool Definitions::is_usable(const std::string& function) const {
  return defined_.contains(function) && !unusable_.contains(function);
}

std::size_t Definitions::index_of(const CUnit& unit) const {
  for (std::size_t i = 0; i < artifact_.externals.size(); ++i) {
    if (&artifact_.externals[i] == &unit) return i + 1;
  }
  return 0;
}

bool Definitions::is_usable(const CUnit& unit, const Function& function) const {
  return !unusable_.contains(key(index_of(unit), function.name));
}

std::map<std::string, std::string> Definitions::faults_of(const std::string& function) const {
  std::map<std::string, std::string> faults;
  std::set<std::string> seen;
  std::vector<std::string> open = {function};
  if (!defined_.contains(function)) faults[function] = kNoBody;
  while (!open.empty()) {
    const std::string name = std::move(open.back());
    open.pop_back();
    if (!unusable_.contains(name) || !seen.insert(name).second) continue;
    if (const auto own = faults_.find(name); own != faults_.end()) faults.emplace(key_name(name), own->second);
    const auto callees = callees_.find(name);
    if (callees != callees_.end()) open.insert(open.end(), callees->second.begin(), callees->second.end());
  }
  return faults;
}

MissingCode find_missing(const Artifact& artifact, const Program& program) {
  const Definitions definitions(artifact);
  std::map<std::string, MissingCode::Item> items;
  std::map<std::string, std::map<std::string, std::string>> known;
  for (OpId op = 0; op < program.calls.size(); ++op) {
    const Call& call = program.calls[op];
    std::vector<std::string> symbols = {call.before, call.after};
    if (call.kind == Call::Kind::kOperator) symbols.push_back(call.function);
    for (const std::string& symbol : symbols) {
      if (symbol.empty() || definitions.is_usable(symbol)) continue;
      auto [faults, is_new] = known.try_emplace(symbol);
      if (is_new) faults->second = definitions.faults_of(symbol);
      for (const auto& [function, why] : faults->second) {
        MissingCode::Item& item = items[function];
        item.function = function;
        item.why = why;
        if (item.ops.empty() || item.ops.back() != op) item.ops.push_back(op);
      }
    }
  }
  MissingCode missing;
  for (auto& [function, item] : items) missing.functions.push_back(std::move(item));
  if (missing.functions.empty()) return missing;
  std::set<std::string> headers;
  const auto add_headers = [&](const CUnit& unit) {
    for (const MissingHeader& header : unit.missing_headers) {
      if (headers.insert(header.name).second) missing.headers.push_back(header);
    }
  };
  add_headers(artifact.operators);
  for (const CUnit& unit : artifact.externals) add_headers(unit);
  return missing;
}

std::string MissingCode::text() const {
  std::vector<std::string> absent, broken, names;
  for (const Item& item : functions) {
    std::string ops;
    for (std::size_t i = 0; i < item.ops.size() && i < 3; ++i)
      ops += (i == 0 ? "" : ", ") + std::to_string(item.ops[i]);
    if (item.ops.size() > 3) ops += ", ...";
    const std::string who = printable(item.function) + " (op " + ops + ")";
    if (item.why == kNoBody) {
      absent.push_back(who);
    } else {
      broken.push_back(who + " " + printable(item.why));
    }
  }
  for (const MissingHeader& header : headers) names.push_back(printable(header.name));
  std::string text;
  if (!absent.empty()) text += "no definition of " + listed(absent);
  if (!broken.empty()) text += (text.empty() ? "" : "; ") + listed(broken);
  if (!names.empty()) text += "; no header " + listed(names);
  return text +
         "; give a vendor's headers with --include DIR and its C files, or your own in their place, with --source "
         "FILE";
}

}  // namespace detent::models::tvm
