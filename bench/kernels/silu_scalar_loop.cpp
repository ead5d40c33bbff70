#include <cmath>

#include "bench/kernels/silu_loops.hpp"

namespace detent::bench {

void silu_scalar_loop(const float* x, float* y, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) y[i] = x[i] / (1.0F + std::exp(-x[i]));
}

}  // namespace detent::bench
