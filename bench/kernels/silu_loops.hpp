// Peers of the operator silu: loops over the C library's expf. Nothing here is tuned.
#pragma once

#include <cstddef>

namespace detent::bench {

void copy_loop(const float* x, float* y, std::size_t count);
/// Compiled with -ffast-math for this processor: the compiler takes the library's vector expf.
void silu_vector_loop(const float* x, float* y, std::size_t count);
/// Compiled without vectorisation.
void silu_scalar_loop(const float* x, float* y, std::size_t count);

}  // namespace detent::bench
