#include "verify/explore/threads/order/races.hpp"

namespace detent::verify::explore {

/// Keep the candidates that no other candidate already comes after.
void Races::add_unordered(const Event& candidate, std::uint32_t event) {
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < count_; ++i) {
    const Event& other = order_.events()[events_[i]];
    if (order_.is_ordered(candidate, other)) return;  // and none of the others was left out
    if (!order_.is_ordered(other, candidate)) events_[kept++] = events_[i];
  }
  events_[kept] = event;
  count_ = kept + 1;
}

void Races::find_shared(ThreadId thread, std::uint32_t newest) {
  for (std::uint32_t event = newest; event != Event::kNone; event = order_.events()[event].next_shared) {
    add_candidate(thread, event);
  }
}

}  // namespace detent::verify::explore
