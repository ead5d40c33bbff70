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

}  // namespace detent::ops_test
