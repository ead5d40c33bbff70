// Races: the earlier events that conflict with a step, are not ordered before it otherwise, and could have come after
// it.
#pragma once

#include <cstdint>
#include <span>

#include "verify/explore/threads/order/event_order.hpp"

namespace detent::verify::explore {

class Races {
 public:
  /// @param order  outlives this
  explicit Races(const EventOrder& order) : order_(order) {}
  void clear() { count_ = 0; }
  /// Add those of a step that `thread` is about to take.
  void find(ThreadId thread, const ObjectEvents& object, bool is_exclusive) {
    if (is_exclusive && object.last_shared != Event::kNone) return find_shared(thread, object.last_shared);
    if (object.last_exclusive != Event::kNone) add_candidate(thread, object.last_exclusive);
  }
  /// No two of one thread.
  [[nodiscard]] std::span<const std::uint32_t> events() const { return {events_, count_}; }

 private:
  void add_candidate(ThreadId thread, std::uint32_t event) {
    const Event& candidate = order_.events()[event];
    if (candidate.thread != thread && !order_.has_seen(thread, candidate)) add_unordered(candidate, event);
  }
  void add_unordered(const Event& candidate, std::uint32_t event);
  void find_shared(ThreadId thread, std::uint32_t newest);

  const EventOrder& order_;
  std::uint32_t events_[kMaxThreads] = {};
  std::uint32_t count_ = 0;
};

}  // namespace detent::verify::explore
