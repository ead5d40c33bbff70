// Calls: the C library, the TVM runtime, helpers whose bodies are here, and functions of which only the name is known.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "models/import/tvm/footprint/walk/declarations.hpp"
#include "models/import/tvm/footprint/walk/evaluator.hpp"
#include "models/import/tvm/footprint/walk/walk_state.hpp"

namespace detent::models::tvm::footprint {

/// memset; memcpy and memmove; memcmp
enum class MemoryFunction : std::uint8_t { kSet, kCopy, kCompare };

class Calls {
 public:
  Calls(WalkState& walk, Evaluator& evaluator, Declarations& declarations, StatementWalk& statements)
      : walk_(walk), evaluator_(evaluator), declarations_(declarations), statements_(statements) {}
  Value call(const Expr& expr);

 private:
  Value call_memory(const Expr& expr, MemoryFunction function, const std::vector<Value>& args);
  Value call_math(const Expr& expr, const std::string& name, const std::vector<Value>& args);
  Value call_inline(const Expr& expr, const Function& callee, const std::vector<Value>& args);
  Value call_unknown(const Expr& expr, const std::string& name, const std::vector<Value>& args);
  Value allocate(const std::vector<Value>& args);
  Value release(const std::vector<Value>& args);
  void note_listed_sizes(const std::vector<Value>& args);
  bool note_shaped(const Value& extents, const Value& buffer, ExprId argument);

  WalkState& walk_;
  Evaluator& evaluator_;
  Declarations& declarations_;
  StatementWalk& statements_;
  std::set<const Function*> checked_;  // whose labels were looked at
};

}  // namespace detent::models::tvm::footprint
