#include <cmath>

#include "bench/kernels/silu_loops.hpp"

namespace detent::bench {

void silu_vector_loop(const float* x, float* y, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) y[i] = x[i] / (1.0F + std::exp(-x[i]));
}

void copy_loop(const float* x, float* y, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) y[i] = x[i];
}

}  // namespace detent::bench
