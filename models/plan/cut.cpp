// The heaviest set of items that live at one time, over all times that any schedule can show: a closed set of begun ops
// and ended items, by max flow (push and relabel) along the edges of the graph. Linear in memory.
#include <algorithm>
#include <deque>
#include <span>
#include <utility>

#include "models/plan/timeline.hpp"

namespace detent::models::planner {
namespace {

/// What has happened asks that something else has happened before: `from` asks for `to`.
struct Demand {
  std::uint32_t from, to;
};

/// The closed set of events of the greatest worth: gains are won with it, costs are paid.
class ClosedSet {
 public:
  ClosedSet(const std::vector<Demand>& demands, std::vector<std::uint64_t> gains, std::vector<std::uint64_t> costs)
      : demands_(demands),
        out_(gains.size(),
             [&](const auto& put) {
               for (std::uint32_t i = 0; i < demands.size(); ++i) put(demands[i].from, i);
             }),
        in_(gains.size(),
            [&](const auto& put) {
              for (std::uint32_t i = 0; i < demands.size(); ++i) put(demands[i].to, i);
            }),
        flow_(demands.size(), 0),
        excess_(std::move(gains)),
        room_(std::move(costs)),
        distance_(excess_.size()),
        next_(excess_.size()),
        is_queued_(excess_.size(), false) {}

  /// The set is closed whenever this ends; it is the best one where the steps are enough.
  void maximise(std::uint64_t most_steps) {
    label();
    std::size_t relabelled = 0;
    while (!active_.empty() && steps_ <= most_steps) {
      const std::uint32_t event = active_.front();
      active_.pop_front();
      is_queued_[event] = false;
      relabelled += discharge(event);
      if (relabelled <= distance_.size()) continue;
      relabelled = 0;
      label();
    }
    label();
  }

  [[nodiscard]] bool contains(std::uint32_t event) const { return distance_[event] == kFar; }

 private:
  static constexpr std::uint32_t kFar = UINT32_MAX;

  void activate(std::uint32_t event) {
    if (excess_[event] == 0 || distance_[event] == kFar || is_queued_[event]) return;
    is_queued_[event] = true;
    active_.push_back(event);
  }

  /// Distances to where there is room, over what can still flow. The set is what cannot reach any.
  void label() {
    std::ranges::fill(distance_, kFar);
    std::ranges::fill(next_, 0U);
    std::vector<std::uint32_t> queue;
    const auto reach = [&](std::uint32_t event, std::uint32_t distance) {
      if (distance_[event] != kFar) return;
      distance_[event] = distance;
      queue.push_back(event);
    };
    for (std::uint32_t event = 0; event < room_.size(); ++event) {
      if (room_[event] != 0) reach(event, 1);
    }
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const std::uint32_t event = queue[i];
      const std::uint32_t distance = distance_[event] + 1;
      for (const std::uint32_t demand : in_[event]) reach(demands_[demand].from, distance);
      for (const std::uint32_t demand : out_[event]) {
        if (flow_[demand] != 0) reach(demands_[demand].to, distance);
      }
      steps_ += in_[event].size() + out_[event].size();
    }
    for (std::uint32_t event = 0; event < excess_.size(); ++event) activate(event);
  }

  /// @return  how often it got another distance
  std::size_t discharge(std::uint32_t event) {
    std::size_t relabelled = 0;
    while (excess_[event] != 0 && distance_[event] != kFar) {
      if (distance_[event] == 1) fill_room(event);
      const std::size_t ways = out_[event].size() + in_[event].size();
      for (; excess_[event] != 0 && next_[event] < ways; ++next_[event]) push(event, next_[event]);
      if (excess_[event] == 0) break;
      relabel(event);
      ++relabelled;
    }
    return relabelled;
  }

  void fill_room(std::uint32_t event) {
    const std::uint64_t bytes = std::min(excess_[event], room_[event]);
    excess_[event] -= bytes;
    room_[event] -= bytes;
  }

  /// Along a demand without limit; against one, what has flowed along it.
  void push(std::uint32_t event, std::size_t way) {
    ++steps_;
    const std::span<const std::uint32_t> out = out_[event];
    const bool is_along = way < out.size();
    const std::uint32_t demand = is_along ? out[way] : in_[event][way - out.size()];
    const std::uint32_t to = is_along ? demands_[demand].to : demands_[demand].from;
    if (distance_[to] == kFar || distance_[to] + 1 != distance_[event]) return;
    const std::uint64_t bytes = is_along ? excess_[event] : std::min(excess_[event], flow_[demand]);
    if (bytes == 0) return;
    flow_[demand] = is_along ? flow_[demand] + bytes : flow_[demand] - bytes;
    excess_[event] -= bytes;
    excess_[to] += bytes;
    activate(to);
  }

  void relabel(std::uint32_t event) {
    std::uint32_t nearest = room_[event] != 0 ? 0 : kFar;
    for (const std::uint32_t demand : out_[event]) nearest = std::min(nearest, distance_[demands_[demand].to]);
    for (const std::uint32_t demand : in_[event]) {
      if (flow_[demand] != 0) nearest = std::min(nearest, distance_[demands_[demand].from]);
    }
    steps_ += out_[event].size() + in_[event].size();
    next_[event] = 0;
    distance_[event] = nearest > distance_.size() ? kFar : nearest + 1;
  }

  const std::vector<Demand>& demands_;
  const Rows<std::uint32_t> out_, in_;  // by event: demands
  std::vector<std::uint64_t> flow_;     // by demand
  std::vector<std::uint64_t> excess_;   // by event: gains that no cost takes up so far
  std::vector<std::uint64_t> room_;     // by event: costs that take up nothing so far
  std::vector<std::uint32_t> distance_, next_;
  std::vector<bool> is_queued_;
  std::deque<std::uint32_t> active_;
  std::uint64_t steps_ = 0;
};

}  // namespace

LowerBound heaviest_cut(const std::vector<Item>& items, const Timeline& line, const Rows<std::uint32_t>& followers,
                        std::uint64_t most_steps) {
  // Events: an op has begun; an item is over, numbered behind the ops.
  const std::size_t ops = line.successors.size();
  const auto over = [&](std::uint32_t item) { return static_cast<std::uint32_t>(ops + item); };
  std::vector<Demand> demands;
  std::vector<std::uint64_t> gains(ops + items.size(), 0), costs(ops + items.size(), 0);
  for (std::uint32_t op = 0; op < ops; ++op) {
    for (const std::uint32_t before : line.predecessors[op]) demands.push_back({op, before});
  }
  for (std::uint32_t item = 0; item < items.size(); ++item) {
    if (line.heads[item].empty()) continue;
    gains[line.heads[item].front()] += items[item].size_bytes;
    costs[over(item)] = items[item].size_bytes;
    for (const std::uint32_t op : followers[item]) demands.push_back({op, over(item)});
  }
  ClosedSet set(demands, std::move(gains), std::move(costs));
  set.maximise(most_steps);
  LowerBound bound;
  for (std::uint32_t item = 0; item < items.size(); ++item) {
    const std::span<const std::uint32_t> heads = line.heads[item];
    const bool lives = heads.empty() || (set.contains(heads.front()) && !set.contains(over(item)));
    if (!lives) continue;
    bound.items.push_back(item);
    bound.bytes += items[item].size_bytes;
  }
  return bound;
}

}  // namespace detent::models::planner
