// Enumeration of a few variables: which values a weighted sum of terms takes where all conditions hold.
#pragma once

#include <cstdint>
#include <vector>

#include "models/import/tvm/footprint/terms/term.hpp"

namespace detent::models::tvm::footprint {

struct Enumeration {
  std::vector<VarId> vars;
  std::vector<Range> domains;  ///< of each variable
  std::vector<Summand> summands;
  std::vector<NodeId> guards;
};

/// Steps that one point takes at most.
std::uint64_t steps_of(const Terms& terms, const Enumeration& what);

/// The distinct values of the sum, ascending. With no summands: {0} or nothing, found as soon as one point fits.
/// The caller has limited the number of points.
std::vector<std::int64_t> enumerate(const Terms& terms, const Enumeration& what);

}  // namespace detent::models::tvm::footprint
