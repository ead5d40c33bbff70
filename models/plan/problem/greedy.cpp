#include "models/plan/problem/greedy.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace detent::models::packing {
namespace {

PartPlacement place_in_order(const Part& part, const std::vector<std::uint32_t>& order) {
  PartPlacement result{0, std::vector<std::int64_t>(part.items.size())};
  std::vector<std::uint32_t> placed;  // by offset
  for (const std::uint32_t next : order) {
    const Item& item = part.items[next];
    std::int64_t offset = 0;
    for (const std::uint32_t other : placed) {
      const Item& neighbour = part.items[other];
      if (!live_at_once(item, neighbour)) continue;
      if (offset + item.size <= result.offsets[other]) break;
      offset = std::max(offset, aligned(result.offsets[other] + neighbour.size, item.align));
    }
    result.offsets[next] = offset;
    result.height = std::max(result.height, offset + item.size);
    const auto at = std::upper_bound(placed.begin(), placed.end(), offset,
                                     [&](std::int64_t a, std::uint32_t b) { return a < result.offsets[b]; });
    placed.insert(at, next);
  }
  return result;
}

}  // namespace

PartPlacement place_greedily(const Part& part) {
  PartPlacement best;
  for (int rule = 0; rule < 3; ++rule) {
    const auto key = [rule](const Item& item) {
      const auto lifetime = static_cast<double>(item.lifetime);
      const auto size = static_cast<double>(item.size);
      return rule == 0 ? size : rule == 1 ? size * lifetime : lifetime;
    };
    std::vector<std::uint32_t> order(part.items.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return key(part.items[a]) > key(part.items[b]); });
    PartPlacement placement = place_in_order(part, order);
    if (best.offsets.empty() || placement.height < best.height) best = std::move(placement);
  }
  return best;
}

}  // namespace detent::models::packing
