// The kernels of the engine's benchmark, apart from everything that calls them.
#include <algorithm>
#include <atomic>
#include <memory>

#include "bench/engine/contenders.hpp"
#include "bench/engine/timing.hpp"

namespace detent::bench {

namespace {

struct Notes {
  std::atomic<std::uint64_t> clock{0};
  std::unique_ptr<std::atomic<std::uint64_t>[]> when;
  std::unique_ptr<std::atomic<std::uint32_t>[]> count;
};

Notes& notes() {
  static Notes all;
  return all;
}

std::uint64_t kernel_steps = 0;  // of the working kernel; set while no run is on

/// Dependent multiplications, which no processor shortens.
void work(std::uint64_t steps) {
  std::uint64_t x = steps;
  for (std::uint64_t i = 0; i < steps; ++i) {
    x = x * 0x9e3779b97f4a7c15u + i;
    asm volatile("" : "+r"(x));
  }
}

}  // namespace

std::int32_t working_kernel(const detent_kernel_args* /*args*/) {
  work(kernel_steps);
  return 0;
}

void set_kernel_us(double us) {
  constexpr std::uint64_t kTrialSteps = 20'000;
  double best_ns = 1e18;
  for (int trial = 0; trial < 200; ++trial) {
    const double begin = now_ns();
    work(kTrialSteps);
    best_ns = std::min(best_ns, now_ns() - begin);
  }
  kernel_steps = static_cast<std::uint64_t>(us * 1000 / best_ns * kTrialSteps);
}

std::int32_t empty_kernel(const detent_kernel_args* args) {
  asm volatile("" : : "r"(args) : "memory");
  return 0;
}

std::int32_t noting_kernel(const detent_kernel_args* args) {
  Notes& all = notes();
  all.when[args->op].store(all.clock.fetch_add(1, std::memory_order_relaxed), std::memory_order_relaxed);
  all.count[args->op].fetch_add(1, std::memory_order_relaxed);
  return 0;
}

void clear_notes(std::uint32_t op_count) {
  Notes& all = notes();
  all.clock = 0;
  all.when = std::make_unique<std::atomic<std::uint64_t>[]>(op_count);
  all.count = std::make_unique<std::atomic<std::uint32_t>[]>(op_count);
}

std::string check_notes(const TaskGraph& graph) {
  const Notes& all = notes();
  for (std::uint32_t op = 0; op < graph.op_count; ++op) {
    if (all.count[op] != 1) return "op " + std::to_string(op) + " ran " + std::to_string(all.count[op]) + " times";
    for (std::uint32_t before : graph.predecessors[op]) {
      if (all.when[before] >= all.when[op]) {
        return "op " + std::to_string(op) + " ran before op " + std::to_string(before);
      }
    }
  }
  return "";
}

}  // namespace detent::bench
