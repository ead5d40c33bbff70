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

ValueTables value_tables(const Model& model, const Outcomes& outcomes) {
  ValueTables tables = value_tables(model);
  tables.decisions.clear();
  tables.guards.clear();
  tables.absent_writers.assign(tables.names.size(), kNone);
  const std::vector<bool> runs = ops_that_run(model, outcomes);
  for (std::uint32_t op = 0; op < model.ops.size(); ++op) {
    if (runs[op]) continue;
    for (const std::uint32_t tensor : model.ops[op].outputs) {
      for (const std::uint32_t value : model.tensors[tensor].values) tables.absent_writers[value] = op;
    }
  }
  return tables;
}

}  // namespace detent::models
