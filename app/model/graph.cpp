#include "app/model/graph.hpp"

#include "models/core/op_graph.hpp"
#include "models/files/graph_file.hpp"
#include "reports/text/text.hpp"

namespace detent::app {

GraphFile graph_of(const std::string& model, ModelOptions options) {
  options.weights = false;
  options.guards = true;
  const LoadedModel loaded = load(model, options);
  const models::Model graph = models::to_op_graph(loaded.model);
  return {.ops = graph.ops.size(),
          .edges = graph.edges.size(),
          .ranges = graph.tensors.size(),
          .text = reports::escape_json(models::format_graph(graph))};
}

}  // namespace detent::app
