// One line per step of a replay.
#include "verify/explore/threads/listing.hpp"

namespace detent::verify::explore {

ThreadId ListedSchedule::pick(const Turns& turns, std::uint64_t enabled) {
  const ThreadId before = turns.current();
  const ThreadId next = given_.pick(turns, enabled);
  if (next == kStop) return next;
  const bool preempts = next != before && (enabled >> before & 1U) != 0;
  steps_.push_back(
      {turns.execution().steps(), program_.thread_name(next), program_.step_name(turns.pending(next)), preempts});
  if (preempts) {
    ++preemptions_;
    constraints_.push_back(program_.thread_name(before) + " stops before it " +
                           program_.step_name(turns.pending(before)) + "; " + program_.thread_name(next) + " goes on");
  }
  std::string number = std::to_string(turns.execution().steps());
  number.insert(0, number.size() < 6 ? 6 - number.size() : 0, ' ');
  std::string who = program_.thread_name(next);
  who.resize(who.size() < 24 ? 24 : who.size(), ' ');
  lines_ += number + "  " + who + " " + program_.step_name(turns.pending(next)) + "\n";
  return next;
}

std::uint32_t ListedSchedule::choose(const Turns& turns, std::uint32_t count) {
  const std::uint32_t value = given_.choose(turns, count);
  if (turns.is_choosing_store()) {
    const std::string text = program_.store_name(turns.current(), value);
    if (text.empty()) return value;
    lines_ += "        " + text + "\n";
    constraints_.push_back(text);
    return value;
  }
  lines_ += "        " + program_.thread_name(turns.current()) + " chooses " + std::to_string(value) + " of " +
            std::to_string(count) + "\n";
  return value;
}

}  // namespace detent::verify::explore
