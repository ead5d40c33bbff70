// Sums of sets: {a + b : a in A, b in B} for byte intervals, arithmetic progressions and sets of points.
#pragma once

#include <cstdint>
#include <vector>

#include "models/import/tvm/footprint/sets/byte_set.hpp"

namespace detent::models::tvm::footprint {

/// {0, stride, ..., (count - 1) * stride}; stride > 0, count > 0.
struct Progression {
  std::int64_t stride = 1, count = 1;
};

/// What an access adds to its base: every choice of one member of each progression and of one point of each set.
struct Summands {
  std::int64_t offset = 0;
  std::vector<Progression> progressions;
  std::vector<std::vector<std::int64_t>> points;

  /// {0, stride, ...} with any stride, also negative or zero.
  void add_progression(std::int64_t stride, std::int64_t count);
  /// Any points; what of them is a progression, or a sum of progressions, becomes one.
  void add_points(std::vector<std::int64_t> values);
};

struct SumResult {
  ByteSet bytes;
  bool exact = true;  ///< false: more than max_intervals; gaps were filled
};

/// All bytes [sum, sum + width).
SumResult sum_set(const Summands& summands, std::int64_t width, std::uint64_t max_intervals);

}  // namespace detent::models::tvm::footprint
