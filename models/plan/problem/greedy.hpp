// A part -> a placement at once, not the lowest: what the search has to better.
#pragma once

#include <cstdint>
#include <vector>

#include "models/plan/problem/parts.hpp"

namespace detent::models::packing {

struct PartPlacement {
  std::int64_t height = 0;
  std::vector<std::int64_t> offsets{};  ///< of items, units
};

/// One item after the other into the lowest gap that takes it, by size, by size times lifetime and by lifetime, the
/// largest first; the lowest of the three placements. O(items^2 * log items).
PartPlacement place_greedily(const Part& part);

}  // namespace detent::models::packing
