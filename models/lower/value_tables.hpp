// The values and guards of a Model, by the tensors and ops of its Desc.
#pragma once

#include "base/value_tables.hpp"
#include "models/core/model.hpp"
#include "models/core/outcomes.hpp"

namespace detent::models {

/// What stands beside lower(model).desc(): tensors and ops have the same ids there. O(tensors + ops) where the model
/// has any values or guards, else nothing.
ValueTables value_tables(const Model& model);

/// What is left of them in a run with these outcomes: values of tensors, and no guards. To be asked for before
/// apply_outcomes.
ValueTables value_tables(const Model& model, const Outcomes& outcomes);

}  // namespace detent::models
