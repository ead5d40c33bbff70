// A topological order that keeps close together what belongs together, the users of items in it, and what follows them.
#include "models/plan/timeline.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <span>

#include "models/core/dag.hpp"

namespace detent::models::planner {
namespace {

/// Each op as soon as the last one of its predecessors is done, if nothing has become ready since.
std::vector<std::uint32_t> depth_first_order(const Model& model) {
  const Rows<std::uint32_t> successors = successor_lists(model);
  std::vector<std::uint32_t> waiting(model.ops.size(), 0), ready, order;
  for (const Edge& edge : model.edges) ++waiting[edge.to];
  for (std::size_t op = waiting.size(); op-- > 0;) {
    if (waiting[op] == 0) ready.push_back(static_cast<std::uint32_t>(op));
  }
  while (!ready.empty()) {
    const std::uint32_t op = ready.back();
    ready.pop_back();
    order.push_back(op);
    const std::span<const std::uint32_t> next = successors[op];
    for (std::size_t i = next.size(); i-- > 0;) {
      if (--waiting[next[i]] == 0) ready.push_back(next[i]);
    }
  }
  return order;
}

/// From each op to the one behind it.
template <typename Put>
void put_series(std::size_t op_count, const Put& put) {
  for (std::uint32_t op = 0; op + 1 < op_count; ++op) put(op, op + 1);
}

class FollowerSearch {
 public:
  FollowerSearch(const Timeline& line, std::size_t most_ops)
      : line_(line),
        most_ops_(most_ops),
        size_(line.successors.size(), Size::kUnknown),
        counted_at_(line.successors.size(), kNone),
        reached_at_(line.successors.size(), kNone),
        reached_by_(line.successors.size(), 0) {}

  /// @return  until the next call
  const std::vector<std::uint32_t>& of(std::uint32_t item) {
    found_.clear();
    visited_ = 0;
    pick_users(line_.tails[item]);
    const std::uint64_t all = users_.size() == kMostUsers ? ~std::uint64_t{0} : (std::uint64_t{1} << users_.size()) - 1;
    for (std::size_t user = 0; user < users_.size() || !heap_.empty();) {
      const bool is_user = user < users_.size() && (heap_.empty() || users_[user] <= heap_.top());
      const std::uint32_t op = is_user ? users_[user] : heap_.top();
      if (!heap_.empty() && heap_.top() == op) heap_.pop();
      std::uint64_t users = reached_at_[op] == item ? reached_by_[op] : 0;
      if (is_user) users |= std::uint64_t{1} << user++;
      const bool follows_all = !is_user && users == all;
      const bool is_too_far = !is_user && user == users_.size() && visited_ >= most_ops_;
      if (follows_all || is_too_far) {
        found_.push_back(op);
      } else {
        pass_on(item, op, users);
      }
    }
    return found_;
  }

 private:
  static constexpr std::size_t kMostUsers = 64;     // that are told apart
  static constexpr std::size_t kFewFollowers = 64;  // so few are looked at in full
  enum class Size : std::uint8_t { kUnknown, kFew, kMany };

  /// What follows all follows some of them: those that few ops follow, if there are such, else the last ones.
  void pick_users(std::span<const std::uint32_t> tails) {
    users_.clear();
    const auto latest = tails.last(std::min(tails.size(), kMostUsers));
    std::ranges::copy_if(latest, std::back_inserter(users_), [&](std::uint32_t op) { return is_followed_by_few(op); });
    if (users_.empty()) users_.assign(latest.begin(), latest.end());
  }

  void pass_on(std::uint32_t item, std::uint32_t op, std::uint64_t users) {
    ++visited_;
    for (const std::uint32_t next : line_.successors[op]) {
      if (reached_at_[next] != item) {
        reached_at_[next] = item;
        reached_by_[next] = 0;
        heap_.push(next);
      }
      reached_by_[next] |= users;
    }
  }

  bool is_followed_by_few(std::uint32_t op) {
    if (size_[op] != Size::kUnknown) return size_[op] == Size::kFew;
    followers_.assign(1, op);
    for (std::size_t i = 0; i < followers_.size() && followers_.size() <= kFewFollowers; ++i) {
      for (const std::uint32_t next : line_.successors[followers_[i]]) {
        if (counted_at_[next] == op) continue;
        counted_at_[next] = op;
        followers_.push_back(next);
        if (followers_.size() > kFewFollowers) break;
      }
    }
    size_[op] = followers_.size() <= kFewFollowers ? Size::kFew : Size::kMany;
    return size_[op] == Size::kFew;
  }

  const Timeline& line_;
  const std::size_t most_ops_;
  std::size_t visited_ = 0;
  std::vector<Size> size_;                 // by op: of what follows it
  std::vector<std::uint32_t> counted_at_;  // by op: while the followers of which op were counted
  std::vector<std::uint32_t> reached_at_;  // by op: in the search for which item
  std::vector<std::uint64_t> reached_by_;  // by op: which users it follows
  std::vector<std::uint32_t> users_, found_, followers_;
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> heap_;
};

}  // namespace

Timeline make_timeline(const Model& model, const std::vector<Item>& items, PlanOrder order) {
  const bool is_serial = order == PlanOrder::kSerial;
  const std::vector<std::uint32_t> ops = is_serial ? topological_order(model) : depth_first_order(model);
  std::vector<std::uint32_t> position(ops.size());
  for (std::uint32_t i = 0; i < ops.size(); ++i) position[ops[i]] = i;
  Timeline line;
  const auto put_edges = [&](const auto& put) {
    if (is_serial) return put_series(ops.size(), put);
    for (const Edge& edge : model.edges) put(position[edge.from], position[edge.to]);
  };
  line.successors = Rows<std::uint32_t>(ops.size(), put_edges);
  line.predecessors = Rows<std::uint32_t>(
      ops.size(), [&](const auto& put) { put_edges([&](std::uint32_t from, std::uint32_t to) { put(to, from); }); });
  for (std::size_t op = 0; op < ops.size(); ++op) std::ranges::sort(line.successors[op]);
  Rows<std::uint32_t> users(items.size(), [&](const auto& put) {
    for (std::uint32_t item = 0; item < items.size(); ++item) {
      for (const std::uint32_t user : items[item].users) put(item, position[user]);
    }
  });
  for (std::size_t item = 0; item < items.size(); ++item) std::ranges::sort(users[item]);
  const auto is_begun_by_first = [&](std::span<const std::uint32_t> all) {
    const std::span<const std::uint32_t> next = line.successors[all.front()];
    return is_serial || std::all_of(all.begin() + 1, all.end(), [&](std::uint32_t user) {
             return std::binary_search(next.begin(), next.end(), user);
           });
  };
  const auto put_ends = [&](const auto& put, bool heads) {
    for (std::uint32_t item = 0; item < items.size(); ++item) {
      std::span<const std::uint32_t> ends = users[item];
      if (ends.size() > 1 && is_begun_by_first(ends))
        ends = heads ? ends.first(1) : ends.last(is_serial ? 1 : ends.size() - 1);
      for (const std::uint32_t user : ends) put(item, user);
    }
  };
  line.heads = Rows<std::uint32_t>(items.size(), [&](const auto& put) { put_ends(put, true); });
  line.tails = Rows<std::uint32_t>(items.size(), [&](const auto& put) { put_ends(put, false); });
  return line;
}

Rows<std::uint32_t> first_followers(const Timeline& line, std::size_t most_ops) {
  FollowerSearch search(line, most_ops);
  std::vector<std::vector<std::uint32_t>> found(line.tails.size());
  for (std::uint32_t item = 0; item < found.size(); ++item) found[item] = search.of(item);
  return {found.size(), [&](const auto& put) {
            for (std::size_t item = 0; item < found.size(); ++item) {
              for (const std::uint32_t op : found[item]) put(item, op);
            }
          }};
}

}  // namespace detent::models::planner
