// The lowest bound of a model, whatever it was found with -> what it counts, and which times move it.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "app/bound/budget.hpp"
#include "app/bound/sensitivity.hpp"
#include "app/explore/combinations.hpp"

namespace detent::app {

/// Bounds that were found, and how.
struct CountedQuestion {
  const std::string& name;    ///< that the model was loaded from, once more for each combination of outcomes
  const ModelOptions& model;  ///< likewise
  const LoadedModel& whole;   ///< with all its ops
  const Combinations& combinations;
  const sim::Platform& platform;
  std::function<BoundSpec(const LoadedModel&)> spec_of;  ///< of the model, or of one combination
  const ModelBounds& found;
  const reports::TimeGrounds& times;  ///< of `whole`
  ExactQuestion exact{};              ///< of method exact
  SensitivityLimits limits{};
};

struct CountedBound {
  std::optional<BoundBudget> budget{};  ///< as lowest_budget
  Sensitivity sensitivity{};
};

CountedBound count_lowest_bound(const CountedQuestion& asked);

}  // namespace detent::app
