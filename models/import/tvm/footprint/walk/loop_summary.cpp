#include "models/import/tvm/footprint/walk/loop_summary.hpp"

#include <algorithm>

#include "models/import/tvm/footprint/walk/syntax.hpp"

namespace detent::models::tvm::footprint {
namespace {

/// Does the loop run while its variable is below the bound?
bool counts_up(BinaryOperator op) { return op == BinaryOperator::kLess || op == BinaryOperator::kLessEqual; }

bool includes_bound(BinaryOperator op) {
  return op == BinaryOperator::kLessEqual || op == BinaryOperator::kGreaterEqual;
}

/// The comparison of b with a that says the same as this one of a with b.
BinaryOperator mirrored(BinaryOperator op) {
  if (op == BinaryOperator::kLess) return BinaryOperator::kGreater;
  if (op == BinaryOperator::kGreater) return BinaryOperator::kLess;
  if (op == BinaryOperator::kLessEqual) return BinaryOperator::kGreaterEqual;
  if (op == BinaryOperator::kGreaterEqual) return BinaryOperator::kLessEqual;
  return op;
}

}  // namespace

std::optional<CountedLoop> LoopSummary::recognise(const Stmt& stmt) {
  const std::optional<Test> test = test_of(stmt);
  const std::size_t variable = test ? walk_.scope.find(test->name) : SIZE_MAX;
  if (variable == SIZE_MAX || walk_.scope[variable].object != kNone) return std::nullopt;
  if (walk_.scope[variable].value.kind != Value::Kind::kInt) return std::nullopt;
  const std::optional<std::int64_t> step = delta_of_trip(stmt, test->name);
  if (!step || *step == 0) return std::nullopt;
  const bool until_equal = test->op == BinaryOperator::kNotEqual;
  if (!until_equal && (*step > 0) != counts_up(test->op)) return std::nullopt;
  const Value limit = evaluator_.evaluate(test->bound);
  if (limit.kind != Value::Kind::kInt) return std::nullopt;
  CountedLoop loop;
  loop.name = test->name;
  loop.step = *step;
  loop.first = walk_.scope[variable].value.node;
  loop.bound =
      includes_bound(test->op) ? walk_.terms.add(limit.node, walk_.terms.constant(*step > 0 ? 1 : -1)) : limit.node;
  loop.until_equal = until_equal;
  if (!counts_in(*test, loop, *walk_.scope[variable].type)) return std::nullopt;
  return loop;
}

/// The variable, comparison and bound of a loop's condition: v < bound, bound > v, ...
std::optional<LoopSummary::Test> LoopSummary::test_of(const Stmt& stmt) const {
  if (stmt.expr == kNoNode) return std::nullopt;
  const Expr& expr = walk_.unit.expr(stmt.expr);
  const bool is_test =
      expr.kind == ExprKind::kBinary && is_comparison(expr.binary) && expr.binary != BinaryOperator::kEqual;
  if (!is_test) return std::nullopt;
  std::set<std::string> changed = assigned_names(walk_.unit, stmt.body);
  if (stmt.step != kNoNode) add_assigned_names(walk_.unit, stmt.step, changed);
  const auto is_stepped = [&](ExprId id) {
    const Expr& side = walk_.unit.expr(stripped(walk_.unit, id));
    return side.kind == ExprKind::kName && changed.contains(side.text);
  };
  const bool on_left = is_stepped(expr.args[0]);
  if (on_left == is_stepped(expr.args[1])) return std::nullopt;
  Test test;
  test.name = walk_.unit.expr(stripped(walk_.unit, expr.args[on_left ? 0 : 1])).text;
  test.bound = expr.args[on_left ? 1 : 0];
  test.op = on_left ? expr.binary : mirrored(expr.binary);
  for (ExprId side = expr.args[on_left ? 0 : 1]; walk_.unit.expr(side).kind == ExprKind::kCast;
       side = walk_.unit.expr(side).args[0])
    test.casts.push_back(&walk_.unit.expr(side).type);
  if (mentions(test.bound, changed)) return std::nullopt;
  return test;
}

/// Does the variable, with the casts under which it is compared, keep every value that it takes? Else it wraps around.
bool LoopSummary::counts_in(const Test& test, const CountedLoop& loop, const CType& type) const {
  const Range first = walk_.terms.node(loop.first).range, bound = walk_.terms.node(loop.bound).range;
  const Range taken = loop.step > 0 ? Range{first.lo, std::max(first.hi, saturating_add(bound.hi, loop.step - 1))}
                                    : Range{std::min(first.lo, saturating_add(bound.lo, loop.step + 1)), first.hi};
  // A signed int or a wider one does not wrap: that would be undefined.
  const bool wraps = type.scalar != CType::Scalar::kInt || type.scalar_bytes < 4;
  const auto holds = [&](const CType& in) { return is_integer(in) && holds_all(in, taken); };
  if (wraps && !holds(type)) return false;
  const bool is_lossless = std::all_of(test.casts.begin(), test.casts.end(), [&](const CType* cast) {
    return is_integer(*cast) && (is_wider(*cast, type) || holds_all(*cast, taken));
  });
  return is_lossless;
}

bool LoopSummary::mentions(ExprId id, const std::set<std::string>& names) const {
  const Expr& expr = walk_.unit.expr(id);
  if (expr.kind == ExprKind::kName && (names.contains(expr.text) || walk_.scope.find(expr.text) == SIZE_MAX))
    return true;
  if (expr.kind == ExprKind::kCall || expr.kind == ExprKind::kIndex || expr.kind == ExprKind::kUnknown) return true;
  return std::any_of(expr.args.begin(), expr.args.end(), [&](ExprId arg) { return mentions(arg, names); });
}

/// Does no cast around an expression lose a value of the type?
bool LoopSummary::keeps_values(ExprId id, const CType& type) const {
  if (is_pointer(type)) return true;
  for (; walk_.unit.expr(id).kind == ExprKind::kCast; id = walk_.unit.expr(id).args[0]) {
    if (!is_wider(walk_.unit.expr(id).type, type)) return false;
  }
  return true;
}

std::optional<std::int64_t> LoopSummary::delta_of_trip(const Stmt& stmt, const std::string& name) {
  std::set<std::string> assigned = assigned_names(walk_.unit, stmt.body);
  const bool in_body = assigned.contains(name);
  if (stmt.step != kNoNode) add_assigned_names(walk_.unit, stmt.step, assigned);
  const bool is_called = walk_.scope.depth() > 1;
  if (in_body && leaves(walk_.unit, stmt.body, {.errors_too = is_called})) return std::nullopt;
  std::optional<std::int64_t> change = 0;
  if (stmt.step != kNoNode) change = delta_of_expr(stmt.step, name, assigned);
  for (const StmtId child : stmt.body) {
    const std::optional<std::int64_t> more = change ? delta(child, name, assigned) : std::nullopt;
    change = more ? std::optional<std::int64_t>(saturating_add(*change, *more)) : std::nullopt;
  }
  return change;
}

/// Trips of an inner loop that nothing leaves early and whose bounds do not change in the outer one.
std::optional<std::int64_t> LoopSummary::constant_trips(const Stmt& stmt, const std::set<std::string>& outer) {
  if (stmt.init == kNoNode || stmt.expr == kNoNode || stmt.step == kNoNode) return std::nullopt;
  const Stmt& init = walk_.unit.stmt(stmt.init);
  const Expr& test = walk_.unit.expr(stmt.expr);
  const Expr& step = walk_.unit.expr(stmt.step);
  const bool is_plain = init.kind == StmtKind::kDeclare && init.variable.init != kNoNode &&
                        test.is(BinaryOperator::kLess) &&
                        walk_.unit.expr(stripped(walk_.unit, test.args[0])).text == init.variable.name &&
                        step.kind == ExprKind::kUnary && is_increment(step.unary);
  if (!is_plain || assigned_names(walk_.unit, stmt.body).contains(init.variable.name)) return std::nullopt;
  if (leaves(walk_.unit, stmt.body, {.errors_too = walk_.scope.depth() > 1})) return std::nullopt;
  if (mentions(init.variable.init, outer) || mentions(test.args[1], outer)) return std::nullopt;
  const Value first = evaluator_.evaluate(init.variable.init);
  const Value bound = evaluator_.evaluate(test.args[1]);
  if (first.kind != Value::Kind::kInt || bound.kind != Value::Kind::kInt) return std::nullopt;
  const NodeId distance = walk_.terms.sub(bound.node, first.node);
  if (!walk_.terms.is_constant(distance)) return std::nullopt;
  const Range taken = hull(walk_.terms.node(first.node).range, walk_.terms.node(bound.node).range);
  if (!keeps_values(test.args[0], init.variable.type) || !holds_all(init.variable.type, taken)) return std::nullopt;
  return std::max<std::int64_t>(0, walk_.terms.node(distance).value);
}

std::optional<std::int64_t> LoopSummary::delta(StmtId id, const std::string& name,
                                               const std::set<std::string>& assigned) {
  if (!assigned_names(walk_.unit, {id}).contains(name)) return 0;
  const Stmt& stmt = walk_.unit.stmt(id);
  if (stmt.kind == StmtKind::kExpr) return delta_of_expr(stmt.expr, name, assigned);
  if (stmt.kind == StmtKind::kDeclare) {
    if (stmt.variable.name == name || stmt.variable.init == kNoNode) return std::nullopt;
    return delta_of_expr(stmt.variable.init, name, assigned);
  }
  std::int64_t trips = 1;
  if (stmt.kind == StmtKind::kFor) {
    const std::optional<std::int64_t> constant = constant_trips(stmt, assigned);
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

/// By how much one execution of an expression steps a variable; none: not by a constant.
std::optional<std::int64_t> LoopSummary::delta_of_expr(ExprId id, const std::string& name,
                                                       const std::set<std::string>& assigned) {
  std::set<std::string> inside;
  add_assigned_names(walk_.unit, id, inside);
  if (!inside.contains(name)) return 0;
  const Expr& expr = walk_.unit.expr(id);
  const bool is_logic = expr.is(BinaryOperator::kLogicAnd) || expr.is(BinaryOperator::kLogicOr);
  if (expr.kind == ExprKind::kSelect || is_logic) return std::nullopt;
  if (is_assignment_to(walk_.unit, expr, name)) return delta_of_assignment(expr, name, assigned);
  std::int64_t result = 0;
  for (const ExprId arg : expr.args) {
    const std::optional<std::int64_t> more = delta_of_expr(arg, name, assigned);
    if (!more) return std::nullopt;
    result = saturating_add(result, *more);
  }
  return result;
}

std::optional<std::int64_t> LoopSummary::delta_of_assignment(const Expr& expr, const std::string& name,
                                                             const std::set<std::string>& assigned) {
  if (expr.kind == ExprKind::kUnary) return is_increment(expr.unary) ? 1 : -1;
  ExprId by = expr.args[1];
  BinaryOperator op = expr.binary;
  if (expr.is_plain_assignment()) {  // x = x + by
    const CType& type = walk_.unit.expr(expr.args[0]).type;
    const Expr& sum = walk_.unit.expr(stripped(walk_.unit, by));
    const bool is_sum = sum.kind == ExprKind::kBinary && sum.args.size() == 2 &&
                        walk_.unit.expr(stripped(walk_.unit, sum.args[0])).kind == ExprKind::kName &&
                        walk_.unit.expr(stripped(walk_.unit, sum.args[0])).text == name;
    if (!is_sum || !keeps_values(by, type) || !keeps_values(sum.args[0], type)) return std::nullopt;
    by = sum.args[1];
    op = sum.binary;
  }
  const bool is_constant = (op == BinaryOperator::kAdd || op == BinaryOperator::kSubtract) && !mentions(by, assigned);
  const Value amount = is_constant ? evaluator_.evaluate(by) : Value{};
  if (amount.kind != Value::Kind::kInt || !walk_.terms.is_constant(amount.node)) return std::nullopt;
  return op == BinaryOperator::kAdd ? walk_.terms.node(amount.node).value : -walk_.terms.node(amount.node).value;
}

}  // namespace detent::models::tvm::footprint
