// Histogram: makespans -> equal bins between the smallest and the largest.
#include "reports/view/histogram.hpp"

#include <algorithm>

namespace detent::reports {
namespace {

std::uint64_t bin_count(std::size_t values, std::size_t max_bins) {
  std::uint64_t bins = 1;
  while (bins * bins < values && bins < max_bins) ++bins;
  return bins;
}

}  // namespace

Histogram histogram_of(const std::vector<std::uint64_t>& values_ps, std::size_t max_bins) {
  Histogram out;
  if (values_ps.empty()) return out;
  const auto [low, high] = std::minmax_element(values_ps.begin(), values_ps.end());
  const std::uint64_t bins = std::min(bin_count(values_ps.size() * 4, max_bins), *high - *low + 1);
  out.begin_ps = *low;
  out.width_ps = (*high - *low) / bins + 1;
  out.counts.resize((*high - *low) / out.width_ps + 1);
  for (const std::uint64_t value : values_ps) ++out.counts[(value - out.begin_ps) / out.width_ps];
  return out;
}

}  // namespace detent::reports
