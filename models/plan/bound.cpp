// Lower bounds: the heaviest antichain of the sharing order by max flow (weighted Dilworth), and the op that touches
// the most bytes.
#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

#include "models/core/dag.hpp"
#include "models/plan/internal.hpp"

namespace detent::models::planner {
namespace {

constexpr std::uint64_t kUnlimited = UINT64_MAX / 4;

// Dinic's max flow on a small explicit graph.
class FlowNetwork {
 public:
  explicit FlowNetwork(std::size_t nodes) : arcs_of_(nodes), level_(nodes), next_(nodes) {}

  void add_arc(std::uint32_t from, std::uint32_t to, std::uint64_t capacity) {
    arcs_of_[from].push_back(static_cast<std::uint32_t>(arcs_.size()));
    arcs_.push_back({to, capacity});
    arcs_of_[to].push_back(static_cast<std::uint32_t>(arcs_.size()));
    arcs_.push_back({from, 0});
  }

  // False: given up after so many arcs looked at.
  bool maximise(std::uint32_t source, std::uint32_t sink, std::uint64_t most_steps) {
    while (label(source) && level_[sink] != kUnreached) {
      std::fill(next_.begin(), next_.end(), 0U);
      while (augment(source, sink) != 0) {
        if (steps_ > most_steps) return false;
      }
    }
    return true;
  }

  // After maximise: is there residual capacity on a way from the source?
  [[nodiscard]] bool reached(std::uint32_t node) const { return level_[node] != kUnreached; }

 private:
  static constexpr std::uint32_t kUnreached = UINT32_MAX;
  struct Arc {
    std::uint32_t to;
    std::uint64_t capacity;
  };

  bool label(std::uint32_t source) {
    std::fill(level_.begin(), level_.end(), kUnreached);
    std::queue<std::uint32_t> queue;
    level_[source] = 0;
    for (queue.push(source); !queue.empty(); queue.pop()) {
      const std::uint32_t node = queue.front();
      steps_ += arcs_of_[node].size();
      for (const std::uint32_t arc : arcs_of_[node]) {
        if (arcs_[arc].capacity == 0 || level_[arcs_[arc].to] != kUnreached) continue;
        level_[arcs_[arc].to] = level_[node] + 1;
        queue.push(arcs_[arc].to);
      }
    }
    return true;
  }

  // One augmenting path along rising levels, by an explicit stack of arcs.
  std::uint64_t augment(std::uint32_t source, std::uint32_t sink) {
    std::vector<std::uint32_t> path;
    std::uint32_t node = source;
    while (node != sink) {
      const std::uint32_t arc = next_open_arc(node);
      if (arc != kUnreached) {
        path.push_back(arc);
        node = arcs_[arc].to;
        continue;
      }
      if (path.empty()) return 0;
      level_[node] = kUnreached;
      node = arcs_[path.back() ^ 1U].to;
      path.pop_back();
    }
    std::uint64_t flow = kUnlimited;
    steps_ += path.size();
    for (const std::uint32_t arc : path) flow = std::min(flow, arcs_[arc].capacity);
    for (const std::uint32_t arc : path) {
      arcs_[arc].capacity -= flow;
      arcs_[arc ^ 1U].capacity += flow;
    }
    return flow;
  }

  std::uint32_t next_open_arc(std::uint32_t node) {
    for (; next_[node] < arcs_of_[node].size(); ++next_[node]) {
      ++steps_;
      const std::uint32_t arc = arcs_of_[node][next_[node]];
      const bool rises = level_[arcs_[arc].to] != kUnreached && level_[arcs_[arc].to] == level_[node] + 1;
      if (arcs_[arc].capacity != 0 && rises) return arc;
    }
    return kUnreached;
  }

  std::vector<Arc> arcs_;
  std::vector<std::vector<std::uint32_t>> arcs_of_;
  std::vector<std::uint32_t> level_;
  std::vector<std::uint32_t> next_;
  std::uint64_t steps_ = 0;
};

// Items that others follow in an order of their own: whoever precedes another stands before it, as it has more
// followers.
std::vector<std::uint32_t> by_followers(const BitMatrix& before) {
  std::vector<std::uint64_t> followers(before.size(), 0);
  for (std::size_t a = 0; a < before.size(); ++a) {
    for (std::size_t w = 0; w < before.words(); ++w) followers[a] += std::uint64_t(std::popcount(before.row(a)[w]));
  }
  std::vector<std::uint32_t> order(before.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, std::greater<>(), [&](std::uint32_t item) { return followers[item]; });
  return order;
}

// b directly follows a: nothing lies between. Arcs through the nodes make up for the rest.
std::vector<std::uint32_t> covers_of(const BitMatrix& before, const std::vector<std::uint32_t>& order, std::size_t a) {
  std::vector<std::uint64_t> between(before.words(), 0);
  std::vector<std::uint32_t> covers;
  for (const std::uint32_t b : order) {
    if (!before.test(a, b) || (between[b / 64] >> (b % 64) & 1U) != 0) continue;
    covers.push_back(b);
    for (std::size_t w = 0; w < before.words(); ++w) between[w] |= before.row(b)[w];
  }
  return covers;
}

// Adds items in the given order where they are related to none chosen so far.
LowerBound grow_antichain(const std::vector<Item>& items, const BitMatrix& related,
                          const std::vector<std::uint32_t>& order, std::uint32_t first) {
  std::vector<std::uint64_t> excluded(related.row(first), related.row(first) + related.words());
  LowerBound grown{items[first].size_bytes, {first}};
  for (const std::uint32_t item : order) {
    if (item == first || (excluded[item / 64] >> (item % 64) & 1U) != 0) continue;
    for (std::size_t w = 0; w < related.words(); ++w) excluded[w] |= related.row(item)[w];
    grown.bytes += items[item].size_bytes;
    grown.items.push_back(item);
  }
  std::sort(grown.items.begin(), grown.items.end());
  return grown;
}

}  // namespace

std::optional<LowerBound> heaviest_antichain(const std::vector<Item>& items, const BitMatrix& before,
                                             std::uint64_t most_steps) {
  const auto n = static_cast<std::uint32_t>(items.size());
  const std::uint32_t source = 2 * n;
  const std::uint32_t sink = 2 * n + 1;
  const std::vector<std::uint32_t> order = by_followers(before);
  FlowNetwork network(2 * static_cast<std::size_t>(n) + 2);  // item i: leaves at i, enters at n + i
  for (std::uint32_t i = 0; i < n; ++i) {
    network.add_arc(source, i, items[i].size_bytes);
    network.add_arc(n + i, sink, items[i].size_bytes);
    network.add_arc(n + i, i, kUnlimited);  // a chain may pass an item that another chain covers
    for (const std::uint32_t follower : covers_of(before, order, i)) network.add_arc(i, n + follower, kUnlimited);
  }
  if (!network.maximise(source, sink, most_steps)) return std::nullopt;
  LowerBound bound;
  for (std::uint32_t i = 0; i < n; ++i) {
    if (!network.reached(i) || network.reached(n + i)) continue;
    bound.items.push_back(i);
    bound.bytes += items[i].size_bytes;
  }
  return bound;
}

LowerBound greedy_antichain(const std::vector<Item>& items, const BitMatrix& before) {
  constexpr std::size_t kStarts = 32;
  const BitMatrix related = comparable(before);
  std::vector<std::uint32_t> by_size(items.size());
  std::iota(by_size.begin(), by_size.end(), 0U);
  std::stable_sort(by_size.begin(), by_size.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return items[a].size_bytes > items[b].size_bytes; });
  LowerBound best;
  for (std::size_t start = 0; start < std::min(kStarts, items.size()); ++start) {
    // Starts spread over the model: the heaviest item of each of kStarts stretches of ids.
    const auto stretch = [&](std::uint32_t item) { return item * kStarts / items.size() == start; };
    const auto first = std::find_if(by_size.begin(), by_size.end(), stretch);
    if (first == by_size.end()) continue;
    LowerBound grown = grow_antichain(items, related, by_size, *first);
    if (grown.bytes > best.bytes) best = std::move(grown);
  }
  return best;
}

namespace {

/// Ops in an order that at each step takes the ready one after which the most bytes live.
class LateFreeing {
 public:
  LateFreeing(const Model& model, const std::vector<Item>& items)
      : successors_(successor_lists(model)),
        waiting_(model.ops.size(), 0),
        touched_(items_by_op(items, model.ops.size())) {
    for (const Item& item : items) left_.push_back({item.users.size(), item.users.size(), item.size_bytes});
    for (const Edge& edge : model.edges) ++waiting_[edge.to];
  }

  std::vector<std::uint32_t> run() {
    for (std::uint32_t op = 0; op < waiting_.size(); ++op) {
      if (waiting_[op] == 0) push(op);
    }
    std::vector<std::uint32_t> order;
    while (!ready_.empty()) {
      const auto [shrinks, op] = ready_.top();
      ready_.pop();
      if (shrink_of(op) != shrinks) {  // more is freed now than when it got ready
        push(op);
        continue;
      }
      order.push_back(op);
      for (const std::uint32_t item : touched_[op]) --left_[item].users;
      for (const std::uint32_t next : successors_[op]) {
        if (--waiting_[next] == 0) push(next);
      }
    }
    return order;
  }

 private:
  using Entry = std::pair<std::int64_t, std::uint32_t>;

  void push(std::uint32_t op) { ready_.emplace(shrink_of(op), op); }

  /// Bytes that are freed after the op less those that it begins to use.
  [[nodiscard]] std::int64_t shrink_of(std::uint32_t op) const {
    std::int64_t shrinks = 0;
    for (const std::uint32_t item : touched_[op]) {
      const Left& left = left_[item];
      const auto size = static_cast<std::int64_t>(left.size_bytes);
      if (left.users == 1) shrinks += size;
      if (left.users == left.all_users) shrinks -= size;
    }
    return shrinks;
  }

  /// Users of an item that are to come, and what else of it is looked at with them.
  struct Left {
    std::size_t users, all_users;
    std::uint64_t size_bytes;
  };

  const Rows<std::uint32_t> successors_;
  std::vector<std::uint32_t> waiting_;
  const Rows<std::uint32_t> touched_;  ///< items by op
  std::vector<Left> left_;             ///< by item
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready_;
};

/// The heaviest set of items that live at one op. Items without users live always.
LowerBound widest_of(const std::vector<Item>& items, const std::vector<std::uint32_t>& order) {
  std::vector<std::size_t> position(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) position[order[i]] = i;
  std::vector<std::pair<std::size_t, std::size_t>> life;  // first and last user
  std::vector<std::uint64_t> born(order.size() + 1, 0), dead(order.size() + 1, 0);
  for (const Item& item : items) {
    std::pair<std::size_t, std::size_t> range{0, order.size()};
    if (!item.users.empty()) {
      const auto [first, last] = std::ranges::minmax(item.users, {}, [&](std::uint32_t op) { return position[op]; });
      range = {position[first], position[last]};
    }
    life.push_back(range);
    born[range.first] += item.size_bytes;
    dead[range.second] += item.size_bytes;
  }
  LowerBound bound;
  std::size_t widest = 0;
  std::uint64_t live = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    live += born[i];
    if (live > bound.bytes) widest = i;
    bound.bytes = std::max(bound.bytes, live);
    live -= dead[i];
  }
  for (std::uint32_t i = 0; i < items.size(); ++i) {
    if (life[i].first <= widest && widest <= life[i].second) bound.items.push_back(i);
  }
  return bound;
}

}  // namespace

LowerBound widest_moment(const Model& model, const std::vector<Item>& items, PlanOrder order) {
  LowerBound bound = widest_of(items, topological_order(model));
  if (order == PlanOrder::kSerial) return bound;
  LowerBound wider = widest_of(items, LateFreeing(model, items).run());
  return wider.bytes > bound.bytes ? wider : bound;
}

LowerBound largest_op_footprint(const Model& model, const std::vector<Item>& items,
                                const std::vector<Sharing>& sharings) {
  std::vector<std::uint64_t> touched(model.ops.size(), 0);
  for (const Item& item : items) {
    for (const std::uint32_t user : item.users) touched[user] += item.size_bytes;
  }
  // An item that several others may overwrite counts once.
  std::vector<std::uint32_t> overwritten_at(items.size(), kNone);
  for (const Sharing& sharing : sharings) {
    if (overwritten_at[sharing.from] == kNone) touched[sharing.op] -= items[sharing.from].size_bytes;
    overwritten_at[sharing.from] = sharing.op;
  }
  LowerBound bound;
  if (touched.empty()) return bound;
  const auto most = std::max_element(touched.begin(), touched.end());
  const auto op = static_cast<std::uint32_t>(most - touched.begin());
  bound.bytes = *most;
  for (std::uint32_t i = 0; i < items.size(); ++i) {
    if (overwritten_at[i] == op) continue;
    if (std::binary_search(items[i].users.begin(), items[i].users.end(), op)) bound.items.push_back(i);
  }
  return bound;
}

}  // namespace detent::models::planner
