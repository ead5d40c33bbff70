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
#include "base/ids.hpp"
#include "reports/data/time_grounds.hpp"
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

/// Times in ps; they add up to what the row adds to the bound.
struct BudgetRow {
  std::string kind;  ///< "op", "transfer", "release", "rest" (of the ops), "run" (begin and end), "load"
  std::optional<OpId> op{};
  std::string name{};
  std::uint64_t own_ps = 0;                      ///< the op's time on its core
  std::uint64_t overhead_ps = 0;                 ///< the runtime's steps
  std::vector<std::uint64_t> interference_ps{};  ///< by channel: what its clients add
  std::uint64_t delay_ps = 0;                    ///< a transfer or a release that the path waits for
  std::uint64_t others_ps = 0;                   ///< waiting for the op though the path does not need it
  std::uint64_t loads_ps = 0;                    ///< the cores belong to the load
  reports::TimeClass time{};                     ///< of the op

  [[nodiscard]] std::uint64_t interference_sum_ps() const;
  [[nodiscard]] std::uint64_t sum_ps() const;
};

/// Ops that have a row of their own, at most; the largest do.
inline constexpr std::size_t kMostRows = 10'000;

struct BoundBudget {
  std::string method;    ///< of the lowest upper bound but sag's; of equal ones the first
  std::string outcomes;  ///< of the case that it is of; empty: the model has no guards
  std::uint64_t bound_ps = 0;
  std::vector<std::string> channels{};
  std::vector<BudgetRow> rows{};  ///< those that add something, by op, then run and loads
  std::string fault{};            ///< fault_of_sum
};

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

/// `budget` of `detent.bound/1`; null where there is none.
Json budget_json(const std::optional<BoundBudget>& budget);
/// The largest rows, the rest as one, and what each client adds.
Lines budget_lines(const BoundBudget& budget);

}  // namespace detent::app
