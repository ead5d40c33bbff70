// The list of contenders, and the limit: popping an array that is already in topological order.
#include "bench/engine/contenders.hpp"

namespace detent::bench {

namespace {

class Array final : public Contender {
 public:
  Array(const TaskGraph& graph, detent_kernel_fn kernel) : args_(graph.op_count), kernel_(kernel) {
    for (std::uint32_t op = 0; op < graph.op_count; ++op) args_[op].op = op;
  }
  void run() override {
    for (const detent_kernel_args& args : args_) kernel_(&args);
  }

 private:
  std::vector<detent_kernel_args> args_;
  detent_kernel_fn kernel_;
};

}  // namespace

std::unique_ptr<Contender> make_array(const TaskGraph& graph, std::uint32_t /*workers*/, detent_kernel_fn kernel) {
  return std::make_unique<Array>(graph, kernel);
}

std::vector<ContenderKind> contender_kinds() {
  std::vector<ContenderKind> kinds = {{"popping an array", false, ~0u, make_array},
                                      {"detent role", true, ~0u, make_detent_role},
                                      {"detent role, no cost hints", true, ~0u, make_detent_blind},
                                      {"detent role, op states kept", true, ~0u, make_detent_watched},
                                      {"detent scheduler thread", true, ~0u, make_detent_thread},
                                      {"detent static lists", true, ~0u, make_detent_static},
                                      {"detent layered", true, ~0u, make_detent_layered}};
#ifdef DETENT_BENCH_TBB
  kinds.push_back({"oneTBB flow graph", true, ~0u, make_tbb});
#endif
#ifdef DETENT_BENCH_OPENMP
  // gcc's library takes time quadratic in the number of waiting tasks on wide graphs.
  kinds.push_back({"OpenMP tasks", true, 10'000, make_openmp});
#endif
  return kinds;
}

}  // namespace detent::bench
