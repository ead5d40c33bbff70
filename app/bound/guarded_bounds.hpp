// Bounds of a model whose ops have guards: of all its runs, whatever their outcomes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/bound/witness.hpp"
#include "app/explore/combinations.hpp"
#include "app/model/loaded_model.hpp"
#include "verify/timing/bounds.hpp"
#include "verify/timing/budget.hpp"
#include "verify/timing/response.hpp"

namespace detent::app {

/// Of an exact analysis.
struct ExactSummary {
  bool is_complete = false;
  std::uint64_t best_ps = 0;  ///< where complete: the shortest makespan
  std::uint64_t states = 0;   ///< symbolic ones, looked at
  std::string reason{};       ///< why the worst case is not known exactly; empty: it is
};

/// Of Z3's proof.
struct ProofSummary {
  bool is_complete = false;
  std::uint64_t best_ps = 0;  ///< where complete: the shortest makespan
  std::uint64_t questions = 0, steps = 0;
};

/// Of a schedule abstraction.
struct AbstractionSummary {
  bool is_complete = false;
  std::uint64_t best_ps = 0;  ///< no run is shorter
  std::uint64_t states = 0;   ///< looked at
};

/// Of the runs with these outcomes: the smallest upper bound.
struct OutcomeBound {
  std::string outcomes;  ///< as --outcome takes them
  std::string shown;     ///< the same for people
  std::string method;
  std::uint64_t bound_ps = 0;
};

/// The closed loop on the same cores, beside lists.
struct ClosedLoop {
  verify::Bound bound{};
  ExactSummary summary{};
};

/// What the exact worst case counts, and of which outcomes it is.
struct ExactBudget {
  std::uint64_t bound_ps = 0;
  verify::Budget budget{};
  std::string outcomes{};
};

/// Bounds of a model, or of one combination of outcomes of it.
struct ModelBounds {
  std::vector<verify::Bound> bounds;                ///< in the order in which they were asked for; unknown ones too
  std::vector<double> seconds;                      ///< that each took; on this host
  std::vector<verify::Response> responses;          ///< by op
  std::optional<ExactSummary> exact{};              ///< where it was asked for
  std::optional<ProofSummary> proof{};              ///< likewise
  std::optional<AbstractionSummary> abstraction{};  ///< likewise, where it applies
  std::string fault{};                              ///< "", or how two exact methods disagree: a fault of ours
  std::vector<OutcomeBound> by_outcome{};           ///< of a model with guards: combinations that have an upper bound
  std::optional<RunWitness> witness{};              ///< where the exact analysis ended and is exact
  std::optional<std::uint64_t> best_of_lists_ps{};
  std::optional<ClosedLoop> closed_loop{};    ///< beside lists
  std::optional<ExactBudget> exact_budget{};  ///< where the exact analysis ended
};

using BoundsOf = std::function<ModelBounds(const LoadedModel&)>;

/// Each bound is the largest of all combinations, each response the widest. Where there are too many to look at each,
/// upper bounds are those of the model in which every op runs, and lower ones of the combinations looked at; an exact
/// analysis is refused then, since a run may take longer without an op.
/// @throws std::invalid_argument  an exact analysis of too many combinations
/// @param options  with which `whole`, whose ops have guards, was loaded from `name`
ModelBounds bounds_of_combinations(const std::string& name, const ModelOptions& options, const LoadedModel& whole,
                                   const Combinations& combinations, const BoundsOf& bounds_of);

/// "each bound is the largest of all 2 combinations of outcomes, ...".
std::string describe_guarded_bounds(const Combinations& combinations);

}  // namespace detent::app
