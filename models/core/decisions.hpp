// Decisions that tensors hold: from the guards of a Model's ops to what checkers know of outcomes.
#pragma once

#include <vector>

#include "models/core/model.hpp"

namespace detent::models {

/// Does a run itself take the model's decisions?
[[nodiscard]] bool has_computed_decisions(const Model& model);

/// Fill decisions and guards of a model whose ops are guarded by tensors: one decision per tensor, named like the op
/// that writes it (or like the tensor, where an input decides), with outcomes "else" (0) and "then" (1). Others stay as
/// they are. Again after ops have got other ids.
void derive_decisions(Model& model);

/// By tensor: a guarded op decides with it, so it keeps its bytes for the whole run (DETENT_OP_GUARDED, desc.h).
[[nodiscard]] std::vector<bool> lasting_tensors(const Model& model);

}  // namespace detent::models
