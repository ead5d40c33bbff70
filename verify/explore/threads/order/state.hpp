// Recognising states: bytes -> a 64-bit hash, and the set of hashes met by a search.
//
// Two moments of a program with equal hashes are taken as one state. With n states the chance that any two different
// ones share a hash is below n^2 / 2^63: 1e-5 for ten million.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace detent::verify::explore {

/// Four multiplicative lanes over 8-byte words, in the order in which they are added.
class StateHash {
 public:
  void add(std::uint64_t value) {
    std::uint64_t& lane = lanes_[at_++ % 4];
    lane = (lane ^ value) * kFactor;
    lane ^= lane >> 29U;
  }
  /// The bytes are read as they are, also where a sanitizer has marked them as out of bounds (stacks).
  void add_bytes(const void* bytes, std::size_t count);
  [[nodiscard]] std::uint64_t value() const;

 private:
  static constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15u;
  std::uint64_t lanes_[4] = {1, 2, 3, 4};
  std::uint32_t at_ = 0;
};

/// A program that can say where it is: equal hashes, equal futures under equal schedules.
class StateSource {
 public:
  virtual ~StateSource() = default;
  [[nodiscard]] virtual std::uint64_t state_hash() const = 0;
  /// Another one: equal hashes from before have proved nothing, as the program does what they had not counted on.
  [[nodiscard]] virtual std::uint32_t state_version() const { return 0; }
};

/// Hashes met, each either on the path that is being explored or done with. 8 bytes each, at most 3/4 full.
class StateTable {
 public:
  enum class Met : std::uint8_t { kNever, kOnThisPath, kBefore, kNoRoom };

  /// @param max_bytes  never more memory than this, while the table grows included; 32 KiB are taken at once
  explicit StateTable(std::uint64_t max_bytes = UINT64_MAX) : cells_(std::size_t{1} << 12U, 0), max_bytes_(max_bytes) {}
  /// Look for a state, and enter it as one of this path if it is new. kNoRoom: it is new and has not been entered.
  Met enter(std::uint64_t hash);
  /// The state was entered; all that follows it has been explored.
  void leave(std::uint64_t hash);
  [[nodiscard]] std::uint64_t size() const { return count_; }
  void clear() {
    std::fill(cells_.begin(), cells_.end(), 0);
    count_ = 0;
  }

 private:
  static constexpr std::uint64_t kOnPath = 1;  // bit 0 of a cell; bit 1 is always set, so that no cell in use is 0
  static std::uint64_t key_of(std::uint64_t hash) { return (hash | 2U) & ~kOnPath; }
  std::uint64_t& cell_of(std::uint64_t key);
  /// False: that would take too much memory.
  bool grow();

  std::vector<std::uint64_t> cells_;
  std::uint64_t max_bytes_;
  std::uint64_t count_ = 0;
};

}  // namespace detent::verify::explore
