// detent show: what is in a model.
#pragma once

#include "app/answer/verdicts.hpp"
#include "app/model/loaded_model.hpp"

namespace detent::app {

struct ShowRequest {
  Request request{};
  ModelOptions model{.guards = ModelOptions::Guards::kKept, .weights = false};
};

/// Inputs, outputs, memory, shape of the graph, and ops by kernel, with the core classes and splits of the options.
/// Nothing is executed. @return  `detent.show/1`
/// @throws std::invalid_argument  as load
Answer show_model(const ShowRequest& options);

}  // namespace detent::app
