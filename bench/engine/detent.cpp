// Detent's modes as contenders: a Desc of ops without tensors over the posix port.
#include <cstdio>
#include <cstdlib>

#include <detent/detent.h>

#include "bench/engine/contenders.hpp"
#include "tests/support/desc_tables.hpp"

namespace detent::bench {

namespace {

constexpr const char* kKernelName = "empty";

struct Mode {
  detent_mode mode;
  detent_scheduler scheduler;
  bool has_hints;
  bool op_states = false;
};

void require(detent_status status) {
  if (status == DETENT_OK) return;
  std::fprintf(stderr, "bench_engine: %s\n", detent_status_name(status));
  std::exit(1);
}

class Detent final : public Contender {
 public:
  Detent(const TaskGraph& graph, std::uint32_t workers, detent_kernel_fn kernel, const Mode& mode)
      : kernel_{kKernelName, kernel, nullptr},
        table_{&kernel_, 1},
        backend_(detent_cpu_backend("*", &table_)),
        tables_(to_spec(graph)) {
    if (!mode.has_hints) tables_.costs.clear();
    tables_.refresh();
    port_memory_ = std::make_unique<std::uint8_t[]>(detent_port_posix_bytes() + DETENT_CACHE_LINE);
    void* port_state = port_memory_.get();
    std::size_t room = detent_port_posix_bytes() + DETENT_CACHE_LINE;
    std::align(DETENT_CACHE_LINE, detent_port_posix_bytes(), port_state, room);
    require(detent_port_posix(port_state, room, &port_));
    detent_config config = detent_default_config(&port_);
    config.backends = &backend_;
    config.backend_count = 1;
    config.mode = mode.mode;
    config.scheduler = mode.scheduler;
    config.worker_count = workers;
    config.op_states = mode.op_states;
    const std::size_t bytes = detent_arena_bytes(&tables_.desc, &config);
    arena_ = std::make_unique<std::uint8_t[]>(bytes);
    require(detent_init(arena_.get(), bytes, &tables_.desc, &config, &context_, nullptr));
  }
  ~Detent() override { require(detent_deinit(context_)); }
  Detent(const Detent&) = delete;
  Detent& operator=(const Detent&) = delete;
  void run() override {
    detent_result result;
    require(detent_run(context_, &result));
  }

 private:
  static support::GraphSpec to_spec(const TaskGraph& graph) {
    support::GraphSpec spec{.name = graph.name, .regions = support::workspaces({64})};
    spec.kernels = {kKernelName};
    spec.classes = {{"cpu", DETENT_CLASS_WORKERS}};
    spec.ops.assign(graph.op_count, {.best_ps = graph.hint_ps, .worst_ps = graph.hint_ps});
    for (std::uint32_t id = 0; id < graph.op_count; ++id) {
      for (const std::uint32_t to : graph.successors[id]) spec.edges.push_back({id, to});
    }
    return spec;
  }

  detent_kernel kernel_;
  detent_kernel_table table_;
  detent_backend backend_;
  support::DescTables tables_;
  std::unique_ptr<std::uint8_t[]> port_memory_, arena_;
  detent_port port_{};
  detent_context* context_ = nullptr;
};

}  // namespace

std::unique_ptr<Contender> make_detent_role(const TaskGraph& graph, std::uint32_t workers, detent_kernel_fn kernel) {
  return std::make_unique<Detent>(graph, workers, kernel, Mode{DETENT_MODE_CLOSED_LOOP, DETENT_SCHEDULER_ROLE, true});
}
std::unique_ptr<Contender> make_detent_blind(const TaskGraph& graph, std::uint32_t workers, detent_kernel_fn kernel) {
  return std::make_unique<Detent>(graph, workers, kernel, Mode{DETENT_MODE_CLOSED_LOOP, DETENT_SCHEDULER_ROLE, false});
}
std::unique_ptr<Contender> make_detent_watched(const TaskGraph& graph, std::uint32_t workers, detent_kernel_fn kernel) {
  return std::make_unique<Detent>(graph, workers, kernel,
                                  Mode{DETENT_MODE_CLOSED_LOOP, DETENT_SCHEDULER_ROLE, true, true});
}
std::unique_ptr<Contender> make_detent_thread(const TaskGraph& graph, std::uint32_t workers, detent_kernel_fn kernel) {
  return std::make_unique<Detent>(graph, workers, kernel, Mode{DETENT_MODE_CLOSED_LOOP, DETENT_SCHEDULER_THREAD, true});
}
std::unique_ptr<Contender> make_detent_static(const TaskGraph& graph, std::uint32_t workers, detent_kernel_fn kernel) {
  return std::make_unique<Detent>(graph, workers, kernel, Mode{DETENT_MODE_STATIC, DETENT_SCHEDULER_ROLE, true});
}
std::unique_ptr<Contender> make_detent_layered(const TaskGraph& graph, std::uint32_t workers, detent_kernel_fn kernel) {
  return std::make_unique<Detent>(graph, workers, kernel, Mode{DETENT_MODE_LAYERED, DETENT_SCHEDULER_ROLE, true});
}

}  // namespace detent::bench
