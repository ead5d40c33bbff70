#include "sim/kernel/dispatcher.hpp"

namespace detent::sim {
namespace {

constexpr std::uint32_t kTimer = SlotTable::kInterruptThread + 1;
constexpr std::uint32_t kMaxBarrenSpins = 100'000;  // with nobody else to go on: a spin that ends by itself is allowed

static_assert(kTimer < EventQueue::kCapacity);

}  // namespace

void Dispatcher::begin_session() {
  queue_.clear();
  current_ = 0;
  barren_spins_ = 0;
  spins_ = 0;
}

void Dispatcher::set_timer(std::uint64_t time_ps, void (*expired)(void* self), void* self) {
  expired_ = expired;
  timer_self_ = self;
  if (time_ps != SimClock::kNever) {
    queue_.set(kTimer, {time_ps, event_order(EventKind::kTimer, 0, kTimer)});
  } else {
    withdraw(kTimer);
  }
}

std::uint64_t Dispatcher::next_look_ps() {
  // Others that spin cannot change what this one waits for, so it looks again only after a real event.
  std::uint64_t next_ps = SimClock::kNever;
  bool found = false;
  for (std::uint32_t i = 0; i < queue_.size(); ++i) {
    const EventKey& key = queue_.at(i);
    if (event_kind(key) == EventKind::kSpin) continue;
    if (key.time_ps < next_ps) next_ps = key.time_ps;
    found = true;
  }
  if (found) return next_ps;
  const std::uint64_t now_ps = clock_.now_ps();
  if (++barren_spins_ == kMaxBarrenSpins) {
    barren_spins_ = 0;
    handler_.resolve_deadlock();
  }
  return now_ps;
}

void Dispatcher::wait_in_turn(std::uint64_t time_ps) {
  queue_.set(current_, {time_ps, (static_cast<std::uint64_t>(EventKind::kSpin) << 56U) | ++spins_});
  wait();
}

void Dispatcher::wait() {
  const std::uint32_t self = current_;
  take_next();
  if (current_ == self) return;
  ++switches_;
  threads_.hand_over(self, current_);
}

void Dispatcher::take_next() {
  while (queue_.empty() || queue_.top_id() == kTimer) {
    if (queue_.empty()) {
      handler_.resolve_deadlock();
    } else {
      expire_timer();
    }
  }
  const std::uint32_t next = queue_.top_id();
  const std::uint64_t time_ps = queue_.top().time_ps;
  if (event_kind(queue_.top()) != EventKind::kSpin) barren_spins_ = 0;
  queue_.remove(next);
  clock_.move_to(time_ps);
  current_ = next;
}

void Dispatcher::expire_timer() {
  barren_spins_ = 0;
  const std::uint64_t time_ps = queue_.top().time_ps;
  queue_.remove(kTimer);
  clock_.move_to(time_ps);
  expired_(timer_self_);
}

}  // namespace detent::sim
