// Fallbacks: ops that may fail, each with an op of another class of cores behind it that computes its result again.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/core/model.hpp"

namespace detent::models {

/// Why an op can have no fallback; null: it can.
[[nodiscard]] const char* fallback_fault(const Model& model, const Op& op);

/// The op behind an op that may fail takes its place where it has failed: with the same kernel it computes the same
/// tensors from the same inputs, which the failed one cannot have overwritten. Whatever comes after the op comes after
/// both, so that a memory plan which holds for all orders of the edges still does. A failure is a byte of a region of
/// their own, "failures", where the model is planned.
/// @param classes  by op: the class of cores that computes again; empty: no fallback. Of ops without a fault
/// @return  how many were added; the ids of ops behind them are higher by as many
std::size_t add_fallbacks(Model& model, const std::vector<std::string>& classes);

/// The op that this one stands in for where it fails; kNone: it is no fallback that add_fallbacks made.
[[nodiscard]] std::uint32_t failing_op_of(const Model& model, std::uint32_t op);

}  // namespace detent::models
