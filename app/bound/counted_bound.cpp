#include "app/bound/counted_bound.hpp"

#include <utility>
#include <vector>

namespace detent::app {
namespace {

/// Of a model with guards the combinations that its bounds are the largest of; empty: they are of the whole model.
std::vector<LoadedModel> load_combinations(const CountedQuestion& asked) {
  std::vector<LoadedModel> loaded;
  if (!asked.combinations.has_guards || !asked.combinations.is_whole) return loaded;
  for (const std::string& outcomes : asked.combinations.texts) {
    ModelOptions of_one = asked.model;
    of_one.guards = ModelOptions::Guards::kResolved;
    of_one.outcomes = outcomes;
    of_one.weights = false;
    loaded.push_back(load(asked.name, of_one));
  }
  return loaded;
}

}  // namespace

CountedBound count_lowest_bound(const CountedQuestion& asked) {
  const std::vector<LoadedModel> models = load_combinations(asked);
  BoundedCases bounded{.platform = asked.platform, .cases = {}, .found = asked.found, .exact = asked.exact};
  for (const LoadedModel& model : models) bounded.cases.push_back({&model, asked.spec_of(model)});
  if (models.empty()) bounded.cases.push_back({&asked.whole, asked.spec_of(asked.whole)});
  return {lowest_budget(bounded), find_sensitivity(bounded, asked.whole, asked.times, asked.limits)};
}

}  // namespace detent::app
