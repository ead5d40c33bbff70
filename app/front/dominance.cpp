#include "app/front/dominance.hpp"

#include <algorithm>

namespace detent::app {

std::vector<std::optional<Dominated>> find_dominated(const std::vector<PlanCost>& costs) {
  std::vector<std::size_t> order(costs.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return costs[a].bytes != costs[b].bytes ? costs[a].bytes < costs[b].bytes : costs[a].time_ps < costs[b].time_ps;
  });
  std::vector<std::optional<Dominated>> found(costs.size());
  std::size_t fastest = 0;  // among those before, which take no more bytes
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t point = order[i];
    if (i == 0 || costs[point].time_ps < costs[fastest].time_ps) {
      fastest = point;
      continue;
    }
    found[point] = {fastest, !costs[point].is_exact};
  }
  return found;
}

bool is_front_known(const std::vector<PlanCost>& costs, std::size_t plan) {
  bool is_alone = true, is_exact = costs[plan].is_exact;
  for (std::size_t other = 0; other < costs.size(); ++other) {
    if (other == plan || costs[other].bytes > costs[plan].bytes) continue;
    is_alone = false;
    is_exact = is_exact && costs[other].is_exact;
  }
  return is_alone || is_exact;
}

}  // namespace detent::app
