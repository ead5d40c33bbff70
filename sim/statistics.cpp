#include "sim/statistics.hpp"

#include <algorithm>

namespace detent::sim {
namespace {

std::uint64_t first_run_with(const std::vector<std::uint64_t>& makespans_ps, std::uint64_t value_ps) {
  return static_cast<std::uint64_t>(std::find(makespans_ps.begin(), makespans_ps.end(), value_ps) -
                                    makespans_ps.begin());
}

}  // namespace

std::uint64_t nearest_rank(const std::vector<std::uint64_t>& sorted, std::uint32_t percent) {
  const std::size_t rank = (sorted.size() * percent + 99) / 100;
  return sorted[rank == 0 ? 0 : rank - 1];
}

Summary summarize(const std::vector<std::uint64_t>& makespans_ps) {
  std::vector<std::uint64_t> sorted = makespans_ps;
  std::sort(sorted.begin(), sorted.end());
  Summary summary;
  summary.min_ps = sorted.front();
  summary.median_ps = nearest_rank(sorted, 50);
  summary.p99_ps = nearest_rank(sorted, 99);
  summary.max_ps = sorted.back();
  summary.worst_run = first_run_with(makespans_ps, summary.max_ps);
  summary.median_run = first_run_with(makespans_ps, summary.median_ps);
  return summary;
}

}  // namespace detent::sim
