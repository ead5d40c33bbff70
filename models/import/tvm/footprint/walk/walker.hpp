// Walks an operator's statements once, with loops as symbolic variables, and notes every access to memory.
#pragma once

#include <cstdint>
#include <vector>

#include "models/import/tvm/footprint/memory/access_log.hpp"
#include "models/import/tvm/footprint/memory/function_footprint.hpp"
#include "models/import/tvm/footprint/memory/objects.hpp"
#include "models/import/tvm/footprint/terms/term.hpp"
#include "models/import/tvm/footprint/walk/walk_state.hpp"
#include "models/import/tvm/tree/ast.hpp"

namespace detent::models::tvm::footprint {

class Walker {
 public:
  Walker(const CUnit& unit, Terms& terms, const FootprintOptions& options) : walk_(unit, terms), options_(options) {}
  /// Fills everything of `result` but the byte sets.
  void run(const Function& function, FunctionFootprint& result);
  /// Every access that was met.
  [[nodiscard]] const AccessLog& log() const { return walk_.log; }
  [[nodiscard]] const std::vector<Object>& objects() const { return walk_.objects.all(); }
  /// May it return an error that depends on data? Then nothing of it is certain to happen.
  [[nodiscard]] bool fails_on_data() const { return walk_.findings.fails_on_data(); }
  /// What happens may depend on where buffers lie.
  [[nodiscard]] bool uses_addresses() const { return walk_.findings.uses_addresses(); }

 private:
  Value argument(const CType& type, std::uint32_t index);

  WalkState walk_;
  const FootprintOptions& options_;
};

}  // namespace detent::models::tvm::footprint
