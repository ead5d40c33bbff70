// How far two computations of one network lie apart.
#pragma once

#include <cstddef>
#include <vector>

namespace detent::bench {

/// Most that a difference may be, as a share of the largest magnitude in its row. Sums in another order, through all
/// layers of yolov8n, were seen to make 1.3e-4.
inline constexpr double kTolerance = 1e-3;

struct Difference {
  double absolute = 0;  ///< largest |a - b|
  double share = 0;     ///< largest |a - b| / largest |b| of the row
  bool within = true;   ///< all numbers are finite, `share` is within the tolerance, and both have as many elements
};

/// Rows are what has one unit: a coordinate of all anchors, the probabilities of all classes.
/// @param columns  elements of a row, at least 1
[[nodiscard]] Difference difference_of(const std::vector<float>& values, const std::vector<float>& peer,
                                       std::size_t columns);

}  // namespace detent::bench
