// Loops: counted ones become a variable; others are walked once with everything they change forgotten.
#include <algorithm>

#include "models/tvm/footprint_walk.hpp"

namespace detent::models::tvm::footprint {
namespace {

bool is_assignment_to(const CUnit& unit, const Expr& expr, const std::string& name) {
  const bool is_step = expr.kind == ExprKind::kUnary && expr.text.size() == 3;
  const bool is_assign = expr.kind == ExprKind::kBinary && expr.text.back() == '=' && expr.text != "==" &&
                         expr.text != "<=" && expr.text != ">=" && expr.text != "!=";
  if (!is_step && !is_assign) return false;
  const Expr& target = unit.expr(expr.args[0]);
  return target.kind == ExprKind::kName && (name.empty() || target.text == name);
}

ExprId stripped(const CUnit& unit, ExprId id) {
  while (unit.expr(id).kind == ExprKind::kCast) id = unit.expr(id).args[0];
  return id;
}

}  // namespace

void Walker::assigned_names_of_expr(ExprId id, std::set<std::string>& names) const {
  const Expr& expr = unit_.expr(id);
  if (is_assignment_to(unit_, expr, "")) names.insert(unit_.expr(expr.args[0]).text);
  for (const ExprId arg : expr.args) assigned_names_of_expr(arg, names);
}

void Walker::assigned_names(StmtId id, std::set<std::string>& names) const {
  const Stmt& stmt = unit_.stmt(id);
  for (const ExprId expr : {stmt.expr, stmt.step, stmt.variable.init}) {
    if (expr != kNoNode) assigned_names_of_expr(expr, names);
  }
  if (stmt.init != kNoNode) assigned_names(stmt.init, names);
  for (const StmtId child : stmt.body) assigned_names(child, names);
  for (const StmtId child : stmt.else_body) assigned_names(child, names);
}

bool Walker::mentions(ExprId id, const std::set<std::string>& names) const {
  const Expr& expr = unit_.expr(id);
  if (expr.kind == ExprKind::kName && (names.contains(expr.text) || find_local(expr.text) == SIZE_MAX)) return true;
  if (expr.kind == ExprKind::kCall || expr.kind == ExprKind::kIndex || expr.kind == ExprKind::kUnknown) return true;
  return std::any_of(expr.args.begin(), expr.args.end(), [&](ExprId arg) { return mentions(arg, names); });
}

void Walker::forget(const std::set<std::string>& names) {
  for (const std::string& name : names) {
    const std::size_t place = find_local(name);
    if (place == SIZE_MAX) continue;
    Value& value = locals_[place].value;
    if (value.kind == Value::Kind::kPointer) {
      value.node = terms_.unknown({-kFar, kFar});
    } else {
      value = unknown_of(*locals_[place].type);
    }
  }
}

/// for (T v = first; v < bound; ++v), with <=, >, >=, != and steps by constants
std::optional<Walker::Loop> Walker::recognise(const Stmt& stmt) {
  if (stmt.expr == kNoNode || stmt.step == kNoNode) return std::nullopt;
  const Expr& step = unit_.expr(stmt.step);
  if (!is_assignment_to(unit_, step, "")) return std::nullopt;
  Loop loop;
  loop.name = unit_.expr(step.args[0]).text;
  if (step.kind == ExprKind::kUnary) {
    loop.step = step.text.find('+') != std::string::npos ? 1 : -1;
  } else {
    ExprId amount = step.args[1];
    bool minus = step.text == "-=";
    if (step.text == "=") {
      const Expr& sum = unit_.expr(stripped(unit_, amount));
      const bool is_sum = sum.kind == ExprKind::kBinary && (sum.text == "+" || sum.text == "-") &&
                          unit_.expr(stripped(unit_, sum.args[0])).text == loop.name;
      if (!is_sum) return std::nullopt;
      minus = sum.text == "-";
      amount = sum.args[1];
    } else if (step.text != "+=" && step.text != "-=") {
      return std::nullopt;
    }
    if (mentions(amount, {loop.name})) return std::nullopt;
    const Value value = evaluate(amount);
    if (value.kind != Value::Kind::kInt || !terms_.is_constant(value.node)) return std::nullopt;
    loop.step = minus ? -terms_.node(value.node).value : terms_.node(value.node).value;
  }
  const std::size_t variable = find_local(loop.name);
  if (loop.step == 0 || variable == SIZE_MAX || locals_[variable].value.kind != Value::Kind::kInt) return std::nullopt;
  if (locals_[variable].object != kNone) return std::nullopt;
  const Expr& test = unit_.expr(stmt.expr);
  if (test.kind != ExprKind::kBinary) return std::nullopt;
  const bool on_left = unit_.expr(stripped(unit_, test.args[0])).text == loop.name;
  const bool on_right = unit_.expr(stripped(unit_, test.args[1])).text == loop.name;
  if (on_left == on_right) return std::nullopt;
  std::string op = test.text;
  if (on_right && op[0] == '<') {
    op[0] = '>';
  } else if (on_right && op[0] == '>') {
    op[0] = '<';
  }
  const bool fits = op == "!=" || (loop.step > 0 ? op[0] == '<' : op[0] == '>');
  if (!fits || (op[0] != '!' && op.size() > 2) || op == "<<" || op == ">>") return std::nullopt;
  std::set<std::string> changed;
  for (const StmtId child : stmt.body) assigned_names(child, changed);
  if (changed.contains(loop.name)) return std::nullopt;
  const Expr& bound = unit_.expr(test.args[on_left ? 1 : 0]);
  if (bound.kind != ExprKind::kInt) {
    changed.insert(loop.name);
    std::set<std::string> used = changed;
    if (mentions(test.args[on_left ? 1 : 0], used)) return std::nullopt;
  }
  const Value limit = evaluate(test.args[on_left ? 1 : 0]);
  if (limit.kind != Value::Kind::kInt) return std::nullopt;
  loop.first = locals_[variable].value.node;
  loop.bound = op == "<=" || op == ">=" ? terms_.add(limit.node, terms_.constant(loop.step > 0 ? 1 : -1)) : limit.node;
  loop.until_equal = op == "!=";
  return loop;
}

void Walker::execute_for(const Stmt& stmt) {
  const std::size_t first = locals_.size();
  if (stmt.init != kNoNode) {
    const Stmt& init = unit_.stmt(stmt.init);
    if (init.kind == StmtKind::kBlock) {
      for (const StmtId child : init.body) execute(child);
    } else {
      execute(stmt.init);
    }
  }
  const std::optional<Loop> loop = recognise(stmt);
  if (loop) {
    run_loop(stmt, *loop);
  } else {
    run_unknown_loop(stmt);
  }
  locals_.resize(first);
}

void Walker::execute_while(const Stmt& stmt) { run_unknown_loop(stmt); }

void Walker::run_loop(const Stmt& stmt, const Loop& loop) {
  const std::int64_t size = std::abs(loop.step);
  NodeId distance = terms_.sub(loop.bound, loop.first);
  if (loop.step < 0) distance = terms_.scale(distance, -1);
  const Range range = terms_.node(distance).range;
  const std::int64_t most = floor_div(saturating_add(range.hi, size - 1), size);
  const bool is_exact = terms_.is_constant(distance) && (!loop.until_equal || range.hi % size == 0);
  if (loop.until_equal && !is_exact) return run_unknown_loop(stmt);
  if (most <= 0) return;
  const bool is_data = terms_.node(distance).data;
  const NodeId counter = is_data ? terms_.unknown({0, most - 1}) : terms_.loop_variable(most);
  const NodeId value = terms_.add(loop.first, terms_.scale(counter, loop.step));
  const std::size_t place = find_local(loop.name);
  locals_[place].value = int_value(value);
  const std::size_t guards = guards_.size();
  if (!terms_.is_constant(distance)) {
    guards_.push_back(loop.step > 0 ? terms_.less(value, loop.bound) : terms_.less(loop.bound, value));
  }
  run_body(stmt, counter, most, {loop.name});
  guards_.resize(guards);
  const NodeId last = terms_.add(loop.first, terms_.constant(saturating_mul(most, loop.step)));
  locals_[place].value = terms_.is_constant(distance) ? int_value(last) : unknown_of(*locals_[place].type);
  if (leaves(stmt.body, true)) guards_.push_back(terms_.unknown({0, 1}));
}

/// The body once, for all trips. Variables that it only steps by constants are linear in the counter.
void Walker::run_body(const Stmt& stmt, NodeId counter, std::int64_t trips, const std::set<std::string>& skip) {
  std::set<std::string> assigned;
  for (const StmtId child : stmt.body) assigned_names(child, assigned);
  std::map<std::string, Value> after;
  const bool may_leave = leaves(stmt.body, false);
  for (const std::string& name : assigned) {
    const std::size_t place = find_local(name);
    if (skip.contains(name) || place == SIZE_MAX || may_leave) continue;
    Value& value = locals_[place].value;
    const bool is_linear = value.kind == Value::Kind::kPointer || value.kind == Value::Kind::kInt;
    std::optional<std::int64_t> change = is_linear ? std::optional<std::int64_t>(0) : std::nullopt;
    for (const StmtId child : stmt.body) {
      const std::optional<std::int64_t> more = change ? delta(child, name, assigned) : std::nullopt;
      change = more ? std::optional<std::int64_t>(saturating_add(*change, *more)) : std::nullopt;
    }
    if (!change) continue;
    if (value.kind == Value::Kind::kPointer) {
      change = saturating_mul(*change, static_cast<std::int64_t>(pointee_bytes(*locals_[place].type)));
    }
    Value last = value;
    last.node = terms_.add(value.node, terms_.constant(saturating_mul(*change, trips)));
    after.emplace(name, last);
    value.node = terms_.add(value.node, terms_.scale(counter, *change));
  }
  std::set<std::string> unknown = assigned;
  for (const auto& [name, value] : after) unknown.erase(name);
  for (const std::string& name : skip) unknown.erase(name);
  forget(unknown);
  const std::size_t guards = guards_.size();
  if (may_leave) guards_.push_back(terms_.unknown({0, 1}));
  const std::uint64_t trips_before = trips_;
  if (__builtin_mul_overflow(trips_, static_cast<std::uint64_t>(trips), &trips_)) trips_ = UINT64_MAX;
  ++frames_.back().loops;
  execute_all(stmt.body);
  --frames_.back().loops;
  trips_ = trips_before;
  guards_.resize(guards);
  forget(unknown);
  for (const auto& [name, value] : after) locals_[find_local(name)].value = value;
}

void Walker::run_unknown_loop(const Stmt& stmt) {
  std::set<std::string> assigned;
  for (const StmtId child : stmt.body) assigned_names(child, assigned);
  for (const ExprId expr : {stmt.expr, stmt.step}) {
    if (expr != kNoNode) assigned_names_of_expr(expr, assigned);
  }
  forget(assigned);
  if (stmt.expr != kNoNode) evaluate(stmt.expr);
  const std::size_t guards = guards_.size();
  guards_.push_back(terms_.unknown({0, 1}));
  ++frames_.back().loops;
  forget(assigned);
  execute_all(stmt.body);
  if (stmt.step != kNoNode) evaluate(stmt.step);
  --frames_.back().loops;
  guards_.resize(guards);
  forget(assigned);
  if (leaves(stmt.body, true)) guards_.push_back(terms_.unknown({0, 1}));
}

/// By how much one execution of an expression steps a variable; none: not by a constant.
std::optional<std::int64_t> Walker::delta_of_expr(ExprId id, const std::string& name,
                                                  const std::set<std::string>& assigned) {
  std::set<std::string> inside;
  assigned_names_of_expr(id, inside);
  if (!inside.contains(name)) return 0;
  const Expr& expr = unit_.expr(id);
  if (expr.kind == ExprKind::kSelect || expr.text == "&&" || expr.text == "||") return std::nullopt;
  std::int64_t result = 0;
  if (is_assignment_to(unit_, expr, name)) {
    if (expr.kind == ExprKind::kUnary) return expr.text.find('+') != std::string::npos ? 1 : -1;
    const bool is_constant = (expr.text == "+=" || expr.text == "-=") && !mentions(expr.args[1], assigned);
    const Value amount = is_constant ? evaluate(expr.args[1]) : Value{};
    if (amount.kind != Value::Kind::kInt || !terms_.is_constant(amount.node)) return std::nullopt;
    result = expr.text == "+=" ? terms_.node(amount.node).value : -terms_.node(amount.node).value;
    return result;
  }
  for (const ExprId arg : expr.args) {
    const std::optional<std::int64_t> more = delta_of_expr(arg, name, assigned);
    if (!more) return std::nullopt;
    result = saturating_add(result, *more);
  }
  return result;
}

/// Trips of an inner loop whose bounds do not change in the outer one.
std::optional<std::int64_t> Walker::constant_trips(const Stmt& stmt) {
  if (stmt.init == kNoNode || stmt.expr == kNoNode || stmt.step == kNoNode) return std::nullopt;
  const Stmt& init = unit_.stmt(stmt.init);
  const Expr& test = unit_.expr(stmt.expr);
  const Expr& step = unit_.expr(stmt.step);
  const bool is_plain = init.kind == StmtKind::kDeclare && init.variable.init != kNoNode &&
                        test.kind == ExprKind::kBinary && test.text == "<" &&
                        unit_.expr(stripped(unit_, test.args[0])).text == init.variable.name &&
                        step.kind == ExprKind::kUnary && step.text.find("++") != std::string::npos;
  std::set<std::string> assigned;
  for (const StmtId child : stmt.body) assigned_names(child, assigned);
  if (!is_plain || assigned.contains(init.variable.name)) return std::nullopt;
  if (mentions(init.variable.init, assigned) || mentions(test.args[1], assigned)) return std::nullopt;
  const Value first = evaluate(init.variable.init);
  const Value bound = evaluate(test.args[1]);
  if (first.kind != Value::Kind::kInt || bound.kind != Value::Kind::kInt) return std::nullopt;
  const NodeId distance = terms_.sub(bound.node, first.node);
  if (!terms_.is_constant(distance)) return std::nullopt;
  return std::max<std::int64_t>(0, terms_.node(distance).value);
}

std::optional<std::int64_t> Walker::delta(StmtId id, const std::string& name, const std::set<std::string>& assigned) {
  std::set<std::string> inside;
  assigned_names(id, inside);
  if (!inside.contains(name)) return 0;
  const Stmt& stmt = unit_.stmt(id);
  if (stmt.kind == StmtKind::kExpr) return delta_of_expr(stmt.expr, name, assigned);
  if (stmt.kind == StmtKind::kDeclare) {
    if (stmt.variable.name == name || stmt.variable.init == kNoNode) return std::nullopt;
    return delta_of_expr(stmt.variable.init, name, assigned);
  }
  std::int64_t trips = 1;
  if (stmt.kind == StmtKind::kFor) {
    const std::optional<std::int64_t> constant = constant_trips(stmt);
    if (!constant) return std::nullopt;
    trips = *constant;
  } else if (stmt.kind != StmtKind::kBlock) {
    return std::nullopt;
  }
  std::int64_t result = 0;
  for (const StmtId child : stmt.body) {
    const std::optional<std::int64_t> more = delta(child, name, assigned);
    if (!more) return std::nullopt;
    result = saturating_add(result, *more);
  }
  return saturating_mul(result, trips);
}

}  // namespace detent::models::tvm::footprint
