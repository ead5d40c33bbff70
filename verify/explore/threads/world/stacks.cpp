// What a state of a World is made of: stacks with their registers, and what the World decides by.
#include <cstring>

#include "verify/explore/threads/world/world.hpp"

namespace detent::verify::explore {

/// As schedule, with all that the thread will find again on its stack above `lowest`: registers that calls preserve are
/// saved in this frame, which stays until the thread goes on.
void World::schedule_recognised() {
  __builtin_unwind_init();
  keep_depth(threads_[current_]);
  hand_over();
  asm volatile("" : : : "memory");  // the call is not the last thing: else its frame would take the place of this one
}

/// The caller's frame ends where the call's begins.
void World::keep_depth(Thread& me) { me.lowest = static_cast<const std::uint8_t*>(__builtin_dwarf_cfa()); }

void World::wipe_below() {
  std::uint8_t gap[1024];
  std::memset(gap, 0, sizeof gap);
  asm volatile("" : : "r"(gap) : "memory");
}

void World::hash_thread(ThreadId thread, StateHash& hash) const {
  const Thread& it = threads_[thread];
  const Step& step = it.pending;
  hash.add(thread | std::uint64_t{static_cast<std::uint8_t>(step.kind)} << 8U | std::uint64_t{step.access} << 16U |
           std::uint64_t{step.exclusive} << 24U | std::uint64_t{step.object} << 32U);
  const bool has_news = writes_ - it.own_writes != it.writes_seen;  // what a pause asks
  hash.add(it.spurious_left | std::uint64_t{has_news} << 32U);
  if ((sleeping_ & bit(thread)) != 0) hash.add(it.deadline_ps);
  hash.add(it.joins);
  if (it.lowest != nullptr) {
    hash.add_bytes(it.lowest, static_cast<std::size_t>(it.stack.base + it.stack.bytes - it.lowest));
  } else {
    hash.add(reinterpret_cast<std::uintptr_t>(it.entry));
    hash.add(reinterpret_cast<std::uintptr_t>(it.arg));
  }
}

void World::hash_state(StateHash& hash) const {
  for (const std::uint64_t set : {alive_, blocked_, tokens_, sleeping_, spinning_, settling_, now_ps_}) {
    hash.add(set);
  }
  hash.add(early_left_);
  for (std::uint64_t left = alive_; left != 0; left &= left - 1) {
    hash_thread(static_cast<ThreadId>(__builtin_ctzll(left)), hash);
  }
}

}  // namespace detent::verify::explore
