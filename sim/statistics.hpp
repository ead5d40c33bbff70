// Statistics of a campaign: makespans by run -> nearest-rank quantiles and the runs that show them.
#pragma once

#include <cstdint>
#include <vector>

namespace detent::sim {

struct Summary {
  std::uint64_t min_ps = 0;
  std::uint64_t median_ps = 0;
  std::uint64_t p99_ps = 0;
  std::uint64_t max_ps = 0;
  std::uint64_t worst_run = 0;   ///< first run with max_ps
  std::uint64_t median_run = 0;  ///< first run with median_ps
};

/// Value of nearest rank: the ceil(percent/100 * n)-th smallest, n > 0. `sorted` ascends.
std::uint64_t nearest_rank(const std::vector<std::uint64_t>& sorted, std::uint32_t percent);

/// @param makespans_ps  by run number, not empty
Summary summarize(const std::vector<std::uint64_t>& makespans_ps);

}  // namespace detent::sim
