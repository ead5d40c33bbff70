// Items and their order -> offsets: best fit over several orders of items, then local search on the best order.
#include <algorithm>
#include <bit>
#include <numeric>

#include "models/plan/internal.hpp"

namespace detent::models::planner {
namespace {

using Order = std::vector<std::uint32_t>;

constexpr std::uint64_t kWorkBudget = 150'000'000;  // pair tests that the improvement may spend

// Places items one by one where they fit best among the conflicting ones already placed.
class Placer {
 public:
  Placer(const std::vector<Item>& items, const BitMatrix& before, const std::vector<Sharing>& sharings)
      : items_(items), conflicts_(comparable(before)), sharings_of_(items.size()) {
    for (std::size_t a = 0; a < items.size(); ++a) {
      std::uint64_t* const row = conflicts_.row(a);
      for (std::size_t w = 0; w < conflicts_.words(); ++w) row[w] = ~row[w];
      if (items.size() % 64 != 0) row[conflicts_.words() - 1] &= (std::uint64_t{1} << (items.size() % 64)) - 1;
      conflicts_.clear(a, a);
    }
    for (const Sharing& sharing : sharings) {
      sharings_of_[sharing.from].push_back(sharing);
      sharings_of_[sharing.to].push_back(sharing);
    }
  }

  // Gives up, with height UINT64_MAX, as soon as the height exceeds the limit.
  Layout place(const Order& order, std::uint64_t limit_bytes) {
    placed_.clear();
    Layout layout{0, std::vector<std::uint64_t>(items_.size())};
    for (const std::uint32_t item : order) {
      const std::uint64_t offset = sharings_of_[item].empty() ? best_offset(item) : best_shared_offset(item);
      layout.offsets[item] = offset;
      layout.height_bytes = std::max(layout.height_bytes, offset + items_[item].rounded_bytes);
      if (layout.height_bytes > limit_bytes) return {UINT64_MAX, {}};
      insert({offset, offset + items_[item].rounded_bytes, item});
    }
    return layout;
  }

  [[nodiscard]] const BitMatrix& conflicts() const { return conflicts_; }

 private:
  struct Placed {
    std::uint64_t begin, end;
    std::uint32_t item;
  };

  // The tightest gap between conflicting neighbours that is large enough; else above all of them.
  std::uint64_t best_offset(std::uint32_t item) const {
    const std::uint64_t size = items_[item].rounded_bytes;
    std::uint64_t top = 0;
    std::uint64_t best = UINT64_MAX;
    std::uint64_t best_gap = UINT64_MAX;
    for (const Placed& placed : placed_) {
      if (!conflicts_.test(item, placed.item)) continue;
      if (placed.begin > top && placed.begin - top >= size && placed.begin - top < best_gap) {
        best_gap = placed.begin - top;
        best = top;
      }
      top = std::max(top, placed.end);
    }
    return best != UINT64_MAX ? best : top;
  }

  /// Where an item may neither end behind `begin` nor start before `end`.
  struct Obstacle {
    std::int64_t begin, end;
  };

  /// What a placed item is to one that may share with it.
  [[nodiscard]] Obstacle obstacle(std::uint32_t item, const Placed& placed) const {
    Obstacle result{static_cast<std::int64_t>(placed.begin), static_cast<std::int64_t>(placed.end)};
    const auto size = static_cast<std::int64_t>(items_[item].rounded_bytes);
    for (const Sharing& sharing : sharings_of_[item]) {
      const bool is_on_top = sharing.to == item && sharing.from == placed.item;
      const bool is_below = sharing.from == item && sharing.to == placed.item;
      if (!is_on_top && !is_below) continue;
      const std::int64_t most = std::min<std::int64_t>(sharing.most_bytes, std::int64_t{1} << 56U);
      if (is_on_top) result.begin = std::max(result.begin, result.begin + most + size);
      if (is_below) result.end = std::min(result.end, result.begin - most);
    }
    return result;
  }

  /// As best_offset, where some of the placed items stand less in the way.
  [[nodiscard]] std::uint64_t best_shared_offset(std::uint32_t item) const {
    const auto size = static_cast<std::int64_t>(items_[item].rounded_bytes);
    std::vector<Obstacle> obstacles;
    for (const Placed& placed : placed_) {
      if (!conflicts_.test(item, placed.item)) continue;
      const Obstacle one = obstacle(item, placed);
      if (one.end - one.begin + size > 0) obstacles.push_back(one);  // else no start is forbidden
    }
    std::sort(obstacles.begin(), obstacles.end(), [](const Obstacle& a, const Obstacle& b) {
      return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
    });
    std::int64_t top = 0;
    std::int64_t best = -1;
    std::int64_t best_gap = INT64_MAX;
    for (const Obstacle& one : obstacles) {
      if (one.begin - top >= size && one.begin - top < best_gap) {
        best_gap = one.begin - top;
        best = top;
      }
      top = std::max(top, one.end);
    }
    return static_cast<std::uint64_t>(best >= 0 ? best : top);
  }

  void insert(const Placed& placed) {
    const auto less = [](const Placed& a, const Placed& b) {
      return a.begin != b.begin ? a.begin < b.begin : a.item < b.item;
    };
    placed_.insert(std::upper_bound(placed_.begin(), placed_.end(), placed, less), placed);
  }

  const std::vector<Item>& items_;
  BitMatrix conflicts_;
  std::vector<std::vector<Sharing>> sharings_of_;
  std::vector<Placed> placed_;  // by begin
};

template <typename Key>
Order order_by(const std::vector<Item>& items, const Key& key) {
  Order order(items.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return key(a) > key(b); });
  return order;
}

std::vector<Order> starting_orders(const std::vector<Item>& items, const BitMatrix& conflicts) {
  std::vector<std::uint64_t> crowd(items.size());  // bytes that may not share with the item
  for (std::size_t a = 0; a < items.size(); ++a) {
    for (std::size_t w = 0; w < conflicts.words(); ++w) {
      for (std::uint64_t rest = conflicts.row(a)[w]; rest != 0; rest &= rest - 1) {
        crowd[a] += items[w * 64 + static_cast<std::size_t>(std::countr_zero(rest))].rounded_bytes;
      }
    }
  }
  const auto size = [&](std::uint32_t i) { return items[i].rounded_bytes; };
  std::vector<Order> orders;
  orders.push_back(order_by(items, size));
  orders.push_back(order_by(items, [&](std::uint32_t i) { return crowd[i] + size(i); }));
  orders.push_back(order_by(items, [&](std::uint32_t i) { return static_cast<double>(crowd[i]) * double(size(i)); }));
  orders.push_back(order_by(items, [&](std::uint32_t i) { return items[i].users.size(); }));
  orders.push_back(order_by(items, [](std::uint32_t) { return 0; }));
  return orders;
}

// Own small generator: the search must give the same plan everywhere.
class Random {
 public:
  std::size_t below(std::size_t bound) {
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 7U;
    state_ ^= state_ << 17U;
    return static_cast<std::size_t>((state_ >> 11U) % bound);
  }

 private:
  std::uint64_t state_ = 0x9E3779B97F4A7C15ULL;
};

// An item that reaches the height, any of them.
std::size_t position_of_peak(const std::vector<Item>& items, const Layout& layout, const Order& order, Random& random) {
  std::vector<std::size_t> tops;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (layout.offsets[order[i]] + items[order[i]].rounded_bytes == layout.height_bytes) tops.push_back(i);
  }
  return tops[random.below(tops.size())];
}

// Move an item that stands at the peak, or any, to an earlier place in the order.
Order neighbour(const std::vector<Item>& items, const Layout& layout, Order order, Random& random) {
  const bool peak = random.below(3) != 0;
  const std::size_t from = peak ? position_of_peak(items, layout, order, random) : random.below(order.size());
  const std::size_t to = random.below(from + 1);
  std::rotate(order.begin() + static_cast<std::ptrdiff_t>(to), order.begin() + static_cast<std::ptrdiff_t>(from),
              order.begin() + static_cast<std::ptrdiff_t>(from) + 1);
  if (random.below(4) == 0) std::swap(order[random.below(order.size())], order[random.below(order.size())]);
  return order;
}

}  // namespace

Layout place(const std::vector<Item>& items, const BitMatrix& before, const std::vector<Sharing>& sharings,
             std::uint64_t stop_bytes, std::uint32_t rounds) {
  if (items.empty()) return {};
  Placer placer(items, before, sharings);
  Layout best{UINT64_MAX, {}};
  Order order;
  const std::vector<Order> starts =
      rounds == 0 ? std::vector<Order>{order_by(items, [&](std::uint32_t i) { return items[i].rounded_bytes; })}
                  : starting_orders(items, placer.conflicts());
  for (const Order& start : starts) {
    Layout layout = placer.place(start, best.height_bytes - 1);
    if (layout.height_bytes >= best.height_bytes) continue;
    best = std::move(layout);
    order = start;
  }
  const std::uint64_t affordable = kWorkBudget / (items.size() * items.size() / 2 + 1);
  const std::uint64_t limit = std::min<std::uint64_t>(rounds, affordable);
  Random random;
  for (std::uint64_t round = 0; round < limit && best.height_bytes > stop_bytes; ++round) {
    Order candidate = neighbour(items, best, order, random);
    Layout layout = placer.place(candidate, best.height_bytes);
    if (layout.height_bytes > best.height_bytes) continue;  // sideways steps are taken: they leave plateaus
    best = std::move(layout);
    order = std::move(candidate);
  }
  return best;
}

}  // namespace detent::models::planner
