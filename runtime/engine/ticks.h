/* Ticks: the time at which a slot began its op, as it shows it to the slot that watches the deadline. 32 bits, because
 * a processor with 32-bit addresses has no 64-bit access that others see at once (the compiler would call a library
 * that takes a lock). A tick is 1/128 to 1/64 of the deadline, or 1 ps where that is longer: an op is never called late
 * too early, and at most two ticks too late. Differences wrap after 2^30 ticks, millions of deadlines. */
#ifndef DETENT_RUNTIME_ENGINE_TICKS_H_
#define DETENT_RUNTIME_ENGINE_TICKS_H_

#include "runtime/base/compiler.h"

namespace detent {

/// What stands in the word while no op is in flight. No time is shown as this.
constexpr std::uint32_t kNoTick = 0;

/// log2 of a tick in picoseconds. deadline_ps > 0.
inline unsigned tick_shift(std::uint64_t deadline_ps) {
  const unsigned bits = 64 - count_leading_zeros(deadline_ps);
  return bits > 7 ? bits - 7 : 0;
}

/// `now_ps` as a word to show; odd.
inline std::uint32_t tick_at(std::uint64_t now_ps, std::uint64_t deadline_ps) {
  return static_cast<std::uint32_t>(now_ps >> tick_shift(deadline_ps)) << 1 | 1u;
}

/// More than the deadline has passed between the shown `begin` and now. False where the clock went back.
inline bool is_past_deadline(std::uint32_t begin, std::uint64_t now_ps, std::uint64_t deadline_ps) {
  const unsigned shift = tick_shift(deadline_ps);
  const std::uint64_t whole = deadline_ps >> shift;
  const std::uint64_t part = (whole << shift) != deadline_ps ? 1 : 0;
  // Both times were rounded down: `ticks` apart means more than ticks - 1 full ones.
  const auto ticks = static_cast<std::int32_t>(tick_at(now_ps, deadline_ps) - begin) / 2;
  return ticks > 0 && static_cast<std::uint64_t>(ticks) > whole + part;
}

}  // namespace detent

#endif
