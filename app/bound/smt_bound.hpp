// The exact worst case once more, by Z3, and whether it says what the zones say.
#pragma once

#include <string>

#include "app/bound/exact_bound.hpp"
#include "verify/smt/solver/budget.hpp"

namespace detent::app {

struct ProvedBound {
  /// As ExactBound's where the proof is complete; else unknown, with the reason.
  verify::Bound bound{};
  ProofSummary summary{};
  /// "", or how Z3's runs, the zones and a list scheduler disagree: a fault of ours.
  std::string fault{};
};

/// @param exact  the same question, answered by zones; where both end they must agree
ProvedBound smt_bound(const PlatformProblems& problems, const sim::Platform& platform, const BoundSpec& spec,
                      const verify::smt::Limits& limits, const std::string& policy, const ExactBound& exact);

}  // namespace detent::app
