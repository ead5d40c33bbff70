// Which variables of the file may change between calls: all but those of which every use in the file is seen to be a
// read by name.
#include "models/import/tvm/footprint/walk/unit_facts.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "models/import/tvm/c/text.hpp"
#include "models/import/tvm/footprint/memory/value.hpp"
#include "models/import/tvm/footprint/walk/syntax.hpp"

namespace detent::models::tvm::footprint {
namespace {

/// x, x.m, x[i], x.m[i][j]: what lies within a variable itself. kNoNode where the way leads through a pointer.
ExprId root_of(const CUnit& unit, ExprId id) {
  while (true) {
    const Expr& expr = unit.expr(id);
    if (expr.kind == ExprKind::kName) return id;
    const bool is_inside = expr.kind == ExprKind::kMember || expr.kind == ExprKind::kIndex;
    if (!is_inside) return kNoNode;
    const CType& base = unit.expr(expr.args[0]).type;
    const bool is_part = expr.kind == ExprKind::kMember ? !is_pointer(base) : !base.extents.empty();
    if (!is_part) return kNoNode;
    id = expr.args[0];
  }
}

bool is_changed(const Expr& parent, std::size_t place) {
  return (parent.kind == ExprKind::kAssign && place == 0) || parent.is_step() || parent.is(UnaryOperator::kAddressOf) ||
         parent.kind == ExprKind::kComponent || parent.kind == ExprKind::kUnknown;
}

/// Is `parent` a part of the variable, too?
bool goes_on(const CUnit& unit, const Expr& parent, ExprId id, std::size_t place) {
  if (place != 0) return false;
  const bool is_array = !unit.expr(id).type.extents.empty();
  return (parent.kind == ExprKind::kIndex && is_array) ||
         (parent.kind == ExprKind::kMember && !is_pointer(unit.expr(id).type));
}

/// Names in an initialiser that the reader has left out.
void names_in(std::string_view text, std::set<std::string>& names) {
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end > i && !is_digit(text[i])) names.emplace(text.substr(i, end - i));
    i = std::max(end, i + 1);
  }
}

}  // namespace

UnitFacts::UnitFacts(const CUnit& unit) : unit_(unit) {
  for (const Global& global : unit.globals) globals_[global.variable.name] = &global;
  for (const Function& function : unit.functions) {
    if (function.body != kNoNode) definitions_.emplace(function.name, &function);
  }
}

const Global* UnitFacts::global(const std::string& name) const {
  const auto found = globals_.find(name);
  return found != globals_.end() ? found->second : nullptr;
}

const Function* UnitFacts::definition(const std::string& name) const {
  const auto found = definitions_.find(name);
  return found != definitions_.end() ? found->second : nullptr;
}

const Function* UnitFacts::declaration(const std::string& name) const {
  const Function* declared = nullptr;
  for (const Function& function : unit_.functions) {
    if (!name.empty() && function.name == name) declared = &function;
  }
  return declared;
}

/// Other files may write what they can name, and assembly what it likes.
bool UnitFacts::may_change(const Global& global) {
  if (global.variable.type.is_const) return false;
  if (!global.is_static) return true;
  if (!has_assembly_) has_assembly_ = unit_.text.find("asm") != std::string::npos;
  return *has_assembly_ || written_globals().contains(global.variable.name);
}

/// Variables of the file that are not only read by their names: assigned, stepped, handed out by address or as arrays,
/// anywhere in the file.
const std::set<std::string>& UnitFacts::written_globals() {
  if (written_globals_) return *written_globals_;
  std::set<std::string>& written = written_globals_.emplace();
  std::vector<bool> has_parent(unit_.exprs.size(), false);
  const auto hand_out = [&](ExprId id) {
    const ExprId root = root_of(unit_, id);
    if (root != kNoNode) written.insert(unit_.expr(root).text);
  };
  for (const Expr& parent : unit_.exprs) {
    for (std::size_t i = 0; i < parent.args.size(); ++i) {
      const ExprId id = parent.args[i];
      has_parent[id] = true;
      const bool decays = !unit_.expr(id).type.extents.empty() && !goes_on(unit_, parent, id, i);
      if (decays || is_changed(parent, i)) hand_out(id);
    }
    const bool is_left_out = parent.kind == ExprKind::kInitList && parent.args.empty();
    if (is_left_out) names_in(text_of(parent.range), written);
  }
  for (ExprId id = 0; id < unit_.exprs.size(); ++id) {
    if (!has_parent[id] && !unit_.expr(id).type.extents.empty()) hand_out(id);
  }
  return written;
}

void UnitFacts::addressed_in_expr(ExprId id, std::set<std::string>& names) const {
  const Expr& expr = unit_.expr(id);
  if (expr.is(UnaryOperator::kAddressOf)) {
    const Expr* target = &unit_.expr(expr.args[0]);
    while ((target->kind == ExprKind::kMember && !is_pointer(unit_.expr(target->args[0]).type)) ||
           target->kind == ExprKind::kComponent) {
      target = &unit_.expr(target->args[0]);
    }
    if (target->kind == ExprKind::kName) names.insert(target->text);
  }
  for (const ExprId arg : expr.args) addressed_in_expr(arg, names);
}

const std::set<std::string>& UnitFacts::addressed_in(const Function& function) {
  const auto [known, is_new] = addressed_.try_emplace(&function);
  if (is_new && function.body != kNoNode) {
    each_expression(unit_, function.body, [&](ExprId expr) { addressed_in_expr(expr, known->second); });
  }
  return known->second;
}

std::string UnitFacts::text_of(const SourceRange& range) const {
  if (range.begin >= range.end || range.end > unit_.text.size()) return {};
  return unit_.text.substr(range.begin, range.end - range.begin);
}

}  // namespace detent::models::tvm::footprint
