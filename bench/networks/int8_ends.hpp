// The ends of the integers of an int8 network: where both computations can be compared in quantisation steps, before
// exponentials and quotients of floats hide them.
#pragma once

#include "bench/networks/difference.hpp"
#include "models/core/model.hpp"

namespace detent::bench {

/// Make the I8 tensors that become F32 the only outputs, in the order of their ops. @return  false: there is none
bool end_at_integers(models::Model& model);

/// How far two computations of this network may lie apart that differ in rounding alone.
[[nodiscard]] StepLaw step_law_of(const models::Model& model);

}  // namespace detent::bench
