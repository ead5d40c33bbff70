// What is made of the times of several rounds.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace detent::bench {

/// `values` is not empty.
inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// `values` is not empty.
inline double least(const std::vector<double>& values) { return *std::min_element(values.begin(), values.end()); }

/// Round by round; both have as many rounds.
inline std::vector<double> ratios(const std::vector<double>& times, const std::vector<double>& peers) {
  std::vector<double> result;
  for (std::size_t i = 0; i < times.size(); ++i) result.push_back(times[i] / peers[i]);
  return result;
}

}  // namespace detent::bench
