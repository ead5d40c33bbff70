// Depth first over states.
#include "verify/explore/threads_states.hpp"

namespace detent::verify::explore {

bool StatesSearch::replays(const World& world) {
  if (nodes_[depth_].trail == world.trail()) return true;
  if (diverged_at_ == 0) diverged_at_ = depth_ + 1;
  return false;
}

ThreadId StatesSearch::pick(const World& world, std::uint64_t enabled) {
  if (depth_ < nodes_.size()) return replays(world) ? nodes_[depth_++].chosen : kStop;
  const bool goes_on = (enabled >> world.current() & 1U) != 0;
  const ThreadId first = goes_on ? world.current() : static_cast<ThreadId>(__builtin_ctzll(enabled));
  Node node{.trail = world.trail(), .left = enabled & ~(std::uint64_t{1} << first), .chosen = first};
  if (node.left != 0) {
    node.state = program_.state_hash();
    const StateTable::Met met = states_.enter(node.state);
    circles_ = met == StateTable::Met::kOnThisPath;
    merged_ += met == StateTable::Met::kBefore ? 1 : 0;
    if (met != StateTable::Met::kNever) return kStop;
    node.kept = true;
  }
  nodes_.push_back(node);
  ++depth_;
  return first;
}

std::uint32_t StatesSearch::choose(const World& world, std::uint32_t count) {
  if (depth_ < nodes_.size()) return replays(world) ? nodes_[depth_++].chosen : 0;
  nodes_.push_back({.trail = world.trail(), .count = count});
  ++depth_;
  return 0;
}

bool StatesSearch::end_execution() {
  if (diverged_at_ == 0 && depth_ < nodes_.size()) diverged_at_ = depth_ + 1;
  if (diverged_at_ != 0 || circles_) return false;
  while (!nodes_.empty()) {
    Node& node = nodes_.back();
    if (node.count != 0) {
      if (++node.chosen < node.count) break;
    } else if (node.left != 0) {
      node.chosen = static_cast<ThreadId>(__builtin_ctzll(node.left));
      node.left &= node.left - 1;
      break;
    }
    if (node.kept) states_.leave(node.state);
    nodes_.pop_back();
  }
  return !nodes_.empty();
}

}  // namespace detent::verify::explore
