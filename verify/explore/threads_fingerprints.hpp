// FingerprintSet: how many different 64-bit hashes were seen. Open addressing, 8 bytes each, twice the room.
#pragma once

#include <cstdint>
#include <vector>

namespace detent::verify::explore {

class FingerprintSet {
 public:
  FingerprintSet() : cells_(1024, 0) {}
  void insert(std::uint64_t hash) {
    if (hash == 0) hash = 1;
    if (count_ * 2 >= cells_.size()) grow();
    if (put(hash)) ++count_;
  }
  [[nodiscard]] std::uint64_t size() const { return count_; }

 private:
  bool put(std::uint64_t hash) {
    const std::size_t mask = cells_.size() - 1;
    for (std::size_t at = (hash ^ (hash >> 32U)) & mask;; at = (at + 1) & mask) {
      if (cells_[at] == hash) return false;
      if (cells_[at] != 0) continue;
      cells_[at] = hash;
      return true;
    }
  }
  void grow() {
    std::vector<std::uint64_t> old(cells_.size() * 2, 0);
    old.swap(cells_);
    for (const std::uint64_t hash : old) {
      if (hash != 0) put(hash);
    }
  }

  std::vector<std::uint64_t> cells_;
  std::uint64_t count_ = 0;
};

}  // namespace detent::verify::explore
