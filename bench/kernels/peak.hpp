// The core's FMA peak, measured: what the kernels' figures are a share of.
#pragma once

namespace detent::bench {

/// Fused multiply-add rate of one core on registers alone, GFLOP/s (two per lane and instruction), with the widest
/// vectors it has: the best of five rounds of about `round_ms` each.
double measure_fma_peak_gflops(double round_ms);

}  // namespace detent::bench
