#include "models/import/tvm/footprint/walk/interpreter.hpp"

#include <algorithm>
#include <string>

#include "models/import/tvm/footprint/terms/term_logic.hpp"
#include "models/import/tvm/footprint/walk/labels.hpp"
#include "models/import/tvm/footprint/walk/syntax.hpp"

namespace detent::models::tvm::footprint {

Interpreter::Interpreter(WalkState& walk)
    : walk_(walk),
      evaluator_(walk, [this](const Expr& expr) { return calls_.call(expr); }),
      declarations_(walk, evaluator_),
      loops_(walk, evaluator_, *this),
      calls_(walk, evaluator_, declarations_, *this) {}

Flow Interpreter::execute_all(const std::vector<StmtId>& body) {
  const std::size_t first = walk_.scope.size();
  const std::uint64_t stack = walk_.findings.stack();
  Flow flow = Flow::kNext;
  walk_.log.enter_block();
  for (const StmtId id : body) {
    flow = execute(id);
    if (flow == Flow::kStops) break;
    walk_.log.next_statement();
  }
  walk_.log.leave_block();
  walk_.scope.shrink(first);
  walk_.findings.set_stack(stack);
  return flow;
}

Flow Interpreter::execute(StmtId id) {
  const Stmt& stmt = walk_.unit.stmt(id);
  if (!walk_.findings.spend(stmt.line)) return Flow::kStops;
  switch (stmt.kind) {
    case StmtKind::kDeclare:
      declarations_.declare(stmt);
      return Flow::kNext;
    case StmtKind::kExpr:
      evaluator_.evaluate_statement(stmt.expr);
      return Flow::kNext;
    case StmtKind::kFor:
      loops_.execute_for(stmt);
      return Flow::kNext;
    case StmtKind::kWhile:
      loops_.execute_while(stmt);
      return Flow::kNext;
    case StmtKind::kIf:
      return execute_if(stmt);
    case StmtKind::kReturn:
      return execute_return(stmt);
    case StmtKind::kBlock:
      return execute_all(stmt.body);
    case StmtKind::kBreak:
    case StmtKind::kContinue:
      return Flow::kStops;
    case StmtKind::kGoto:
      return leave_function();
    case StmtKind::kLabel:
      return execute_label(stmt);
    case StmtKind::kUnknown:
      break;
  }
  walk_.findings.fail(stmt.line, "a statement that is not understood: " + (stmt.word.empty() ? "?" : stmt.word));
  return Flow::kNext;
}

/// A goto is a return, since labels stand only before returns.
Flow Interpreter::leave_function() {
  walk_.scope.frame().result = Value{};
  walk_.scope.frame().has_result = true;
  return Flow::kStops;
}

Flow Interpreter::execute_label(const Stmt& stmt) {
  if (is_labelled_return(walk_.unit, stmt)) {
    const Stmt& inner = walk_.unit.stmt(stmt.body[0]);
    if (inner.expr != kNoNode) evaluator_.evaluate(inner.expr);
    return leave_function();
  }
  walk_.findings.fail(stmt.line, kStrayLabel);
  return Flow::kNext;
}

Flow Interpreter::execute_return(const Stmt& stmt) {
  const std::size_t depth = walk_.scope.depth();
  const Value value = stmt.expr != kNoNode ? evaluator_.evaluate(stmt.expr) : Value{};
  Frame& now = walk_.scope.frame(depth - 1);  // calls in the expression have moved the frames
  const bool is_sure = walk_.log.guard_count() == now.first_guard && now.loops == 0 && !now.has_result;
  if (depth == 1 && returns_error(walk_.unit, stmt) && !is_sure) return Flow::kStops;
  now.result = is_sure ? value : Value{};
  now.has_result = true;
  return Flow::kStops;
}

/// Conditions that a part of the branch left behind end with it; what follows the branch may then not happen.
Interpreter::BranchEnd Interpreter::execute_branch(const std::vector<StmtId>& body, NodeId condition) {
  const std::size_t before = walk_.log.guard_count();
  walk_.log.push_guard(condition);
  const Flow flow = execute_all(body);
  const bool may_leave_early = walk_.log.guard_count() > before + 1;
  walk_.log.drop_guards(before);
  return {flow, may_leave_early};
}

Flow Interpreter::execute_if(const Stmt& stmt) {
  const NodeId condition = walk_.arithmetic.condition_of(evaluator_.evaluate(stmt.expr));
  const NodeId otherwise = logic_not(walk_.terms, condition);
  if (condition == walk_.terms.constant(1)) return execute_all(stmt.body);
  if (condition == walk_.terms.constant(0)) return execute_all(stmt.else_body);
  const std::vector<Value> start = walk_.scope.values();
  const std::uint64_t flops = walk_.findings.result().flops;
  const auto [first, first_leaves] = execute_branch(stmt.body, condition);
  const std::vector<Value> held = walk_.scope.values();
  const std::uint64_t flops_first = walk_.findings.result().flops;
  walk_.findings.result().flops = flops;
  walk_.scope.set_values(start);
  const auto [second, second_leaves] = execute_branch(stmt.else_body, otherwise);
  walk_.findings.result().flops = std::max(walk_.findings.result().flops, flops_first);
  if (first == Flow::kStops && second == Flow::kStops) return Flow::kStops;
  if (first == Flow::kNext && second == Flow::kNext) walk_.memory.merge(condition, held, walk_.scope.values());
  if (first == Flow::kNext && second == Flow::kStops) walk_.scope.set_values(held);
  const Leaving leaving = {.errors_too = walk_.scope.depth() > 1};
  const bool only_errors = !leaves(walk_.unit, stmt.body, leaving) && !leaves(walk_.unit, stmt.else_body, leaving);
  if (first != second && only_errors && walk_.terms.node(condition).data) walk_.findings.fail_on_data();
  if (first != second && !only_errors) walk_.log.push_guard(first == Flow::kStops ? otherwise : condition);
  if (first_leaves || second_leaves) walk_.log.push_guard(walk_.terms.unknown({0, 1}));
  return Flow::kNext;
}

}  // namespace detent::models::tvm::footprint
