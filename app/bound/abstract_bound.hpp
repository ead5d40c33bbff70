// What no run of a model on a platform exceeds under one policy, by schedule abstraction: where zones are too many.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/bound/bounds.hpp"
#include "app/bound/guarded_bounds.hpp"
#include "verify/abstraction/schedule_graph.hpp"

namespace detent::app {

struct AbstractQuestion {
  std::string policy = "id";  ///< as ExactQuestion
  std::uint64_t max_states = 0;
  std::uint32_t width = 1;  ///< states of one set of ops that has begun, at least 1
};

struct AbstractBound {
  verify::Bound
      bound{};  ///< "sag": never exact; unknown, with the reason, where the definition does not cover the model
  AbstractionSummary summary{};
  std::vector<verify::Response> responses{};  ///< the narrower of these and the analytic ones; empty: those hold
};

/// @param analytic  responses that hold for every work-conserving schedule
/// @throws std::invalid_argument  no such policy
AbstractBound abstract_bound(const detent_desc& desc, const PlatformProblems& problems, const sim::Platform& platform,
                             const BoundSpec& spec, const AbstractQuestion& question,
                             const std::vector<verify::Response>& analytic);

/// The same where outcomes of decisions are open and too many to look at each: a run without an op may take longer.
AbstractBound no_abstract_bound();

}  // namespace detent::app
