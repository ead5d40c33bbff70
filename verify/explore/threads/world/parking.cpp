#include "verify/explore/threads/world/parking.hpp"

#include <algorithm>

namespace detent::verify::explore {

Parking::Parking(const VirtualThreadsOptions& options)
    : spurious_wakeups_(options.spurious_wakeups), early_timeouts_(options.early_timeouts) {}

void Parking::reset() {
  tokens_ = parked_ = 0;
  now_ps_ = 0;
  early_left_ = early_timeouts_;
}

std::uint64_t Parking::earliest_deadline_ps(std::uint64_t threads) const {
  std::uint64_t earliest_ps = UINT64_MAX;
  for (std::uint64_t left = threads; left != 0; left &= left - 1) {
    earliest_ps = std::min(earliest_ps, deadlines_ps_[static_cast<ThreadId>(__builtin_ctzll(left))]);
  }
  return earliest_ps;
}

std::uint64_t Parking::due(std::uint64_t threads) const {
  std::uint64_t found = 0;
  for (std::uint64_t left = threads; left != 0; left &= left - 1) {
    if (deadlines_ps_[static_cast<ThreadId>(__builtin_ctzll(left))] <= now_ps_) found |= left & -left;
  }
  return found;
}

}  // namespace detent::verify::explore
