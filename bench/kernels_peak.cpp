// FMA peak by a loop of independent register accumulators.
#include "bench/kernels_peak.hpp"

#include <cstdint>

#include "bench/kernels_clock.hpp"

namespace detent::bench {
namespace {

constexpr int kChains = 12;  // more than latency x units, fewer than the registers of the smallest set

// One asm block a round: the accumulators stay in registers, whatever the compiler thinks of the loop.
#if defined(__x86_64__)
#define DETENT_FMA_ROUND(r)                                                             \
  "vfmadd231ps %%" r "12, %%" r "12, %%" r "0\n vfmadd231ps %%" r "12, %%" r "12, %%" r \
  "1\n"                                                                                 \
  "vfmadd231ps %%" r "12, %%" r "12, %%" r "2\n vfmadd231ps %%" r "12, %%" r "12, %%" r \
  "3\n"                                                                                 \
  "vfmadd231ps %%" r "12, %%" r "12, %%" r "4\n vfmadd231ps %%" r "12, %%" r "12, %%" r \
  "5\n"                                                                                 \
  "vfmadd231ps %%" r "12, %%" r "12, %%" r "6\n vfmadd231ps %%" r "12, %%" r "12, %%" r \
  "7\n"                                                                                 \
  "vfmadd231ps %%" r "12, %%" r "12, %%" r "8\n vfmadd231ps %%" r "12, %%" r "12, %%" r \
  "9\n"                                                                                 \
  "vfmadd231ps %%" r "12, %%" r "12, %%" r "10\n vfmadd231ps %%" r "12, %%" r "12, %%" r "11\n"
#define DETENT_FMA_CLOBBERS \
  "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12"

// What the registers hold at first does not matter much, but denormals would: they start at zero.
__attribute__((target("avx512f"))) double run_avx512(std::int64_t rounds) {
  asm volatile("vzeroall" ::: DETENT_FMA_CLOBBERS);
  for (std::int64_t i = 0; i < rounds; ++i) asm volatile(DETENT_FMA_ROUND("zmm")::: DETENT_FMA_CLOBBERS);
  return 16.0 * 2.0 * kChains * static_cast<double>(rounds);
}

__attribute__((target("avx2,fma"))) double run_avx2(std::int64_t rounds) {
  asm volatile("vzeroall" ::: DETENT_FMA_CLOBBERS);
  for (std::int64_t i = 0; i < rounds; ++i) asm volatile(DETENT_FMA_ROUND("ymm")::: DETENT_FMA_CLOBBERS);
  return 8.0 * 2.0 * kChains * static_cast<double>(rounds);
}
#endif

// Without vector FMA: the scalar one, or multiply and add.
double run_scalar(std::int64_t rounds) {
  float sum[kChains] = {};
  const volatile float source = 0.5F;
  const float x = source;
  for (std::int64_t i = 0; i < rounds; ++i) {
    for (float& s : sum) s = s * x + x;
    asm volatile("" ::: "memory");
  }
  volatile float sink = 0.0F;
  for (const float s : sum) sink = sink + s;
  return 2.0 * kChains * static_cast<double>(rounds);
}

double run_widest(std::int64_t rounds) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return run_avx512(rounds);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return run_avx2(rounds);
#endif
  return run_scalar(rounds);
}

}  // namespace

double measure_fma_peak_gflops(double round_ms) {
  std::int64_t rounds = 1000;
  double best = 0.0;
  for (int measured = 0; measured < 5;) {
    const double begin = thread_cpu_ms();
    const double flops = run_widest(rounds);
    const double seconds = (thread_cpu_ms() - begin) * 1e-3;
    if (seconds * 1e3 < round_ms) {
      rounds *= 2;
      continue;
    }
    best = flops / seconds * 1e-9 > best ? flops / seconds * 1e-9 : best;
    ++measured;
  }
  return best;
}

}  // namespace detent::bench
