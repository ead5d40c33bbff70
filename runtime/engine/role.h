/* The scheduler role: a token that at most one thread holds. Only its holder changes the state of entities. */
#ifndef DETENT_RUNTIME_ENGINE_ROLE_H_
#define DETENT_RUNTIME_ENGINE_ROLE_H_

#include "runtime/engine/engine.h"

namespace detent {

/// A thread that holds the role, and what it has to do once it lets go.
struct Holder {
  detent_context &c;
  Site site;
  std::uint64_t mailed = 0;          ///< workers whose mailbox was filled: bit per worker
  std::uint64_t next_sequence = 0;   ///< of `next`
  std::uint32_t next = DETENT_NONE;  ///< the holder's own next op
  bool over = false;                 ///< the run ended in this hold: announce it after the release
};

/// Take the role if it is free.
inline bool try_take_role(const detent_context &c, std::uint32_t &role, const Site &site) {
  if (load_fenced(site, role) != 0 || !replace_fenced(site, role, 0u, 1u)) return false;
  checkpoint(site, DETENT_CP_LOCK, c.desc->op_count);
  return true;
}

/// Slot 0 only: take the role, waiting for a holder on its way out.
void take_role(detent_context &c, const Site &site);
/// Let go of the role, wake who got mail, announce the end of the run. Whoever put something into a queue since looks
/// at the role after that, and this looks at the queues after letting go: one of the two handles the entry.
void leave_role(Holder &holder);

/// Slot 0 may sleep until the end of the run or something to schedule: make it look again.
void wake_main(detent_context &c, const Site &site);

/// Under the role. One completion: count it, release what waited for it, then give every free worker the best ready
/// op. `slot` is the finisher, which comes first.
void settle(Holder &holder, std::uint32_t slot, std::uint32_t op, std::int32_t code);
/// Under the role, c.may_streak. While the holder's next op is the only one in flight, keep the role: execute and
/// settle in one go.
void streak(Holder &holder, Worker &me);
/// Under the role. `slot`'s op has been counted by the streak: it is free, like all others.
void serve_after_streak(Holder &holder, std::uint32_t slot);
/// Under the role. Handle everything that stands in the queues.
void drain(Holder &holder);
/// Under the role. Begin a run and hand out the first ops; `slot` is served first (DETENT_NONE: nobody is).
void open_run(Holder &holder, std::uint32_t slot);
/// Under the role, with a deadline: end the run if an op is late. True if all that is still in flight is late.
bool check_deadlines(Holder &holder);
/// Under the role. Slot 0's own op will not be waited for any longer.
void abandon_own_op(Holder &holder, std::uint32_t op);

}  // namespace detent

#endif
