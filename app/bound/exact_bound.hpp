// The exact worst case of a model on a platform whose runtime costs nothing, under one policy.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/bound/bounds.hpp"
#include "app/bound/guarded_bounds.hpp"
#include "verify/timing/budget.hpp"
#include "verify/timing/witness.hpp"

namespace detent::app {

struct ExactQuestion {
  std::string policy = "id";  ///< id, priority, critical-path or fifo
  std::uint64_t max_states = 2'000'000;
  bool with_run = true;  ///< false: only the times are wanted, no run that attains them
};

/// The order that a policy means for a model.
/// @throws std::invalid_argument  no such policy
verify::ReadyOrder ready_order(const detent_desc& desc, const std::string& policy);

/// Does an op of one class wait for a mutex that an op of another class holds? Then the order in which the scheduler
/// looks at workers decides, and not the ranks alone.
bool has_mutex_of_several_classes(const verify::TimingProblem& problem);

/// Why no run of the definition of execution is what the platform does; empty: it is.
std::string outside_definition(const PlatformProblems& problems, const sim::Platform& platform, const BoundSpec& spec);
/// Can other clients of the platform lengthen ops beyond their own times?
bool is_inflated(const PlatformProblems& problems);

struct ExactBound {
  /// Exact where the times are those of the definition of execution; an upper bound where other DRAM clients may
  /// lengthen ops; where the limit was reached the lowest of the analytic bounds; unknown, with the reason, elsewhere.
  verify::Bound bound{};
  ExactSummary summary{};
  std::vector<verify::Response> responses{};      ///< empty: those of the analytic bounds hold
  verify::ReadyOrder order{};                     ///< of the policy
  std::optional<verify::ExactWitness> witness{};  ///< where exact
  std::optional<verify::Budget> budget{};         ///< of a run that takes bound_ps, where the analysis ended
};

/// @throws std::invalid_argument  no such policy
ExactBound exact_bound(const detent_desc& desc, const PlatformProblems& problems, const sim::Platform& platform,
                       const BoundSpec& spec, const ExactQuestion& question);

}  // namespace detent::app
