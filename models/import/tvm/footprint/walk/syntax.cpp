#include "models/import/tvm/footprint/walk/syntax.hpp"

#include <algorithm>

namespace detent::models::tvm::footprint {

bool is_assignment_to(const CUnit& unit, const Expr& expr, const std::string& name) {
  if (!expr.is_step() && expr.kind != ExprKind::kAssign) return false;
  const Expr& target = unit.expr(expr.args[0]);
  return target.kind == ExprKind::kName && (name.empty() || target.text == name);
}

ExprId stripped(const CUnit& unit, ExprId id) {
  while (unit.expr(id).kind == ExprKind::kCast) id = unit.expr(id).args[0];
  return id;
}

bool has_effect(const CUnit& unit, ExprId id) {
  const Expr& expr = unit.expr(id);
  return expr.is_step() || expr.kind == ExprKind::kAssign || expr.kind == ExprKind::kCall ||
         expr.kind == ExprKind::kUnknown ||
         std::any_of(expr.args.begin(), expr.args.end(), [&](ExprId arg) { return has_effect(unit, arg); });
}

void each_expression(const CUnit& unit, StmtId id, const std::function<void(ExprId)>& visit) {
  const Stmt& stmt = unit.stmt(id);
  for (const ExprId expr : {stmt.expr, stmt.step, stmt.variable.init}) {
    if (expr != kNoNode) visit(expr);
  }
  if (stmt.init != kNoNode) each_expression(unit, stmt.init, visit);
  for (const StmtId child : stmt.body) each_expression(unit, child, visit);
  for (const StmtId child : stmt.else_body) each_expression(unit, child, visit);
}

void add_assigned_names(const CUnit& unit, ExprId id, std::set<std::string>& names) {
  const Expr& expr = unit.expr(id);
  if (is_assignment_to(unit, expr, "")) names.insert(unit.expr(expr.args[0]).text);
  for (const ExprId arg : expr.args) add_assigned_names(unit, arg, names);
}

void add_rebased_names(const CUnit& unit, ExprId id, std::set<std::string>& names) {
  const Expr& expr = unit.expr(id);
  if (is_assignment_to(unit, expr, "") && expr.is_plain_assignment()) {
    const std::string& name = unit.expr(expr.args[0]).text;
    const Expr& sum = unit.expr(stripped(unit, expr.args[1]));
    const bool is_sum = sum.is(BinaryOperator::kAdd) || sum.is(BinaryOperator::kSubtract);
    const Expr* base = is_sum ? &unit.expr(stripped(unit, sum.args[0])) : nullptr;
    if (base == nullptr || base->kind != ExprKind::kName || base->text != name) names.insert(name);
  }
  for (const ExprId arg : expr.args) add_rebased_names(unit, arg, names);
}

bool has_goto(const CUnit& unit, const std::vector<StmtId>& body) {
  return std::any_of(body.begin(), body.end(), [&](StmtId id) {
    const Stmt& stmt = unit.stmt(id);
    return stmt.kind == StmtKind::kGoto || has_goto(unit, stmt.body) || has_goto(unit, stmt.else_body);
  });
}

bool is_labelled_return(const CUnit& unit, const Stmt& stmt) {
  if (stmt.kind != StmtKind::kLabel || stmt.body.size() != 1) return false;
  const Stmt& inner = unit.stmt(stmt.body[0]);
  if (inner.kind != StmtKind::kReturn) return false;
  if (inner.expr == kNoNode) return true;
  ExprId id = inner.expr;
  while (unit.expr(id).kind == ExprKind::kCast || unit.expr(id).is(UnaryOperator::kMinus)) id = unit.expr(id).args[0];
  return unit.expr(id).kind == ExprKind::kInt || unit.expr(id).kind == ExprKind::kName;
}

/// A name that is declared anew hides what stood under it.
void add_declared_names(const CUnit& unit, StmtId id, std::set<std::string>& names) {
  const Stmt& stmt = unit.stmt(id);
  if (stmt.kind == StmtKind::kDeclare) names.insert(stmt.variable.name);
  if (stmt.init != kNoNode) add_declared_names(unit, stmt.init, names);
  for (const StmtId child : stmt.body) add_declared_names(unit, child, names);
  for (const StmtId child : stmt.else_body) add_declared_names(unit, child, names);
}

std::set<std::string> assigned_names(const CUnit& unit, const std::vector<StmtId>& body) {
  std::set<std::string> names;
  for (const StmtId id : body) add_declared_names(unit, id, names);
  for (const StmtId id : body) each_expression(unit, id, [&](ExprId expr) { add_assigned_names(unit, expr, names); });
  return names;
}

std::set<std::string> rebased_names(const CUnit& unit, const std::vector<StmtId>& body) {
  std::set<std::string> names;
  for (const StmtId id : body) each_expression(unit, id, [&](ExprId expr) { add_rebased_names(unit, expr, names); });
  return names;
}

bool returns_error(const CUnit& unit, const Stmt& stmt) {
  if (stmt.kind != StmtKind::kReturn || stmt.expr == kNoNode) return false;
  const Expr& expr = unit.expr(stripped(unit, stmt.expr));
  const bool is_negative = expr.is(UnaryOperator::kMinus) && unit.expr(expr.args[0]).kind == ExprKind::kInt;
  return is_negative || (expr.kind == ExprKind::kInt && expr.value != 0);
}

bool leaves(const CUnit& unit, const std::vector<StmtId>& body, Leaving leaving) {
  return std::any_of(body.begin(), body.end(), [&](StmtId id) {
    const Stmt& stmt = unit.stmt(id);
    if (stmt.kind == StmtKind::kReturn) return leaving.errors_too || !returns_error(unit, stmt);
    if (stmt.kind == StmtKind::kBreak || stmt.kind == StmtKind::kContinue) return !leaving.only_function;
    if (stmt.kind == StmtKind::kGoto || stmt.kind == StmtKind::kUnknown) return true;
    if (stmt.kind == StmtKind::kLabel) return !is_labelled_return(unit, stmt);
    const bool is_loop = stmt.kind == StmtKind::kFor || stmt.kind == StmtKind::kWhile;
    const Leaving inner = {.only_function = leaving.only_function || is_loop, .errors_too = leaving.errors_too};
    return leaves(unit, stmt.body, inner) || leaves(unit, stmt.else_body, leaving);
  });
}

}  // namespace detent::models::tvm::footprint
