// Loops: counted ones become a variable; others are walked once with everything they change forgotten.
#include <algorithm>

#include "models/import/tvm/footprint/walk.hpp"

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

/// Of a variable when a loop has ended nobody knows where.
Range range_after(const CType& type) { return is_pointer(type) ? Range{-kFar, kFar} : range_of(type); }

/// Holds every value of the other one.
bool is_wider(const CType& type, const CType& other) {
  if (!is_integer(type) || !is_integer(other)) return false;
  const Range mine = range_of(type), its = range_of(other);
  return type.scalar != CType::Scalar::kBool && mine.lo <= its.lo && mine.hi >= its.hi &&
         type.scalar_bytes >= other.scalar_bytes;
}

bool holds_all(const CType& type, const Range& values) {
  const Range range = range_of(type);
  return type.scalar != CType::Scalar::kBool && values.lo >= range.lo && values.hi <= range.hi && values.hi < kFar;
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

void Walker::each_expression(StmtId id, const std::function<void(ExprId)>& visit) const {
  const Stmt& stmt = unit_.stmt(id);
  for (const ExprId expr : {stmt.expr, stmt.step, stmt.variable.init}) {
    if (expr != kNoNode) visit(expr);
  }
  if (stmt.init != kNoNode) each_expression(stmt.init, visit);
  for (const StmtId child : stmt.body) each_expression(child, visit);
  for (const StmtId child : stmt.else_body) each_expression(child, visit);
}

void Walker::assigned_names(StmtId id, std::set<std::string>& names) const {
  each_expression(id, [&](ExprId expr) { assigned_names_of_expr(expr, names); });
}

bool Walker::mentions(ExprId id, const std::set<std::string>& names) const {
  const Expr& expr = unit_.expr(id);
  if (expr.kind == ExprKind::kName && (names.contains(expr.text) || find_local(expr.text) == SIZE_MAX)) return true;
  if (expr.kind == ExprKind::kCall || expr.kind == ExprKind::kIndex || expr.kind == ExprKind::kUnknown) return true;
  return std::any_of(expr.args.begin(), expr.args.end(), [&](ExprId arg) { return mentions(arg, names); });
}

/// Variables that get another pointer than one into what they point to now.
void Walker::rebased_names_of_expr(ExprId id, std::set<std::string>& names) const {
  const Expr& expr = unit_.expr(id);
  if (is_assignment_to(unit_, expr, "") && expr.text == "=") {
    const std::string& name = unit_.expr(expr.args[0]).text;
    const Expr& sum = unit_.expr(stripped(unit_, expr.args[1]));
    const bool is_sum = sum.kind == ExprKind::kBinary && (sum.text == "+" || sum.text == "-");
    const Expr* base = is_sum ? &unit_.expr(stripped(unit_, sum.args[0])) : nullptr;
    if (base == nullptr || base->kind != ExprKind::kName || base->text != name) names.insert(name);
  }
  for (const ExprId arg : expr.args) rebased_names_of_expr(arg, names);
}

void Walker::rebased_names(StmtId id, std::set<std::string>& names) const {
  each_expression(id, [&](ExprId expr) { rebased_names_of_expr(expr, names); });
}

/// @param rebased  those of the names that may point elsewhere, too
void Walker::forget(const std::set<std::string>& names, const std::set<std::string>& rebased) {
  for (const std::string& name : names) {
    const std::size_t place = find_local(name);
    if (place == SIZE_MAX) continue;
    Value& value = locals_[place].value;
    if (value.kind == Value::Kind::kPointer && !rebased.contains(name)) {
      value.node = terms_.unknown({-kFar, kFar});
    } else {
      value = unknown_of(*locals_[place].type);
    }
  }
}

/// The variable, comparison and bound of a loop's condition: v < bound, bound > v, ...
std::optional<Walker::Test> Walker::test_of(const Stmt& stmt) const {
  if (stmt.expr == kNoNode) return std::nullopt;
  const Expr& expr = unit_.expr(stmt.expr);
  const bool is_comparison =
      expr.kind == ExprKind::kBinary &&
      (expr.text == "<" || expr.text == "<=" || expr.text == ">" || expr.text == ">=" || expr.text == "!=");
  if (!is_comparison) return std::nullopt;
  std::set<std::string> changed;
  for (const StmtId child : stmt.body) assigned_names(child, changed);
  if (stmt.step != kNoNode) assigned_names_of_expr(stmt.step, changed);
  const auto is_stepped = [&](ExprId id) {
    const Expr& side = unit_.expr(stripped(unit_, id));
    return side.kind == ExprKind::kName && changed.contains(side.text);
  };
  const bool on_left = is_stepped(expr.args[0]);
  if (on_left == is_stepped(expr.args[1])) return std::nullopt;
  Test test;
  test.name = unit_.expr(stripped(unit_, expr.args[on_left ? 0 : 1])).text;
  test.bound = expr.args[on_left ? 1 : 0];
  test.op = expr.text;
  for (ExprId side = expr.args[on_left ? 0 : 1]; unit_.expr(side).kind == ExprKind::kCast;
       side = unit_.expr(side).args[0])
    test.casts.push_back(&unit_.expr(side).type);
  if (!on_left && test.op[0] != '!') test.op[0] = test.op[0] == '<' ? '>' : '<';
  if (mentions(test.bound, changed)) return std::nullopt;
  return test;
}

std::optional<Walker::Loop> Walker::recognise(const Stmt& stmt) {
  const std::optional<Test> test = test_of(stmt);
  const std::size_t variable = test ? find_local(test->name) : SIZE_MAX;
  if (variable == SIZE_MAX || locals_[variable].object != kNone) return std::nullopt;
  if (locals_[variable].value.kind != Value::Kind::kInt) return std::nullopt;
  const std::optional<std::int64_t> step = delta_of_trip(stmt, test->name);
  if (!step || *step == 0) return std::nullopt;
  if (test->op != "!=" && (*step > 0) != (test->op[0] == '<')) return std::nullopt;
  const Value limit = evaluate(test->bound);
  if (limit.kind != Value::Kind::kInt) return std::nullopt;
  Loop loop;
  loop.name = test->name;
  loop.step = *step;
  loop.first = locals_[variable].value.node;
  loop.bound =
      test->op == "<=" || test->op == ">=" ? terms_.add(limit.node, terms_.constant(*step > 0 ? 1 : -1)) : limit.node;
  loop.until_equal = test->op == "!=";
  if (!counts_in(*test, loop, *locals_[variable].type)) return std::nullopt;
  return loop;
}

/// Does the variable, with the casts under which it is compared, keep every value that it takes? Else it wraps around.
bool Walker::counts_in(const Test& test, const Loop& loop, const CType& type) const {
  const Range first = terms_.node(loop.first).range, bound = terms_.node(loop.bound).range;
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
  execute_while(stmt);
  locals_.resize(first);
}

void Walker::execute_while(const Stmt& stmt) {
  const bool tests_last = stmt.tests_last;
  const std::optional<Loop> loop = recognise(stmt);
  if (!loop || !run_loop(stmt, *loop, tests_last)) run_unknown_loop(stmt);
}

/// False: the number of trips has no useful form.
bool Walker::run_loop(const Stmt& stmt, const Loop& loop, bool tests_last) {
  const std::int64_t size = std::abs(loop.step);
  NodeId distance = terms_.sub(loop.bound, loop.first);
  if (loop.step < 0) distance = terms_.scale(distance, -1);
  const Range range = terms_.node(distance).range;
  const bool is_constant = terms_.is_constant(distance);
  if (loop.until_equal && (!is_constant || range.hi < 0 || range.hi % size != 0)) return false;
  if (tests_last && !is_constant) return false;
  std::int64_t trips = floor_div(saturating_add(range.hi, size - 1), size);
  if (tests_last) trips = std::max<std::int64_t>(trips, 1);
  if (trips <= 0) return true;
  const bool is_data = terms_.node(distance).data;
  const NodeId counter = is_data ? terms_.unknown({0, trips - 1}) : terms_.loop_variable(trips);
  const std::size_t guards = guards_.size();
  if (!is_constant) {
    const NodeId value = terms_.add(loop.first, terms_.scale(counter, loop.step));
    guards_.push_back(loop.step > 0 ? terms_.less(value, loop.bound) : terms_.less(loop.bound, value));
  }
  run_body(stmt, counter, trips, is_constant);
  guards_.resize(guards);
  if (leaves(stmt.body, true)) guards_.push_back(terms_.unknown({0, 1}));
  return true;
}

/// The change of a variable in one trip; none: not by a constant.
std::optional<std::int64_t> Walker::delta_of_trip(const Stmt& stmt, const std::string& name) {
  std::set<std::string> assigned;
  for (const StmtId child : stmt.body) assigned_names(child, assigned);
  const bool in_body = assigned.contains(name);
  if (stmt.step != kNoNode) assigned_names_of_expr(stmt.step, assigned);
  if (in_body && leaves(stmt.body, false)) return std::nullopt;
  std::optional<std::int64_t> change = 0;
  if (stmt.step != kNoNode) change = delta_of_expr(stmt.step, name, assigned);
  for (const StmtId child : stmt.body) {
    const std::optional<std::int64_t> more = change ? delta(child, name, assigned) : std::nullopt;
    change = more ? std::optional<std::int64_t>(saturating_add(*change, *more)) : std::nullopt;
  }
  return change;
}

void Walker::enter_loop(NodeId counter) {
  const bool is_counted = counter != kNone && terms_.node(counter).op == Op::kVariable;
  counters_.push_back(is_counted ? static_cast<VarId>(terms_.node(counter).value) : kNone);
  loop_ = static_cast<std::uint32_t>(counters_.size());
}

/// The body once, for all trips. Variables that it only steps by constants are linear in the counter.
void Walker::run_body(const Stmt& stmt, NodeId counter, std::int64_t trips, bool are_sure) {
  std::set<std::string> unknown, rebased;
  for (const StmtId child : stmt.body) assigned_names(child, unknown);
  for (const StmtId child : stmt.body) rebased_names(child, rebased);
  if (stmt.step != kNoNode) assigned_names_of_expr(stmt.step, unknown);
  if (stmt.step != kNoNode) rebased_names_of_expr(stmt.step, rebased);
  const bool may_leave = leaves(stmt.body, false);
  std::map<std::size_t, Value> start;
  std::map<std::size_t, Value> after;
  for (const std::string& name : std::set<std::string>(unknown)) {
    const std::size_t place = find_local(name);
    const bool is_linear =
        place != SIZE_MAX && locals_[place].object == kNone &&
        (locals_[place].value.kind == Value::Kind::kPointer || locals_[place].value.kind == Value::Kind::kInt);
    std::optional<std::int64_t> change = is_linear ? delta_of_trip(stmt, name) : std::nullopt;
    if (!change) continue;
    Value value = locals_[place].value;
    if (value.kind == Value::Kind::kPointer) {
      change = saturating_mul(*change, static_cast<std::int64_t>(pointee_bytes(*locals_[place].type)));
    }
    const NodeId before = value.node;
    const NodeId linear = terms_.add(before, terms_.scale(counter, *change));
    const NodeId last = terms_.add(before, terms_.constant(saturating_mul(*change, trips)));
    const CType& type = *locals_[place].type;
    const bool wraps = is_integer(type) && (type.scalar != CType::Scalar::kInt || type.scalar_bytes < 4);
    if (wraps && !holds_all(type, hull(terms_.node(linear).range, terms_.node(last).range))) continue;
    unknown.erase(name);
    value.node = linear;
    start.emplace(place, value);
    value.node = last;
    if (!are_sure || may_leave) value.node = terms_.unknown(range_after(*locals_[place].type));
    after.emplace(place, value);
  }
  forget(unknown, rebased);
  for (const auto& [place, value] : start) locals_[place].value = value;
  const std::size_t guards = guards_.size();
  if (may_leave) guards_.push_back(terms_.unknown({0, 1}));
  const std::uint64_t trips_before = trips_;
  if (__builtin_mul_overflow(trips_, static_cast<std::uint64_t>(trips), &trips_)) trips_ = UINT64_MAX;
  const std::uint32_t outer = loop_;
  enter_loop(counter);
  ++frames_.back().loops;
  execute_all(stmt.body);
  if (stmt.step != kNoNode) evaluate(stmt.step);
  --frames_.back().loops;
  loop_ = outer;
  trips_ = trips_before;
  guards_.resize(guards);
  forget(unknown, rebased);
  for (const auto& [place, value] : after) locals_[place].value = value;
}

void Walker::run_unknown_loop(const Stmt& stmt) {
  std::set<std::string> assigned, rebased;
  for (const StmtId child : stmt.body) assigned_names(child, assigned);
  for (const StmtId child : stmt.body) rebased_names(child, rebased);
  for (const ExprId expr : {stmt.expr, stmt.step}) {
    if (expr == kNoNode) continue;
    assigned_names_of_expr(expr, assigned);
    rebased_names_of_expr(expr, rebased);
  }
  forget(assigned, rebased);
  const std::size_t guards = guards_.size();
  guards_.push_back(terms_.unknown({0, 1}));
  if (stmt.expr != kNoNode) evaluate(stmt.expr);
  const std::uint32_t outer = loop_;
  enter_loop(kNone);
  ++frames_.back().loops;
  forget(assigned, rebased);
  execute_all(stmt.body);
  if (stmt.step != kNoNode) evaluate(stmt.step);
  --frames_.back().loops;
  loop_ = outer;
  guards_.resize(guards);
  forget(assigned, rebased);
  if (leaves(stmt.body, true)) guards_.push_back(terms_.unknown({0, 1}));
}

/// Does no cast around an expression lose a value of the type?
bool Walker::keeps_values(ExprId id, const CType& type) const {
  if (is_pointer(type)) return true;
  for (; unit_.expr(id).kind == ExprKind::kCast; id = unit_.expr(id).args[0]) {
    if (!is_wider(unit_.expr(id).type, type)) return false;
  }
  return true;
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
    ExprId by = expr.args[1];
    std::string op = expr.text.substr(0, expr.text.size() - 1);
    if (op.empty()) {  // x = x + by
      const CType& type = unit_.expr(expr.args[0]).type;
      const Expr& sum = unit_.expr(stripped(unit_, by));
      const bool is_sum = sum.kind == ExprKind::kBinary && sum.args.size() == 2 &&
                          unit_.expr(stripped(unit_, sum.args[0])).kind == ExprKind::kName &&
                          unit_.expr(stripped(unit_, sum.args[0])).text == name;
      if (!is_sum || !keeps_values(by, type) || !keeps_values(sum.args[0], type)) return std::nullopt;
      by = sum.args[1];
      op = sum.text;
    }
    const bool is_constant = (op == "+" || op == "-") && !mentions(by, assigned);
    const Value amount = is_constant ? evaluate(by) : Value{};
    if (amount.kind != Value::Kind::kInt || !terms_.is_constant(amount.node)) return std::nullopt;
    return op == "+" ? terms_.node(amount.node).value : -terms_.node(amount.node).value;
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
  const Range taken = hull(terms_.node(first.node).range, terms_.node(bound.node).range);
  if (!keeps_values(test.args[0], init.variable.type) || !holds_all(init.variable.type, taken)) return std::nullopt;
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
