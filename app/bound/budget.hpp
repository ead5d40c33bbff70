// The lowest bound of a model as a table: op by op what it counts, and from whom that comes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/answer/answer.hpp"
#include "app/bound/bounds.hpp"
#include "app/bound/exact_bound.hpp"
#include "app/bound/guarded_bounds.hpp"
#include "app/model/loaded_model.hpp"
#include "reports/data/bound_budget.hpp"
#include "sim/platform/platform.hpp"

namespace detent::app {

/// A model as bounds take it: with all ops, or of one combination of outcomes.
struct BoundCase {
  const LoadedModel* loaded = nullptr;
  BoundSpec spec{};
};

/// What is bounded, and what was found.
struct BoundedCases {
  const sim::Platform& platform;
  std::vector<BoundCase> cases;  ///< a bound is the largest of theirs
  const ModelBounds& found;
  ExactQuestion exact{};  ///< of method exact
};

using reports::BoundBudget;
using reports::BudgetRow;

/// Ops that have a row of their own, at most; the largest do.
inline constexpr std::size_t kMostRows = 10'000;

/// Names of methods whose least result is the lowest upper bound: "exact" for smt, and the analytic ones in the place
/// of an exact analysis that has not ended.
std::vector<std::string> counted_methods(const ModelBounds& found);
/// The lowest known upper bound but that of method sag, the first of equal ones; null: none is known.
const verify::Bound* lowest_bound(const ModelBounds& found);

/// What a bound of verify counts on a platform, loads included; sources of times are not in it. None: it is not known,
/// whatever the schedule (upper_bound may still refuse it).
std::optional<BoundBudget> analytic_budget(const std::string& bound, const detent_desc& desc,
                                           const PlatformProblems& problems, const sim::Platform& platform);

/// "", or that rows do not add up to the bound: a fault of ours.
std::string fault_of_sum(const BoundBudget& budget);

/// None where no upper bound is known, or where it is Z3's alone; that of method sag does not count.
std::optional<BoundBudget> lowest_budget(const BoundedCases& bounded);

/// The largest rows, the rest as one, and what each client adds.
Lines budget_lines(const BoundBudget& budget);

}  // namespace detent::app
