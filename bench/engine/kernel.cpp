// The kernels of the engine's benchmark, apart from everything that calls them.
#include <atomic>
#include <memory>

#include "bench/engine/contenders.hpp"

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

}  // namespace

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
