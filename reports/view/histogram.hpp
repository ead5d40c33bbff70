// Histogram: makespans -> equal bins between the smallest and the largest.
#pragma once

#include <cstdint>
#include <vector>

namespace detent::reports {

struct Histogram {
  std::uint64_t begin_ps = 0;  ///< lower edge of the first bin
  std::uint64_t width_ps = 1;  ///< of every bin; bin i holds [begin + i*width, begin + (i+1)*width)
  std::vector<std::uint64_t> counts;
};

/// At most `max_bins` bins, about the square root of the number of values. No bins for no values.
Histogram histogram_of(const std::vector<std::uint64_t>& values_ps, std::size_t max_bins);

}  // namespace detent::reports
