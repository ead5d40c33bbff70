// The places of a memory plan without its figures.
#pragma once

#include "models/core/model.hpp"
#include "models/plan/options.hpp"

namespace detent::models {

/// Gives every base tensor the region and the offset that plan_memory gives it. The lower bound and the tensors at the
/// peak, which take their time where tensors are very many, are left out.
/// @throws InputError  as plan_memory
void place_tensors(Model& model, const PlanOptions& options = {});

}  // namespace detent::models
