// References in double that several tests share.
#pragma once

#include <cmath>
#include <cstdint>

#include <detent/op_config.h>

namespace detent::ops_test {

/// act(x), as runtime/include/detent/op_config.h means it.
inline double activation_reference(std::int32_t activation, double x) {
  if (activation == DETENT_ACT_RELU) return x < 0 ? 0 : x;
  if (activation == DETENT_ACT_RELU6) return x < 0 ? 0 : x > 6 ? 6 : x;
  if (activation == DETENT_ACT_SILU) return x == -INFINITY ? -0.0 : x / (1 + std::exp(-x));
  if (activation == DETENT_ACT_SIGMOID) return 1 / (1 + std::exp(-x));
  return x;
}

/// `expected`, or 0 with its sign where activations give that: of x below -87, results less than the least normal
/// float. Those as near to it as activations round may be either.
/// @param y  what was given
inline double with_zero_for_denormals(double expected, double x, double y) {
  constexpr double kLeast = 0x1p-126;
  constexpr double kNear = kLeast * 4 / (1 << 23);
  const double magnitude = std::fabs(expected);
  const bool is_zero = magnitude < kLeast - kNear || (magnitude < kLeast + kNear && y == 0);
  return x < -87 && is_zero ? std::copysign(0.0, expected) : expected;
}

}  // namespace detent::ops_test
