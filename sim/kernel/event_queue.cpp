#include "sim/kernel/event_queue.hpp"

#include "base/assert.hpp"

namespace detent::sim {

void EventQueue::set(std::uint32_t id, const EventKey& key) {
  DETENT_ASSERT(id < kCapacity);
  const Entry entry{key, id};
  if (place_[id] == 0) {
    ++size_;
    sift_up(size_, entry);
  } else if (key.before(heap_[place_[id]].key)) {
    sift_up(place_[id], entry);
  } else {
    sift_down(place_[id], entry);
  }
}

void EventQueue::remove(std::uint32_t id) {
  const std::uint32_t place = place_[id];
  if (place == 0) return;
  place_[id] = 0;
  const Entry last = heap_[size_--];
  if (last.id == id) return;
  if (place > 1 && last.key.before(heap_[place / 2].key)) {
    sift_up(place, last);
  } else {
    sift_down(place, last);
  }
}

void EventQueue::clear() {
  for (std::uint32_t i = 1; i <= size_; ++i) place_[heap_[i].id] = 0;
  size_ = 0;
}

void EventQueue::sift_up(std::uint32_t place, const Entry& entry) {
  while (place > 1 && entry.key.before(heap_[place / 2].key)) {
    put(place, heap_[place / 2]);
    place /= 2;
  }
  put(place, entry);
}

void EventQueue::sift_down(std::uint32_t place, const Entry& entry) {
  for (;;) {
    std::uint32_t child = 2 * place;
    if (child > size_) break;
    if (child < size_ && heap_[child + 1].key.before(heap_[child].key)) ++child;
    if (!heap_[child].key.before(entry.key)) break;
    put(place, heap_[child]);
    place = child;
  }
  put(place, entry);
}

}  // namespace detent::sim
