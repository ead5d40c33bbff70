// A model as an op graph file, with the values that its reads want (detent.graph/2).
#pragma once

#include <cstddef>
#include <string>

#include "app/model/loaded_model.hpp"

namespace detent::app {

struct GraphFile {
  std::size_t ops = 0, edges = 0, ranges = 0;
  std::string text{};
  std::string settings{};  ///< LoadedModel::settings
};

/// @throws std::invalid_argument  as load
GraphFile graph_of(const std::string& model, ModelOptions options);

}  // namespace detent::app
