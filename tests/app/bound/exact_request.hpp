// What tests of exact worst cases ask.
#pragma once

#include <string>

#include "app/bound/bound_model.hpp"

namespace detent::app {

/// bound --method exact on bare cores.
inline BoundRequest exact_request(const std::string& model, const std::string& cores) {
  BoundRequest made;
  made.request.model = model;
  made.request.reproducible = true;
  made.cores = cores;
  made.method = "exact";
  return made;
}

}  // namespace detent::app
