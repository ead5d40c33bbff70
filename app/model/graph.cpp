#include "app/model/graph.hpp"

#include <stdexcept>

#include "app/model/desc_graph.hpp"
#include "models/core/decisions.hpp"
#include "models/core/op_graph.hpp"
#include "models/files/graph_file.hpp"
#include "reports/text/text.hpp"

namespace detent::app {

GraphFile graph_of(const std::string& model, ModelOptions options) {
  options.weights = false;
  options.guards = ModelOptions::Guards::kKept;
  const LoadedModel loaded = load(model, options);
  if (models::has_computed_decisions(loaded.model)) {
    throw std::invalid_argument(model + ": a graph file cannot say that tensors decide which ops run; keep the model");
  }
  models::Model graph = models::to_op_graph(loaded.model);
  try {
    put_ranges(loaded.desc(), &loaded.values, graph);
  } catch (const std::invalid_argument&) {
    // The tables do not say what reads want; verify says why. The ranges are as they were.
  }
  return {.ops = graph.ops.size(),
          .edges = graph.edges.size(),
          .ranges = graph.tensors.size(),
          .text = reports::escape_json(models::format_graph(graph)),
          .settings = loaded.settings};
}

}  // namespace detent::app
