// An edge of a model by the names of its ops.
#pragma once

#include <algorithm>
#include <string>

#include "models/core/model.hpp"

namespace detent::models {

inline bool has_edge(const Model& model, const std::string& from, const std::string& to) {
  return std::any_of(model.edges.begin(), model.edges.end(), [&](const Edge& edge) {
    return model.ops[edge.from].name == from && model.ops[edge.to].name == to;
  });
}

}  // namespace detent::models
