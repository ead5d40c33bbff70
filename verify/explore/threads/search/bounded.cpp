// Depth first over schedules within a bound of preemptions.
#include "verify/explore/threads/search/bounded.hpp"

namespace detent::verify::explore {

std::uint32_t BoundedSearch::preemptions_so_far() const {
  if (path_.nodes().empty()) return 0;
  const Node& node = path_.nodes().back();
  if (node.count != 0) return node.preemptions + (node.is_store && node.chosen != 0 ? 1 : 0);
  return node.preemptions + (node.could_go_on && node.chosen != node.before ? 1 : 0);
}

ThreadId BoundedSearch::pick(const Turns& turns, std::uint64_t enabled) {
  if (path_.repeats()) {
    const Node* const node = path_.pass(turns);
    return node != nullptr ? node->chosen : kStop;
  }
  const std::uint32_t preemptions = preemptions_so_far();
  Node& node = path_.add(turns);
  node.before = turns.current();
  node.preemptions = preemptions;
  node.could_go_on = (enabled >> turns.current() & 1U) != 0;
  node.chosen = node.could_go_on ? turns.current() : static_cast<ThreadId>(__builtin_ctzll(enabled));
  node.left = enabled & ~(std::uint64_t{1} << node.chosen);
  if (node.could_go_on && node.preemptions >= bound_) node.left = 0;
  return node.chosen;
}

std::uint32_t BoundedSearch::choose(const Turns& turns, std::uint32_t count) {
  if (path_.repeats()) return path_.choose(turns, count);
  const std::uint32_t preemptions = preemptions_so_far();
  Node& node = path_.add(turns);
  node.is_store = turns.is_choosing_store();
  node.count = node.is_store && preemptions >= bound_ ? 1 : count;
  node.preemptions = preemptions;
  return 0;
}

}  // namespace detent::verify::explore
