// Fields of tensors and ops -> columns.
#include "models/lower/value_tables.hpp"

namespace detent::models {

ValueTables value_tables(const Model& model) {
  ValueTables tables;
  if (!model.value_names.empty()) {
    tables.names = model.value_names;
    tables.tensor_values.reserve(model.tensors.size());
    for (const Tensor& tensor : model.tensors) tables.tensor_values.push_back(tensor.values);
  }
  if (!model.decisions.empty()) {
    tables.decisions = model.decisions;
    tables.guards.reserve(model.ops.size());
    for (const Op& op : model.ops) tables.guards.push_back(op.guards);
  }
  return tables;
}

}  // namespace detent::models
