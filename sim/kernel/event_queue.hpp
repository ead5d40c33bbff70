// EventQueue: at most one pending event per simulated thread, earliest first, ties by our own order word.
#pragma once

#include <array>
#include <cstdint>

namespace detent::sim {

/// Kinds of events of one instant, in the order in which they are handled.
enum class EventKind : std::uint8_t {
  kTimer = 0,       ///< the chip looks after its loads
  kRun = 1,         ///< a thread goes on: it was started, woken, or has paid for an overhead
  kCompletion = 2,  ///< an op has finished
  kSpin = 3         ///< a spinning thread looks again, after the event it waits for
};

/// When, and which of several at that time. Keys of one queue differ.
struct EventKey {
  std::uint64_t time_ps = 0;
  std::uint64_t order = 0;  ///< see event_order

  [[nodiscard]] bool before(const EventKey& other) const {
    return time_ps != other.time_ps ? time_ps < other.time_ps : order < other.order;
  }
};

/// Order word: kind, then priority (lower first), then id (op or thread, below 2^24).
constexpr std::uint64_t event_order(EventKind kind, std::int32_t priority, std::uint32_t id) {
  const std::uint64_t biased = static_cast<std::uint32_t>(priority) ^ 0x80000000U;
  return (static_cast<std::uint64_t>(kind) << 56U) | (biased << 24U) | id;
}

constexpr EventKind event_kind(const EventKey& key) { return static_cast<EventKind>(key.order >> 56U); }

/// A binary heap over small ids that knows where each id stands, so that an event can be moved or taken back.
class EventQueue {
 public:
  static constexpr std::uint32_t kCapacity = 67;  ///< engine slots 0..64, the interrupt thread, the timer

  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] bool contains(std::uint32_t id) const { return place_[id] != 0; }
  /// The earliest event. Not on an empty queue.
  [[nodiscard]] const EventKey& top() const { return heap_[1].key; }
  [[nodiscard]] std::uint32_t top_id() const { return heap_[1].id; }
  /// The i-th event in no particular order, i < size().
  [[nodiscard]] const EventKey& at(std::uint32_t i) const { return heap_[i + 1].key; }

  /// Insert id's event or move it.
  void set(std::uint32_t id, const EventKey& key);
  void remove(std::uint32_t id);
  void clear();

 private:
  struct Entry {
    EventKey key;
    std::uint32_t id = 0;
  };
  void put(std::uint32_t place, const Entry& entry) {
    heap_[place] = entry;
    place_[entry.id] = place;
  }
  void sift_up(std::uint32_t place, const Entry& entry);
  void sift_down(std::uint32_t place, const Entry& entry);

  std::array<Entry, kCapacity + 1> heap_{};       // [0] unused
  std::array<std::uint32_t, kCapacity> place_{};  // 0: not queued
  std::uint32_t size_ = 0;
};

}  // namespace detent::sim
