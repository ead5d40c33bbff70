#include "bench/networks/difference.hpp"

#include <algorithm>
#include <cmath>

namespace detent::bench {

Difference difference_of(const std::vector<float>& values, const std::vector<float>& peer) {
  Difference difference{.within = values.size() == peer.size()};
  for (std::size_t i = 0; i < std::min(values.size(), peer.size()); ++i) {
    const double reference = static_cast<double>(peer[i]);
    const double distance = std::abs(static_cast<double>(values[i]) - reference);
    const double size = std::abs(reference);
    difference.absolute = std::max(difference.absolute, distance);
    if (size > kAbsoluteTolerance) difference.relative = std::max(difference.relative, distance / size);
    const bool close = std::isfinite(reference) && distance <= kAbsoluteTolerance + kRelativeTolerance * size;
    difference.within = difference.within && close;
  }
  return difference;
}

}  // namespace detent::bench
