// Evaluator: expressions to values. Operands are evaluated once, in the order of the text.
#pragma once

#include <functional>
#include <utility>

#include "models/import/tvm/footprint/walk/walk_state.hpp"

namespace detent::models::tvm::footprint {

class Evaluator {
 public:
  /// @param call  evaluates an expression that is a call
  Evaluator(WalkState& walk, std::function<Value(const Expr&)> call) : walk_(walk), call_(std::move(call)) {}

  Value evaluate(ExprId id);
  /// The value is not used, as in (void)x[i]: accesses may not happen, since a compiler may leave out what has no
  /// effect.
  void evaluate_unused(ExprId id);
  /// A whole statement: if it is an assignment, its write comes after everything else in it.
  void evaluate_statement(ExprId id);
  Place place_of(ExprId id);

 private:
  Value evaluate_name(const Expr& expr);
  Value evaluate_unary(const Expr& expr);
  Value evaluate_sign(const Expr& expr);
  Value evaluate_address(const Expr& expr);
  Value evaluate_binary(const Expr& expr);
  Value evaluate_select(const Expr& expr);
  Value evaluate_cast(const Expr& expr);
  Value evaluate_part(ExprId id);
  Value evaluate_logic(const Expr& expr);
  Value evaluate_under(NodeId guard, ExprId id);
  Value evaluate_member(const Expr& expr);
  Value evaluate_unknown(const Expr& expr);
  Value assign(const Expr& expr);
  Value step(const Expr& expr);
  Place place_of_name(const Expr& expr);
  Place place_of_member(const Expr& expr);
  Place place_behind(const Value& pointer);

  WalkState& walk_;
  std::function<Value(const Expr&)> call_;
  const Expr* whole_statement_ = nullptr;
};

}  // namespace detent::models::tvm::footprint
