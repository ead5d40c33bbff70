// Decisions that tensors hold: from the guards of a Model's ops to what checkers know of outcomes.
#pragma once

#include <vector>

#include "models/core/model.hpp"

namespace detent::models {

/// Can it hold a decision: a BOOL of one element, neither a view nor a range?
[[nodiscard]] bool is_condition(const Tensor& tensor);

/// Does a run itself take the model's decisions?
[[nodiscard]] bool has_computed_decisions(const Model& model);

/// Fill decisions and guards of a model whose ops are guarded by tensors: one decision per tensor, named like the op
/// that writes it (or like the tensor, where an input decides), with outcomes "else" (0) and "then" (1), of a fallible
/// op "works" (0) and "fails" (1). Others stay as they are. Again after ops have got other ids.
void derive_decisions(Model& model);

/// What the op decides by itself: a BOOL that it says its failure with, or its only output. kNone: nothing.
[[nodiscard]] std::uint32_t decided_tensor(const Model& model, const Op& op);

/// By tensor: a guarded op decides with it, so it keeps its bytes for the whole run (DETENT_OP_GUARDED, desc.h).
[[nodiscard]] std::vector<bool> lasting_tensors(const Model& model);

}  // namespace detent::models
