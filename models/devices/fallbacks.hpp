// Fallbacks: ops that may fail, each with an op of another class of cores behind it that computes its result again.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/core/model.hpp"

namespace detent::models {

/// Why an op can have no fallback; null: it can.
[[nodiscard]] const char* fallback_fault(const Model& model, const Op& op);

/// Who computes again what an op has failed to.
struct FallbackOn {
  std::string core_class{};       ///< empty: nobody
  double slower = 0;              ///< it takes so many times as long as the op, where that has a time of its own alone
  std::uint64_t watchdog_ps = 0;  ///< of the op that may fail (Op::watchdog_ps)
};

/// The op behind an op that may fail takes its place where it has failed: with the same kernel it computes the same
/// tensors from the same inputs, which the failed one cannot have overwritten. Whatever comes after the op comes after
/// both, so that a memory plan which holds for all orders of the edges still does. A failure is a byte of a region of
/// their own, "failures", where the model is planned.
/// @param wanted  by op; those that get one have no fault
/// @return  how many were added; the ids of ops behind them are higher by as many
/// @throws std::invalid_argument  a time that does not fit 64 bits
std::size_t add_fallbacks(Model& model, const std::vector<FallbackOn>& wanted);

/// The op that this one stands in for where it fails; kNone: it is no fallback that add_fallbacks made.
[[nodiscard]] std::uint32_t failing_op_of(const Model& model, std::uint32_t op);

}  // namespace detent::models
