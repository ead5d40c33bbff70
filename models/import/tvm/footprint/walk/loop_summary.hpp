// LoopSummary: what the text of a loop says of its trips: how many there are, and by how much each steps a variable.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "models/import/tvm/footprint/walk/evaluator.hpp"
#include "models/import/tvm/footprint/walk/walk_state.hpp"

namespace detent::models::tvm::footprint {

/// for (v = first; v < bound; v += step), in terms
struct CountedLoop {
  std::string name;
  NodeId first = kNone, bound = kNone;  ///< bound: first value that is not taken (of the direction of step)
  std::int64_t step = 1;
  bool until_equal = false;
};

class LoopSummary {
 public:
  LoopSummary(WalkState& walk, Evaluator& evaluator) : walk_(walk), evaluator_(evaluator) {}
  /// None: it is not counted.
  std::optional<CountedLoop> recognise(const Stmt& stmt);
  /// The change of a variable in one trip; none: not by a constant.
  std::optional<std::int64_t> delta_of_trip(const Stmt& stmt, const std::string& name);

 private:
  /// v op bound
  struct Test {
    std::string name;
    BinaryOperator op = BinaryOperator::kNone;  ///< a comparison other than ==
    ExprId bound = kNoNode;
    std::vector<const CType*> casts;  ///< of v, outermost first
  };
  [[nodiscard]] std::optional<Test> test_of(const Stmt& stmt) const;
  [[nodiscard]] bool counts_in(const Test& test, const CountedLoop& loop, const CType& type) const;
  [[nodiscard]] bool mentions(ExprId id, const std::set<std::string>& names) const;
  [[nodiscard]] bool keeps_values(ExprId id, const CType& type) const;
  std::optional<std::int64_t> constant_trips(const Stmt& stmt, const std::set<std::string>& outer);
  std::optional<std::int64_t> delta(StmtId id, const std::string& name, const std::set<std::string>& assigned);
  std::optional<std::int64_t> delta_of_expr(ExprId id, const std::string& name, const std::set<std::string>& assigned);
  std::optional<std::int64_t> delta_of_assignment(const Expr& expr, const std::string& name,
                                                  const std::set<std::string>& assigned);

  WalkState& walk_;
  Evaluator& evaluator_;
};

}  // namespace detent::models::tvm::footprint
