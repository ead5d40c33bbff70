// RandomSource: splitmix64 from an explicit seed; the same numbers on every machine.
#pragma once

#include <cstdint>

namespace detent {

class RandomSource {
 public:
  explicit RandomSource(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31U);
  }
  /// In [0, bound). @param bound  > 0. By multiplication (Lemire 2019); the bias is below bound / 2^32.
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(((next() >> 32U) * bound) >> 32U); }
  /// In [0, bound); bound 0 counts as 1.
  std::uint64_t below64(std::uint64_t bound) { return bound == 0 ? 0 : next() % bound; }
  /// In [0, 1).
  double unit() { return static_cast<double>(next() >> 11U) * 0x1.0p-53; }

 private:
  std::uint64_t state_;
};

}  // namespace detent
