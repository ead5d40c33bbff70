#include "models/import/tvm/footprint/walk/loop_walk.hpp"

#include <algorithm>
#include <optional>

#include "models/import/tvm/footprint/terms/term_logic.hpp"
#include "models/import/tvm/footprint/walk/syntax.hpp"

namespace detent::models::tvm::footprint {
namespace {

Range range_after(const CType& type) { return is_pointer(type) ? Range{-kFar, kFar} : range_of(type); }

}  // namespace

void LoopWalk::execute_for(const Stmt& stmt) {
  const std::size_t first = walk_.scope.size();
  if (stmt.init != kNoNode) {
    const Stmt& init = walk_.unit.stmt(stmt.init);
    if (init.kind == StmtKind::kBlock) {
      for (const StmtId child : init.body) statements_.execute(child);
    } else {
      statements_.execute(stmt.init);
    }
  }
  execute_while(stmt);
  walk_.scope.shrink(first);
}

void LoopWalk::execute_while(const Stmt& stmt) {
  const std::optional<CountedLoop> loop = summary_.recognise(stmt);
  if (!loop || !run_counted(stmt, *loop)) run_unknown(stmt);
}

/// An error ends the program's use of the function: what follows is what happens when all goes well.
bool LoopWalk::may_leave_trip(const Stmt& stmt) const {
  return leaves(walk_.unit, stmt.body, {.errors_too = walk_.scope.depth() > 1});
}

bool LoopWalk::may_leave_function(const Stmt& stmt) const {
  return leaves(walk_.unit, stmt.body, {.only_function = true, .errors_too = walk_.scope.depth() > 1});
}

/// False: the number of trips has no useful form.
bool LoopWalk::run_counted(const Stmt& stmt, const CountedLoop& loop) {
  const std::int64_t size = std::abs(loop.step);
  NodeId distance = walk_.terms.sub(loop.bound, loop.first);
  if (loop.step < 0) distance = walk_.terms.scale(distance, -1);
  const Range range = walk_.terms.node(distance).range;
  const bool is_constant = walk_.terms.is_constant(distance);
  if (loop.until_equal && (!is_constant || range.hi < 0 || range.hi % size != 0)) return false;
  if (stmt.tests_last && !is_constant) return false;
  std::int64_t trips = floor_div(saturating_add(range.hi, size - 1), size);
  if (stmt.tests_last) trips = std::max<std::int64_t>(trips, 1);
  if (trips <= 0) return true;
  const bool is_data = walk_.terms.node(distance).data;
  const NodeId counter = is_data ? walk_.terms.unknown({0, trips - 1}) : walk_.terms.loop_variable(trips);
  const std::size_t guards = walk_.log.guard_count();
  if (!is_constant) {
    const NodeId value = walk_.terms.add(loop.first, walk_.terms.scale(counter, loop.step));
    walk_.log.push_guard(loop.step > 0 ? less(walk_.terms, value, loop.bound) : less(walk_.terms, loop.bound, value));
  }
  run_body(stmt, counter, trips, is_constant);
  walk_.log.drop_guards(guards);
  if (may_leave_function(stmt)) walk_.log.push_guard(walk_.terms.unknown({0, 1}));
  return true;
}

/// Removes the variables that it finds from `names`.
LoopWalk::Linear LoopWalk::find_linear(const Stmt& stmt, NodeId counter, std::int64_t trips, bool is_exact,
                                       std::set<std::string>& names) {
  Linear linear;
  for (const std::string& name : std::set<std::string>(names)) {
    const std::size_t place = walk_.scope.find(name);
    const bool is_linear =
        place != SIZE_MAX && walk_.scope[place].object == kNone &&
        (walk_.scope[place].value.kind == Value::Kind::kPointer || walk_.scope[place].value.kind == Value::Kind::kInt);
    std::optional<std::int64_t> change = is_linear ? summary_.delta_of_trip(stmt, name) : std::nullopt;
    if (!change) continue;
    Value value = walk_.scope[place].value;
    if (value.kind == Value::Kind::kPointer) {
      change = saturating_mul(*change, static_cast<std::int64_t>(pointee_bytes(*walk_.scope[place].type)));
    }
    const NodeId before = value.node;
    const NodeId in_trip = walk_.terms.add(before, walk_.terms.scale(counter, *change));
    const NodeId last = walk_.terms.add(before, walk_.terms.constant(saturating_mul(*change, trips)));
    const CType& type = *walk_.scope[place].type;
    const bool wraps = is_integer(type) && (type.scalar != CType::Scalar::kInt || type.scalar_bytes < 4);
    if (wraps && !holds_all(type, hull(walk_.terms.node(in_trip).range, walk_.terms.node(last).range))) continue;
    names.erase(name);
    value.node = in_trip;
    linear.in_trip.emplace(place, value);
    value.node = last;
    if (!is_exact || may_leave_trip(stmt)) value.node = walk_.terms.unknown(range_after(*walk_.scope[place].type));
    linear.after.emplace(place, value);
  }
  return linear;
}

/// The body once, for all trips. Variables that it only steps by constants are linear in the counter.
void LoopWalk::run_body(const Stmt& stmt, NodeId counter, std::int64_t trips, bool is_exact) {
  std::set<std::string> unknown = assigned_names(walk_.unit, stmt.body);
  std::set<std::string> rebased = rebased_names(walk_.unit, stmt.body);
  if (stmt.step != kNoNode) add_assigned_names(walk_.unit, stmt.step, unknown);
  if (stmt.step != kNoNode) add_rebased_names(walk_.unit, stmt.step, rebased);
  const Linear linear = find_linear(stmt, counter, trips, is_exact, unknown);
  forget(unknown, rebased);
  for (const auto& [place, value] : linear.in_trip) walk_.scope[place].value = value;
  const std::size_t guards = walk_.log.guard_count();
  if (may_leave_trip(stmt)) walk_.log.push_guard(walk_.terms.unknown({0, 1}));
  const std::uint64_t trips_before = walk_.findings.enter_trips(static_cast<std::uint64_t>(trips));
  run_trip(stmt, counter);
  walk_.findings.leave_trips(trips_before);
  walk_.log.drop_guards(guards);
  forget(unknown, rebased);
  for (const auto& [place, value] : linear.after) walk_.scope[place].value = value;
}

void LoopWalk::run_trip(const Stmt& stmt, NodeId counter) {
  const std::uint32_t outer = walk_.log.enter_loop(counter);
  ++walk_.scope.frame().loops;
  statements_.execute_all(stmt.body);
  if (stmt.step != kNoNode) evaluator_.evaluate(stmt.step);
  --walk_.scope.frame().loops;
  walk_.log.leave_loop(outer);
}

void LoopWalk::run_unknown(const Stmt& stmt) {
  std::set<std::string> assigned = assigned_names(walk_.unit, stmt.body);
  std::set<std::string> rebased = rebased_names(walk_.unit, stmt.body);
  for (const ExprId expr : {stmt.expr, stmt.step}) {
    if (expr == kNoNode) continue;
    add_assigned_names(walk_.unit, expr, assigned);
    add_rebased_names(walk_.unit, expr, rebased);
  }
  forget(assigned, rebased);
  const std::size_t guards = walk_.log.guard_count();
  walk_.log.push_guard(walk_.terms.unknown({0, 1}));
  if (stmt.expr != kNoNode) evaluator_.evaluate(stmt.expr);
  forget(assigned, rebased);
  run_trip(stmt, kNone);
  walk_.log.drop_guards(guards);
  forget(assigned, rebased);
  if (may_leave_function(stmt)) walk_.log.push_guard(walk_.terms.unknown({0, 1}));
}

/// @param rebased  those of the names that may point elsewhere, too
void LoopWalk::forget(const std::set<std::string>& names, const std::set<std::string>& rebased) {
  for (const std::string& name : names) {
    const std::size_t place = walk_.scope.find(name);
    if (place == SIZE_MAX) continue;
    Value& value = walk_.scope[place].value;
    if (value.kind == Value::Kind::kPointer && !rebased.contains(name)) {
      value.node = walk_.terms.unknown({-kFar, kFar});
    } else {
      value = walk_.arithmetic.unknown_of(*walk_.scope[place].type);
    }
  }
}

}  // namespace detent::models::tvm::footprint
