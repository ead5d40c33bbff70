// LoopWalk: counted loops become a variable; others are walked once with everything they change forgotten.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "models/import/tvm/footprint/walk/evaluator.hpp"
#include "models/import/tvm/footprint/walk/loop_summary.hpp"
#include "models/import/tvm/footprint/walk/walk_state.hpp"

namespace detent::models::tvm::footprint {

class LoopWalk {
 public:
  LoopWalk(WalkState& walk, Evaluator& evaluator, StatementWalk& statements)
      : walk_(walk), evaluator_(evaluator), statements_(statements), summary_(walk, evaluator) {}
  void execute_for(const Stmt& stmt);
  void execute_while(const Stmt& stmt);

 private:
  /// Variables that a trip steps by constants, by index: what they hold in trip `counter`, and after the last one.
  struct Linear {
    std::map<std::size_t, Value> in_trip, after;
  };
  bool run_counted(const Stmt& stmt, const CountedLoop& loop);
  void run_unknown(const Stmt& stmt);
  /// @param is_exact  the loop makes all `trips`; false: at most so many
  void run_body(const Stmt& stmt, NodeId counter, std::int64_t trips, bool is_exact);
  void run_trip(const Stmt& stmt, NodeId counter);
  Linear find_linear(const Stmt& stmt, NodeId counter, std::int64_t trips, bool is_exact, std::set<std::string>& names);
  void forget(const std::set<std::string>& names, const std::set<std::string>& rebased);
  /// By break, continue, goto or return.
  [[nodiscard]] bool may_leave_trip(const Stmt& stmt) const;
  /// By goto or return.
  [[nodiscard]] bool may_leave_function(const Stmt& stmt) const;

  WalkState& walk_;
  Evaluator& evaluator_;
  StatementWalk& statements_;
  LoopSummary summary_;
};

}  // namespace detent::models::tvm::footprint
