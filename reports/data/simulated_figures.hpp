// Figures of simulated runs beside their makespans: percentiles with intervals, and what a search for long runs found.
#pragma once

#include <cstdint>
#include <string>

namespace detent::reports {

/// A percentile of the runs whose op times were drawn.
struct Percentile {
  std::string name;                       ///< "median", "p99"
  std::uint64_t value_ps = 0;             ///< nearest rank
  bool has_interval = false;              ///< false: too few runs, and the percentile is not told
  std::uint64_t low_ps = 0, high_ps = 0;  ///< holds it with 95 % at least
  std::uint64_t needs_runs = 0;           ///< fewest that have an interval
};

/// Runs beside those, in which op times were chosen so that they are long.
struct LongRunSearch {
  std::uint64_t runs = 0;
  std::uint64_t all_worst_ps = 0;  ///< of the run in which every op takes its worst time
  std::uint64_t longest_ps = 0;
  bool is_longest = false;        ///< longer than every drawn run
  std::uint32_t shorter_ops = 0;  ///< ops of the longest that take less than their worst time
  std::string times{}, ties{};    ///< of the longest, as a replay line has them
};

}  // namespace detent::reports
