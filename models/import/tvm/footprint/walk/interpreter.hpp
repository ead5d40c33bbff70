// Interpreter: statements in order; branches are both taken under their conditions.
#pragma once

#include <utility>
#include <vector>

#include "models/import/tvm/footprint/walk/calls.hpp"
#include "models/import/tvm/footprint/walk/declarations.hpp"
#include "models/import/tvm/footprint/walk/evaluator.hpp"
#include "models/import/tvm/footprint/walk/loop_walk.hpp"
#include "models/import/tvm/footprint/walk/walk_state.hpp"

namespace detent::models::tvm::footprint {

class Interpreter final : public StatementWalk {
 public:
  explicit Interpreter(WalkState& walk);
  Flow execute(StmtId id) override;
  Flow execute_all(const std::vector<StmtId>& body) override;
  void declare_parameter(const Variable& param, Value value) {
    declarations_.declare_parameter(param, std::move(value));
  }

 private:
  struct BranchEnd {
    Flow flow = Flow::kNext;
    bool may_leave_early = false;  ///< a part of the branch may skip what follows the branch
  };
  BranchEnd execute_branch(const std::vector<StmtId>& body, NodeId condition);
  Flow execute_if(const Stmt& stmt);
  Flow execute_return(const Stmt& stmt);
  Flow execute_label(const Stmt& stmt);
  Flow leave_function();

  WalkState& walk_;
  Evaluator evaluator_;
  Declarations declarations_;
  LoopWalk loops_;
  Calls calls_;
};

}  // namespace detent::models::tvm::footprint
