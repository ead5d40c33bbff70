// detent plan: where every tensor lies.
#pragma once

#include <cstdint>
#include <string>

#include "app/answer/verdicts.hpp"
#include "app/model/loaded_model.hpp"
#include "models/plan/memory_plan.hpp"

namespace detent::app {

struct PlanRequest {
  Request request{};
  ModelOptions model{};              ///< split and winograd count
  std::string order = "parallel";    ///< parallel: valid for every schedule; serial: for one order only
  std::uint64_t capacity_bytes = 0;  ///< of the workspace; 0: unbounded
  std::string problem{};             ///< a memory problem instead of a model: a CSV file
  std::uint64_t max_nodes = 0;       ///< of the search for it; 0: about a minute
};

/// The plan that the model came with, or one made for it. @return  `detent.plan/1`
/// @throws std::invalid_argument  no such model; no plan within the capacity
Answer plan_model(const PlanRequest& options);

/// `offsets[]` of an answer: {tensor, name, region, offset, size}, of each tensor that is no view.
Json offsets_json(const models::Model& model, const models::MemoryPlan& plan);

/// plan_model or place_problem, whichever is asked for.
/// @throws std::invalid_argument  as these; both or neither is asked for; an option of the other one
Answer plan_memory(const PlanRequest& options, const OnProgress& on_progress);

}  // namespace detent::app
