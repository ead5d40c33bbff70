// FingerprintSet: how many different 64-bit hashes were seen, and how many of them once. Open addressing, 8 bytes each,
// twice the room; the lowest bit of a cell says "seen again", so that hashes count by their upper 63 bits.
#pragma once

#include <cstdint>
#include <vector>

namespace detent::verify::explore {

class FingerprintSet {
 public:
  FingerprintSet() : cells_(1024, 0) {}
  void insert(std::uint64_t hash) {
    if (count_ * 2 >= cells_.size()) grow();
    hash &= ~kAgain;
    if (hash == 0) hash = kAgain << 1U;
    std::uint64_t& cell = find(hash);
    if (cell == 0) {
      cell = hash;
      ++count_;
    } else if ((cell & kAgain) == 0) {
      cell |= kAgain;
      ++again_;
    }
  }
  [[nodiscard]] std::uint64_t size() const { return count_; }
  [[nodiscard]] std::uint64_t once() const { return count_ - again_; }

 private:
  static constexpr std::uint64_t kAgain = 1;
  std::uint64_t& find(std::uint64_t hash) {
    const std::size_t mask = cells_.size() - 1;
    std::size_t at = (hash ^ (hash >> 32U)) >> 1U & mask;
    while (cells_[at] != 0 && (cells_[at] & ~kAgain) != hash) at = (at + 1) & mask;
    return cells_[at];
  }
  void grow() {
    std::vector<std::uint64_t> old(cells_.size() * 2, 0);
    old.swap(cells_);
    for (const std::uint64_t cell : old) {
      if (cell != 0) find(cell & ~kAgain) = cell;
    }
  }

  std::vector<std::uint64_t> cells_;
  std::uint64_t count_ = 0, again_ = 0;
};

}  // namespace detent::verify::explore
