// Source-set partial-order reduction over the steps of virtual threads.
#include "verify/explore/threads/search/dpor.hpp"

namespace detent::verify::explore {

void DporSearch::begin_execution() {
  path_.begin_execution();
  last_ = UINT32_MAX;
}

/// Threads whose next step has been explored from an equivalent state: those of the parent, and those that it had done
/// before, as long as the step taken there does not conflict with theirs.
std::uint64_t DporSearch::sleepers(const Turns& turns, std::uint32_t parent) const {
  if (parent == UINT32_MAX) return 0;
  const Node& node = path_.nodes()[parent];
  std::uint64_t asleep = (node.sleep | node.done) & ~(std::uint64_t{1} << node.chosen);
  for (std::uint64_t left = asleep; left != 0; left &= left - 1) {
    const auto thread = static_cast<ThreadId>(__builtin_ctzll(left));
    if (turns.last().conflicts_with(turns.pending(thread))) asleep &= ~(std::uint64_t{1} << thread);
  }
  return asleep;
}

ThreadId DporSearch::pick(const Turns& turns, std::uint64_t enabled) {
  if (path_.repeats()) {
    const std::uint32_t index = path_.depth();
    const Node* const node = path_.pass(turns);
    if (node == nullptr) return kStop;
    last_ = index;
    return node->chosen;
  }
  const std::uint64_t sleep = sleepers(turns, last_);
  const std::uint64_t available = enabled & ~sleep;
  if (available == 0) {
    ++blocked_;
    return kStop;
  }
  const bool goes_on = (available >> turns.current() & 1U) != 0;
  const std::uint32_t index = path_.depth();
  Node& node = path_.add(turns);
  node.chosen = goes_on ? turns.current() : static_cast<ThreadId>(__builtin_ctzll(available));
  node.enabled = enabled;
  node.history = turns.observers().history()->position();
  node.sleep = sleep;
  node.backtrack = node.done = std::uint64_t{1} << node.chosen;
  last_ = index;
  return node.chosen;
}

std::uint32_t DporSearch::choose(const Turns& turns, std::uint32_t count) {
  const bool is_new = !path_.repeats();
  const std::uint32_t value = path_.choose(turns, count);
  if (is_new) path_.node(path_.depth() - 1).history = turns.observers().history()->position();
  return value;
}

/// Threads that can take the first step of the events after `first` that do not depend on it, the newest one included.
std::uint64_t DporSearch::initials(const EventOrder& order, std::uint32_t first) const {
  const Event& reversed = order.events()[first];
  const std::uint32_t last = order.size() - 1;
  std::uint64_t found = 0;
  std::uint64_t seen = 0;
  std::uint32_t first_of[kMaxThreads];
  for (std::uint32_t i = first + 1; i <= last; ++i) {
    if (i != last && order.clock(i, reversed.thread) >= reversed.sequence) continue;
    const Event& event = order.events()[i];
    if ((seen >> event.thread & 1U) != 0) continue;
    bool has_predecessor = false;
    for (std::uint64_t left = seen; left != 0 && !has_predecessor; left &= left - 1) {
      const auto thread = static_cast<ThreadId>(__builtin_ctzll(left));
      has_predecessor = order.clock(i, thread) >= first_of[thread];
    }
    seen |= std::uint64_t{1} << event.thread;
    first_of[event.thread] = event.sequence;
    if (!has_predecessor) found |= std::uint64_t{1} << event.thread;
  }
  return found;
}

void DporSearch::reverse(const EventOrder& order, std::uint32_t first) {
  Node& node = path_.node(node_of_[first]);
  const std::uint64_t starts = initials(order, first);
  if ((starts & node.backtrack) != 0) return;
  const std::uint64_t able = starts & node.enabled;
  if (able == 0) return;  // the later step needs the earlier one to be possible at all
  const ThreadId racer = order.events().back().thread;
  const std::uint64_t wanted = std::uint64_t{1} << racer;
  node.backtrack |= (able & wanted) != 0 ? wanted : able & -able;
}

void DporSearch::executed(const Turns& turns) {
  if (last_ == UINT32_MAX || path_.depth() <= fresh_) return;  // the beginning; seen in an earlier execution
  const History& history = *turns.observers().history();
  const EventOrder& order = history.order();
  if (node_of_.size() < order.size()) node_of_.resize(2 * std::size_t{order.size()});
  node_of_[order.size() - 1] = last_;
  for (const std::uint32_t first : history.races()) reverse(order, first);
}

bool DporSearch::end_execution() {
  const bool more = path_.turn();
  fresh_ = more ? static_cast<std::uint32_t>(path_.nodes().size() - 1) : 0;
  kept_ = more ? path_.nodes().back().history : 0;
  return more;
}

}  // namespace detent::verify::explore
