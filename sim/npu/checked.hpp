// 64-bit counts that must not wrap.
#pragma once

#include <cstdint>
#include <stdexcept>

namespace detent::sim::npu {

/// @throws std::overflow_error  the product does not fit 64 bits
inline std::uint64_t checked_product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product))
    throw std::overflow_error("NPU: a count of this layer exceeds 64 bits; use smaller dimensions");
  return product;
}

/// @throws std::overflow_error  the sum does not fit 64 bits
inline std::uint64_t checked_sum(std::uint64_t a, std::uint64_t b) {
  std::uint64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum))
    throw std::overflow_error("NPU: a count of this layer exceeds 64 bits; use smaller dimensions");
  return sum;
}

/// ceil(a / b), b > 0.
constexpr std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

}  // namespace detent::sim::npu
