// Declarations: variables, as they come into a scope.
#pragma once

#include <cstdint>

#include "models/import/tvm/footprint/walk/evaluator.hpp"
#include "models/import/tvm/footprint/walk/walk_state.hpp"

namespace detent::models::tvm::footprint {

class Declarations {
 public:
  Declarations(WalkState& walk, Evaluator& evaluator) : walk_(walk), evaluator_(evaluator) {}
  void declare(const Stmt& stmt);
  void declare_parameter(const Variable& param, Value value);

 private:
  void declare_outliving(const Variable& variable);
  Value initial_value(const Stmt& stmt);
  void declare_members(ObjectId object, std::int64_t at, ExprId init, const Value& value, const CType& type);
  [[nodiscard]] bool fits_members(const Expr& list, const Value& value, const RecordLayout& layout) const;
  bool declare_pool_use(const Stmt& stmt, const Value& value);
  void take_stack(const CType& type);

  WalkState& walk_;
  Evaluator& evaluator_;
};

/// {context_buffer_0_let, 108}: an address and the size of what lies there.
void note_literal_sizes(WalkState& walk, const Value& record);

}  // namespace detent::models::tvm::footprint
