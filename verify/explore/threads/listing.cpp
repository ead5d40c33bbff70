// One line per step of a replay.
#include "verify/explore/threads/listing.hpp"

namespace detent::verify::explore {

ThreadId ListedSchedule::pick(const World& world, std::uint64_t enabled) {
  const ThreadId before = world.current();
  const ThreadId next = given_.pick(world, enabled);
  if (next == kStop) return next;
  const bool preempts = next != before && (enabled >> before & 1U) != 0;
  steps_.push_back({world.steps(), program_.thread_name(next), program_.step_name(world.pending(next)), preempts});
  if (preempts) {
    ++preemptions_;
    constraints_.push_back(program_.thread_name(before) + " stops before it " +
                           program_.step_name(world.pending(before)) + "; " + program_.thread_name(next) + " goes on");
  }
  std::string number = std::to_string(world.steps());
  number.insert(0, number.size() < 6 ? 6 - number.size() : 0, ' ');
  std::string who = program_.thread_name(next);
  who.resize(who.size() < 24 ? 24 : who.size(), ' ');
  lines_ += number + "  " + who + " " + program_.step_name(world.pending(next)) + "\n";
  return next;
}

std::uint32_t ListedSchedule::choose(const World& world, std::uint32_t count) {
  const std::uint32_t value = given_.choose(world, count);
  if (world.is_choosing_store()) {
    const std::string text = program_.store_name(world.current(), value);
    if (text.empty()) return value;
    lines_ += "        " + text + "\n";
    constraints_.push_back(text);
    return value;
  }
  lines_ += "        " + program_.thread_name(world.current()) + " chooses " + std::to_string(value) + " of " +
            std::to_string(count) + "\n";
  return value;
}

}  // namespace detent::verify::explore
