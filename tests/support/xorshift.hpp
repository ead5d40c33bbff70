// Numbers drawn by a seed, the same on every machine.
#pragma once

#include <cstdint>

namespace detent::support {

/// Marsaglia's xorshift64.
class Xorshift {
 public:
  /// @param seed  any: it is spread over the state
  explicit Xorshift(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15U + 1) {}

  std::uint64_t below(std::uint64_t bound) {
    state_ ^= state_ << 13U;
    state_ ^= state_ >> 7U;
    state_ ^= state_ << 17U;
    return (state_ >> 11U) % bound;
  }
  bool chance(std::uint64_t one_in) { return below(one_in) == 0; }

 private:
  std::uint64_t state_;
};

}  // namespace detent::support
