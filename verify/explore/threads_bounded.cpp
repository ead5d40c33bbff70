// Depth first over schedules within a bound of preemptions.
#include "verify/explore/threads_bounded.hpp"

namespace detent::verify::explore {

std::uint32_t BoundedSearch::preemptions_after(const Node& node) const {
  return node.preemptions + (node.count == 0 && node.could_go_on && node.chosen != node.before ? 1 : 0);
}

ThreadId BoundedSearch::pick(const World& world, std::uint64_t enabled) {
  if (depth_ < nodes_.size()) {
    if (nodes_[depth_].trail == world.trail()) return nodes_[depth_++].chosen;
    if (diverged_at_ == 0) diverged_at_ = depth_ + 1;
    return kStop;
  }
  const std::uint32_t preemptions = nodes_.empty() ? 0 : preemptions_after(nodes_.back());
  Node& node = nodes_.emplace_back();  // in place: this is the hottest store of a search
  node.trail = world.trail();
  node.before = world.current();
  node.preemptions = preemptions;
  node.could_go_on = (enabled >> world.current() & 1U) != 0;
  node.chosen = node.could_go_on ? world.current() : static_cast<ThreadId>(__builtin_ctzll(enabled));
  node.left = enabled & ~(std::uint64_t{1} << node.chosen);
  if (node.could_go_on && node.preemptions >= bound_) node.left = 0;
  ++depth_;
  return node.chosen;
}

std::uint32_t BoundedSearch::choose(const World& world, std::uint32_t count) {
  if (depth_ < nodes_.size()) {
    if (nodes_[depth_].trail == world.trail()) return nodes_[depth_++].chosen;
    if (diverged_at_ == 0) diverged_at_ = depth_ + 1;
    return 0;
  }
  Node node{.trail = world.trail(), .count = count};
  node.preemptions = nodes_.empty() ? 0 : preemptions_after(nodes_.back());
  nodes_.push_back(node);
  ++depth_;
  return 0;
}

bool BoundedSearch::end_execution() {
  if (diverged_at_ == 0 && depth_ < nodes_.size()) diverged_at_ = depth_ + 1;
  if (diverged_at_ != 0) return false;
  while (!nodes_.empty()) {
    Node& node = nodes_.back();
    if (node.count != 0) {
      if (++node.chosen < node.count) break;
    } else if (node.left != 0) {
      node.chosen = static_cast<ThreadId>(__builtin_ctzll(node.left));
      node.left &= node.left - 1;
      break;
    }
    nodes_.pop_back();
  }
  return !nodes_.empty();
}

}  // namespace detent::verify::explore
