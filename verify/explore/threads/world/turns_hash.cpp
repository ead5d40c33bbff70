#include "verify/explore/threads/world/turns_hash.hpp"

namespace detent::verify::explore {

namespace {

void hash_thread(const Turns& turns, ThreadId thread, StateHash& hash) {
  const Step& step = turns.pending(thread);
  const Waits& waits = turns.waits();
  const Parking& parking = waits.parking();
  hash.add(thread | std::uint64_t{static_cast<std::uint8_t>(step.kind)} << 8U | std::uint64_t{step.access} << 16U |
           std::uint64_t{step.exclusive} << 24U | std::uint64_t{step.object} << 32U);
  hash.add(parking.spurious_left(thread) | std::uint64_t{waits.spins().has_news(thread)} << 32U);
  if ((parking.parked() & Waits::bit(thread)) != 0) hash.add(parking.deadline_ps(thread));
  hash.add(waits.joins(thread));
  turns.image().hash_thread(thread, hash);
}

}  // namespace

void hash_turns(const Turns& turns, StateHash& hash) {
  const Waits& waits = turns.waits();
  const Parking& parking = waits.parking();
  hash.add(turns.alive());
  for (const std::uint64_t set : {waits.blocked(), parking.tokens(), parking.parked()}) hash.add(set);
  for (const std::uint64_t set : {waits.spins().spinning(), waits.idle_waiters()}) hash.add(set);
  hash.add(parking.now_ps());
  hash.add(parking.early_left());
  for (std::uint64_t left = turns.alive(); left != 0; left &= left - 1) {
    hash_thread(turns, static_cast<ThreadId>(__builtin_ctzll(left)), hash);
  }
}

}  // namespace detent::verify::explore
