#include "app/bound/guarded_bounds.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

namespace detent::app {
namespace {

/// The longest of the longest runs, and the shortest of the shortest; none where one combination has none.
void widen_witness(std::optional<RunWitness>& all, const std::optional<RunWitness>& one) {
  if (!all || !one) {
    all.reset();
    return;
  }
  const std::string fault = all->fault + one->fault;
  const RunWitness longest = one->worst_ps > all->worst_ps ? *one : *all;
  const RunWitness shortest = one->best_ps < all->best_ps ? *one : *all;
  all = longest;
  all->best_ps = shortest.best_ps;
  all->best = shortest.best;
  all->fault = fault;
}

/// A run has the outcomes of one combination: what bounds them all bounds it, and the worst case of each is one of
/// theirs. Unknown is the largest of all.
void widen(ModelBounds& all, const ModelBounds& one) {
  for (std::size_t i = 0; i < all.bounds.size(); ++i) {
    all.seconds[i] += one.seconds[i];
    if (one.bounds[i].bound_ps > all.bounds[i].bound_ps) all.bounds[i] = one.bounds[i];
  }
  if (all.exact && one.exact) {
    all.exact->is_complete = all.exact->is_complete && one.exact->is_complete;
    all.exact->best_ps = std::min(all.exact->best_ps, one.exact->best_ps);
    all.exact->states += one.exact->states;
  }
  if (all.proof && one.proof) {
    all.proof->is_complete = all.proof->is_complete && one.proof->is_complete;
    all.proof->best_ps = std::min(all.proof->best_ps, one.proof->best_ps);
    all.proof->questions += one.proof->questions;
    all.proof->steps += one.proof->steps;
  }
  if (!one.abstraction) {
    all.abstraction.reset();
  } else if (all.abstraction) {
    all.abstraction->is_complete = all.abstraction->is_complete && one.abstraction->is_complete;
    all.abstraction->best_ps = std::min(all.abstraction->best_ps, one.abstraction->best_ps);
    all.abstraction->states += one.abstraction->states;
  }
  all.fault += one.fault;
  if (!all.exact_budget || !one.exact_budget) {
    all.exact_budget.reset();
  } else if (one.exact_budget->bound_ps > all.exact_budget->bound_ps) {
    all.exact_budget = one.exact_budget;
  }
  widen_witness(all.witness, one.witness);
  for (const verify::Response& response : one.responses) {
    verify::Response& known = *std::ranges::find(all.responses, response.op, &verify::Response::op);
    known.min_ps = std::min(known.min_ps, response.min_ps);
    known.max_ps = std::max(known.max_ps, response.max_ps);
  }
}

void note_outcome(const Combinations& combinations, std::size_t at, const ModelBounds& one,
                  std::vector<OutcomeBound>& list) {
  const verify::Bound* smallest = nullptr;
  for (const verify::Bound& bound : one.bounds) {
    const bool is_known = bound.is_upper && bound.bound_ps != verify::kUnknownPs;
    if (is_known && (smallest == nullptr || bound.bound_ps < smallest->bound_ps)) smallest = &bound;
  }
  if (smallest == nullptr) return;
  list.push_back({combinations.texts[at], combinations.shown[at], smallest->name, smallest->bound_ps});
}

/// An upper bound holds for all times up to the worst ones, none at all among them, so those of the model in which all
/// ops run hold for every run. Its critical path may lead through branches that exclude each other, so its lower bounds
/// do not; and an op may end at once.
void take_upper_bounds(ModelBounds& all, ModelBounds whole) {
  for (std::size_t i = 0; i < all.bounds.size(); ++i) {
    if (!whole.bounds[i].is_upper) continue;
    all.bounds[i] = std::move(whole.bounds[i]);
    all.seconds[i] = whole.seconds[i];
  }
  all.abstraction = whole.abstraction;
  all.responses = std::move(whole.responses);
  for (verify::Response& response : all.responses) response.min_ps = 0;
}

}  // namespace

ModelBounds bounds_of_combinations(const std::string& name, const ModelOptions& options, const LoadedModel& whole,
                                   const Combinations& combinations, const BoundsOf& bounds_of) {
  std::optional<ModelBounds> all;
  std::vector<OutcomeBound> by_outcome;
  for (std::size_t at = 0; at < combinations.texts.size(); ++at) {
    ModelOptions of_one = options;
    of_one.guards = ModelOptions::Guards::kResolved;
    of_one.outcomes = combinations.texts[at];
    of_one.weights = false;
    ModelBounds one = bounds_of(load(name, of_one));
    note_outcome(combinations, at, one, by_outcome);
    if (all) {
      widen(*all, one);
    } else {
      all = std::move(one);
    }
  }
  const bool is_watched =
      std::ranges::any_of(whole.model.ops, [](const models::Op& op) { return op.watchdog_ps != 0; });
  if (!combinations.is_whole && is_watched) {
    throw std::invalid_argument(
        "--set: with so many combinations of outcomes no bound counts the watchdogs of ops that may fail; give "
        "--failures N, or leave watchdog out");
  }
  if (!combinations.is_whole && all->exact) {
    throw std::invalid_argument(
        "--method exact: there are too many combinations of outcomes to look at each; say how decisions come out with "
        "--outcome");
  }
  all->by_outcome = std::move(by_outcome);
  if (!combinations.is_whole) take_upper_bounds(*all, bounds_of(whole));
  return std::move(*all);
}

std::string describe_guarded_bounds(const Combinations& combinations) {
  const std::string watched =
      combinations.has_watchdogs ? "; a watched op that fails may take any time up to that of its watchdog" : "";
  const std::string failures =
      combinations.has_failures ? "; an op that fails is taken to need as long as one that works, at least its best "
                                  "time: one that fails sooner breaks exact worst cases and earliest times, no other "
                                  "upper bound"
                                : "";
  return describe_combinations(combinations) +
         (combinations.is_whole ? "; each bound is the largest of them, so of exclusive branches the longer one counts"
                                : ", so upper bounds count every op as if it ran, and lower bounds are of those only") +
         failures + watched;
}

}  // namespace detent::app
