// Pinned threads, dependent additions, multiply-adds for each vector width.
#include "harness/measure/host_cpu.hpp"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "runtime/ports/host_clock.h"

namespace detent::harness {
namespace {

constexpr int kSumChains = 12;  // more than latency times units

void pin_to(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<unsigned>(cpu), &set);
  pthread_setaffinity_np(pthread_self(), sizeof set, &set);  // a refusal costs precision only
}

volatile float multiply_add_source = 0.0F;
volatile float multiply_add_sink = 0.0F;

#if defined(__x86_64__)
// One block a round: the sums stay in registers, whatever the compiler thinks of the loop. They start at zero.
// clang-format off
#define DETENT_SUM(r, k) "vfmadd231ps %%" r "12, %%" r "12, %%" r #k "\n"
#define DETENT_SUMS(r)                                                \
  DETENT_SUM(r, 0) DETENT_SUM(r, 1) DETENT_SUM(r, 2) DETENT_SUM(r, 3) \
  DETENT_SUM(r, 4) DETENT_SUM(r, 5) DETENT_SUM(r, 6) DETENT_SUM(r, 7) \
  DETENT_SUM(r, 8) DETENT_SUM(r, 9) DETENT_SUM(r, 10) DETENT_SUM(r, 11)
// clang-format on
#define DETENT_SUM_REGISTERS \
  "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12"

__attribute__((target("avx512f"))) double multiply_add_512(std::uint64_t rounds) {
  asm volatile("vzeroall" ::: DETENT_SUM_REGISTERS);
  for (std::uint64_t i = 0; i < rounds; ++i) asm volatile(DETENT_SUMS("zmm")::: DETENT_SUM_REGISTERS);
  return 16.0 * 2.0 * kSumChains * static_cast<double>(rounds);
}

__attribute__((target("avx2,fma"))) double multiply_add_256(std::uint64_t rounds) {
  asm volatile("vzeroall" ::: DETENT_SUM_REGISTERS);
  for (std::uint64_t i = 0; i < rounds; ++i) asm volatile(DETENT_SUMS("ymm")::: DETENT_SUM_REGISTERS);
  return 8.0 * 2.0 * kSumChains * static_cast<double>(rounds);
}
#endif

/// Four lanes, which every 64-bit processor has; a multiplication and an addition where nothing fuses them.
double multiply_add_128(std::uint64_t rounds) {
  using Lanes = float __attribute__((vector_size(16)));
  const float source = multiply_add_source;
  const Lanes x = {source, source, source, source};
  Lanes sum[kSumChains] = {};
  for (std::uint64_t i = 0; i < rounds; ++i) {
    for (Lanes& s : sum) s = x * x + s;
    asm volatile("" ::: "memory");
  }
  for (const Lanes& s : sum) multiply_add_sink = multiply_add_sink + s[0];
  return 4.0 * 2.0 * kSumChains * static_cast<double>(rounds);
}

}  // namespace

std::vector<int> usable_cpus() {
  std::vector<int> cpus;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(static_cast<unsigned>(cpu), &set)) cpus.push_back(cpu);
    }
  }
  if (cpus.empty()) cpus.push_back(0);
  return cpus;
}

std::uint64_t time_together(const std::vector<int>& cpus, std::uint32_t rounds,
                            const std::function<void(std::size_t index)>& work) {
  std::uint64_t least = UINT64_MAX;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    std::atomic<std::size_t> ready{0};
    std::vector<std::uint64_t> times(cpus.size());
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < cpus.size(); ++i) {
      threads.emplace_back([&, i] {
        pin_to(cpus[i]);
        ready.fetch_add(1);
        while (ready.load() < cpus.size()) std::this_thread::yield();  // under real-time priority, too
        const std::uint64_t begin = host_now_ps();
        work(i);
        times[i] = host_now_ps() - begin;
      });
    }
    for (std::thread& thread : threads) thread.join();
    least = std::min(least, *std::max_element(times.begin(), times.end()));
  }
  return std::max<std::uint64_t>(least, 1);
}

void add_in_a_chain(std::uint64_t count) {
  std::uint64_t x = 0;
  for (std::uint64_t i = 0; i < count; i += 16) {
#pragma GCC unroll 16
    for (int k = 0; k < 16; ++k) {
      x += 1;
      asm volatile("" : "+r"(x));
    }
  }
}

double multiply_add(std::uint64_t rounds) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return multiply_add_512(rounds);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return multiply_add_256(rounds);
#endif
  return multiply_add_128(rounds);
}

}  // namespace detent::harness
