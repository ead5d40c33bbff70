// detent plan: where every tensor lies.
#pragma once

#include <cstdint>
#include <string>

#include "app/answer/verdicts.hpp"

namespace detent::app {

struct PlanRequest {
  Request request{};
  std::uint32_t split = 1;
  std::string order = "parallel";    ///< parallel: valid for every schedule; serial: for one order only
  std::uint64_t capacity_bytes = 0;  ///< of the workspace; 0: unbounded
};

/// The plan that the model came with, or one made for it. @return  `detent.plan/1`
/// @throws std::invalid_argument  no such model; no plan within the capacity
Answer plan_model(const PlanRequest& options);

}  // namespace detent::app
