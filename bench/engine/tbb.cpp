// oneTBB: one continue_node per op, edges as in the graph, an arena of the given number of workers.
#include <oneapi/tbb/flow_graph.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include <deque>

#include "bench/engine/contenders.hpp"

namespace detent::bench {

namespace {

namespace flow = oneapi::tbb::flow;
using Node = flow::continue_node<flow::continue_msg>;

class Tbb final : public Contender {
 public:
  Tbb(const TaskGraph& graph, std::uint32_t workers, detent_kernel_fn kernel)
      : args_(graph.op_count),
        limit_(oneapi::tbb::global_control::max_allowed_parallelism, workers),
        arena_(static_cast<int>(workers)) {
    arena_.execute([&] { build(graph, kernel); });
  }
  void run() override {
    arena_.execute([this] {
      for (Node* node : entries_) node->try_put(flow::continue_msg{});
      graph_->wait_for_all();
    });
  }

 private:
  void build(const TaskGraph& graph, detent_kernel_fn kernel) {
    graph_ = std::make_unique<flow::graph>();
    for (std::uint32_t op = 0; op < graph.op_count; ++op) {
      args_[op].op = op;
      const detent_kernel_args* args = &args_[op];
      nodes_.emplace_back(*graph_, [kernel, args](const flow::continue_msg&) { kernel(args); });
    }
    for (std::uint32_t op = 0; op < graph.op_count; ++op) {
      for (std::uint32_t next : graph.successors[op]) flow::make_edge(nodes_[op], nodes_[next]);
      if (graph.predecessors[op].empty()) entries_.push_back(&nodes_[op]);
    }
  }

  std::vector<detent_kernel_args> args_;
  oneapi::tbb::global_control limit_;
  oneapi::tbb::task_arena arena_;
  std::unique_ptr<flow::graph> graph_;
  std::deque<Node> nodes_;
  std::vector<Node*> entries_;
};

}  // namespace

std::unique_ptr<Contender> make_tbb(const TaskGraph& graph, std::uint32_t workers, detent_kernel_fn kernel) {
  return std::make_unique<Tbb>(graph, workers, kernel);
}

}  // namespace detent::bench
