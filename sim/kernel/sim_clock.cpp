#include "sim/kernel/sim_clock.hpp"

#include "sim/systemc/library.hpp"

namespace detent::sim {

void SimClock::begin_session() {
  now_ps_ = 0;
  systemc_ps_ = 0;
  overflowed_ = false;
}

void SimClock::sync() {
  if (systemc_ps_ == now_ps_) return;
  const std::uint64_t delta_ps = now_ps_ - systemc_ps_;
  if (delta_ps > kNever - sc_library().time_ps()) {
    overflowed_ = true;
    return;
  }
  systemc_ps_ = now_ps_;
  threads_.advance(delta_ps);
}

}  // namespace detent::sim
