// OpenMP: one task per op, ordered by depend clauses over one byte per op.
#include <omp.h>

#include "bench/engine/contenders.hpp"

namespace detent::bench {

namespace {

class OpenMp final : public Contender {
 public:
  OpenMp(const TaskGraph& graph, std::uint32_t workers, detent_kernel_fn kernel)
      : graph_(graph),
        args_(graph.op_count),
        bytes_(graph.op_count),
        workers_(static_cast<int>(workers)),
        kernel_(kernel) {
    for (std::uint32_t op = 0; op < graph.op_count; ++op) args_[op].op = op;
  }
  void run() override {
    [[maybe_unused]] char* const bytes = bytes_.data();  // gcc does not count depend clauses as uses
    const detent_kernel_fn kernel = kernel_;
#pragma omp parallel num_threads(workers_)
#pragma omp single
    for (std::uint32_t op = 0; op < graph_.op_count; ++op) {
      const std::uint32_t* const before = graph_.predecessors[op].data();
      const int count = static_cast<int>(graph_.predecessors[op].size());
      const detent_kernel_args* const args = &args_[op];
#pragma omp task firstprivate(kernel, args) depend(iterator(int i = 0             \
                                                            : count),             \
                                                   in                             \
                                                   : bytes[before[i]]) depend(out \
                                                                              : bytes[op])
      kernel(args);
    }
  }

 private:
  const TaskGraph& graph_;
  std::vector<detent_kernel_args> args_;
  std::vector<char> bytes_;
  int workers_;
  detent_kernel_fn kernel_;
};

}  // namespace

std::unique_ptr<Contender> make_openmp(const TaskGraph& graph, std::uint32_t workers, detent_kernel_fn kernel) {
  return std::make_unique<OpenMp>(graph, workers, kernel);
}

}  // namespace detent::bench
