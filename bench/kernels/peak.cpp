// FMA peak: the harness's loop of independent multiply-adds, timed.
#include "bench/kernels/peak.hpp"

#include <algorithm>
#include <cstdint>

#include "bench/kernels/clock.hpp"
#include "harness/measure/host_cpu.hpp"

namespace detent::bench {

double measure_fma_peak_gflops(double round_ms) {
  std::uint64_t rounds = 1000;
  double best = 0.0;
  for (int measured = 0; measured < 5;) {
    const double begin = thread_cpu_ms();
    const double flops = harness::multiply_add(rounds);
    const double seconds = (thread_cpu_ms() - begin) * 1e-3;
    if (seconds * 1e3 < round_ms) {
      rounds *= 2;
      continue;
    }
    best = std::max(best, flops / seconds * 1e-9);
    ++measured;
  }
  return best;
}

}  // namespace detent::bench
