// Depth first over states.
#include "verify/explore/threads/search/states.hpp"

namespace detent::verify::explore {

ThreadId StatesSearch::pick(const Turns& turns, std::uint64_t enabled) {
  if (path_.repeats()) {
    const Node* const node = path_.pass(turns);
    return node != nullptr ? node->chosen : kStop;
  }
  const bool goes_on = (enabled >> turns.current() & 1U) != 0;
  const ThreadId first = goes_on ? turns.current() : static_cast<ThreadId>(__builtin_ctzll(enabled));
  const std::uint64_t left = enabled & ~(std::uint64_t{1} << first);
  std::uint64_t state = 0;
  if (left != 0) {
    state = program_.state_hash();
    const StateTable::Met met = states_.enter(state);
    circles_ = met == StateTable::Met::kOnThisPath;
    full_ = met == StateTable::Met::kNoRoom;
    merged_ += met == StateTable::Met::kBefore ? 1 : 0;
    if (met != StateTable::Met::kNever) return kStop;
  }
  Node& node = path_.add(turns);
  node.chosen = first;
  node.left = left;
  node.state = state;
  node.kept = left != 0;
  return first;
}

bool StatesSearch::end_execution() {
  if (program_.state_version() != version_) {
    version_ = program_.state_version();
    if (states_.size() != 0) {
      states_.clear();
      path_.clear();
      merged_ = 0;
      circles_ = full_ = false;
      return true;
    }
  }
  if (circles_ || full_) return false;
  return path_.turn([this](const Node& node) {
    if (node.kept) states_.leave(node.state);
  });
}

}  // namespace detent::verify::explore
