// Statistics of a campaign: makespans by run -> exact quantiles, the runs that show them, moments, histogram.
// Everything reads the makespans in place and in run order, so 100 million runs need no second copy, and shards that
// were merged give the same bits as one campaign.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sim/types/result.hpp"

namespace detent::sim {

struct Summary {
  std::uint64_t min_ps = 0;
  std::uint64_t median_ps = 0;
  std::uint64_t p99_ps = 0;
  std::uint64_t max_ps = 0;
  std::uint64_t worst_run = 0;   ///< first run with max_ps
  std::uint64_t median_run = 0;  ///< first run with median_ps
};

/// The rank-th smallest value, rank from 1. Exact; passes over the values instead of sorting them.
/// @param values  at least `rank` of them
std::uint64_t value_of_rank(const std::vector<std::uint64_t>& values, std::uint64_t rank);

/// Value of nearest rank: the ceil(percent/100 * n)-th smallest (percent 0: the smallest), n > 0.
std::uint64_t nearest_rank(const std::vector<std::uint64_t>& values, std::uint32_t percent);

/// Ranks of order statistics between which the quantile lies with 95 % at least: each end is missed with 2.5 % at most.
/// None: too few values. @param percent  1 to 99
std::optional<std::pair<std::uint64_t, std::uint64_t>> interval_ranks(std::uint64_t count, std::uint32_t percent);

/// Fewest values that have such an interval.
std::uint64_t fewest_for_interval(std::uint32_t percent);

/// @param values  not empty
Percentile percentile(const std::vector<std::uint64_t>& values, std::uint32_t percent);

/// @param makespans_ps  by run number, not empty
Summary summarize(const std::vector<std::uint64_t>& makespans_ps);

struct Moments {
  double mean_ps = 0;
  double standard_error_ps = 0;  ///< of the mean: sample deviation / sqrt(n); 0 for one run
};
Moments moments(const std::vector<std::uint64_t>& makespans_ps);

/// Positions of the `count` largest values, largest first, ties by position.
std::vector<std::uint64_t> largest(const std::vector<std::uint64_t>& values, std::uint32_t count);

/// counts[i] values lie in [from + i * width, from + (i + 1) * width).
struct Histogram {
  std::uint64_t from_ps = 0;
  std::uint64_t width_ps = 1;
  std::vector<std::uint64_t> counts;
};

/// From the smallest to the largest value in at most `bins` bins of equal width, the last not empty. Values not empty.
Histogram histogram(const std::vector<std::uint64_t>& makespans_ps, std::uint32_t bins);

}  // namespace detent::sim
