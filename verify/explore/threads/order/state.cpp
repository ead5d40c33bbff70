// Hashing of memory and the table of states.
#include "verify/explore/threads/order/state.hpp"

namespace detent::verify::explore {

#if defined(__SANITIZE_ADDRESS__)
#define DETENT_READS_ALL_BYTES __attribute__((no_sanitize("address"), noinline))
#else
#define DETENT_READS_ALL_BYTES
#endif

namespace {

/// Any eight bytes. Read without memcpy, which the sanitizer would check.
using AnyWord [[gnu::may_alias, gnu::aligned(1)]] = std::uint64_t;

}  // namespace

DETENT_READS_ALL_BYTES void StateHash::add_bytes(const void* bytes, std::size_t count) {
  const auto* at = static_cast<const std::uint8_t*>(bytes);
  const std::uint8_t* const end = at + count;
  for (; end - at >= 32; at += 32) {
    const auto* const words = reinterpret_cast<const AnyWord*>(at);
    for (int i = 0; i < 4; ++i) {
      lanes_[i] = (lanes_[i] ^ words[i]) * kFactor;
      lanes_[i] ^= lanes_[i] >> 29U;
    }
  }
  for (; end - at >= 8; at += 8) add(*reinterpret_cast<const AnyWord*>(at));
  std::uint64_t rest = count;
  for (; at != end; ++at) rest = rest << 8U | *at;
  add(rest);
}

std::uint64_t StateHash::value() const {
  std::uint64_t hash = at_;
  for (const std::uint64_t lane : lanes_) {
    hash = (hash ^ lane) * 0xbf58476d1ce4e5b9u;
    hash ^= hash >> 32U;
  }
  return hash;
}

std::uint64_t& StateTable::cell_of(std::uint64_t key) {
  const std::size_t mask = cells_.size() - 1;
  std::size_t at = (key ^ key >> 32U) & mask;
  while (cells_[at] != 0 && (cells_[at] & ~kOnPath) != key) at = (at + 1) & mask;
  return cells_[at];
}

StateTable::Met StateTable::enter(std::uint64_t hash) {
  const std::uint64_t key = key_of(hash);
  const std::uint64_t met = cell_of(key);
  if (met != 0) return (met & kOnPath) != 0 ? Met::kOnThisPath : Met::kBefore;
  if (count_ * 4 >= cells_.size() * 3 && !grow()) return Met::kNoRoom;
  cell_of(key) = key | kOnPath;
  ++count_;
  return Met::kNever;
}

void StateTable::leave(std::uint64_t hash) { cell_of(key_of(hash)) &= ~kOnPath; }

bool StateTable::grow() {
  const std::uint64_t old_bytes = cells_.size() * sizeof cells_[0];
  if (old_bytes > max_bytes_ / 3) return false;  // old and new
  std::vector<std::uint64_t> old(cells_.size() * 2, 0);
  old.swap(cells_);
  for (const std::uint64_t cell : old) {
    if (cell != 0) cell_of(cell & ~kOnPath) = cell;
  }
  return true;
}

}  // namespace detent::verify::explore
