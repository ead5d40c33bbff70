// How far two computations of one network lie apart.
#pragma once

#include <vector>

namespace detent::bench {

/// Elements may differ by this, plus this share of the peer's.
inline constexpr double kAbsoluteTolerance = 1e-6;
inline constexpr double kRelativeTolerance = 1e-3;

struct Difference {
  double absolute = 0;  ///< largest |a - b|
  double relative = 0;  ///< largest |a - b| / |b| where |b| is above kAbsoluteTolerance
  bool within = true;   ///< all elements are within both tolerances together, and as many on both sides
};

/// @param peer  finite numbers alone are within the tolerance
[[nodiscard]] Difference difference_of(const std::vector<float>& values, const std::vector<float>& peer);

}  // namespace detent::bench
