// The values and guards of a Model, by the tensors and ops of its Desc.
#pragma once

#include "base/value_tables.hpp"
#include "models/core/model.hpp"

namespace detent::models {

/// What stands beside lower(model).desc(): tensors and ops have the same ids there. O(tensors + ops) where the model
/// has any values or guards, else nothing.
ValueTables value_tables(const Model& model);

}  // namespace detent::models
