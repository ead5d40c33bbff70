#include "tests/sim/graph.hpp"

#include <algorithm>

#include <detent/op_config.h>

#include "tests/support/desc_storage.hpp"

namespace detent::sim::test {

namespace {

void add_random_op(Graph& graph, Random& random, const RandomGraphOptions& options) {
  GraphOp op;
  op.worst_ps = random.below(options.max_time_ps + 1);
  op.best_ps = options.range ? random.below(static_cast<std::uint32_t>(op.worst_ps) + 1) : op.worst_ps;
  op.priority = static_cast<std::int32_t>(random.below(5)) - 2;
  if (options.npu && random.below(3) == 0) op.core_class = kNpu;
  if (options.delays && random.below(5) == 0) op.core_class = kDelay;
  graph.push_back(op);
}

}  // namespace

Graph random_graph(std::uint64_t seed, const RandomGraphOptions& options) {
  Random random(seed);
  Graph graph;
  const std::uint32_t count = 1 + random.below(options.max_ops);
  for (std::uint32_t i = 0; i < count; ++i) add_random_op(graph, random, options);
  const std::uint32_t density = 1 + random.below(12);  // percent to dense
  for (std::uint32_t from = 0; from < count; ++from) {
    for (std::uint32_t to = from + 1; to < count; ++to) {
      if (random.below(40) < density) graph[from].successors.push_back(to);
    }
  }
  return graph;
}

struct GraphDesc::Tables {
  support::DescStorage storage;
  detent_desc desc{};
};

namespace {

constexpr std::uint32_t kBytes = 64;

std::vector<std::vector<std::uint32_t>> predecessors_of(const Graph& graph) {
  std::vector<std::vector<std::uint32_t>> result(graph.size());
  for (std::uint32_t op = 0; op < graph.size(); ++op) {
    for (const std::uint32_t next : graph[op].successors) result[next].push_back(op);
  }
  return result;
}

}  // namespace

GraphDesc::GraphDesc(const Graph& graph, bool with_tensors) : tables_(std::make_shared<Tables>()) {
  support::DescStorage& t = tables_->storage;
  t.kernels = {"mix", "delay"};
  t.classes = {{"cpu", DETENT_CLASS_WORKERS},
               {"npu", DETENT_CLASS_WORKERS},
               {"delay", DETENT_CLASS_ASYNC},
               {"dsp", DETENT_CLASS_WORKERS}};
  t.config = {0};  // one detent_mix_config for all
  const auto predecessors = predecessors_of(graph);
  const auto count = static_cast<std::uint32_t>(graph.size());
  std::uint32_t mutexes = 0;
  for (std::uint32_t id = 0; id < count; ++id) {
    const GraphOp& from = graph[id];
    detent_op op{};
    op.name = "op";
    op.id = id;
    op.core_class = from.core_class;
    const bool delay = from.core_class == kDelay;
    op.kernel = delay ? 1 : 0;
    op.flags = delay ? std::uint32_t{DETENT_OP_DELAY} : 0U;
    if (with_tensors && !delay) {
      std::vector<std::uint32_t> reads;
      for (const std::uint32_t before : predecessors[id]) {
        if (graph[before].core_class != kDelay) reads.push_back(before);
      }
      op.inputs = support::append(t.tensor_refs, reads);
      op.outputs = support::append(t.tensor_refs, {id});
    }
    op.config_size = delay ? 0 : static_cast<std::uint32_t>(sizeof(detent_mix_config));
    op.entry_count = static_cast<std::uint32_t>(predecessors[id].size());
    op.successors = support::append(t.successors, from.successors);
    op.mutexes = support::append(t.mutex_refs, from.mutexes);
    for (const std::uint32_t mutex : from.mutexes) mutexes = std::max(mutexes, mutex + 1);
    op.commute_group = DETENT_NONE;
    op.priority = from.priority;
    t.ops.push_back(op);
    t.costs.push_back({from.best_ps, from.worst_ps, 0, 0, 0});
    if (with_tensors) t.tensors.push_back(support::range_tensor("range", 0, std::uint64_t{kBytes} * id, kBytes));
  }
  if (with_tensors) {
    t.regions.push_back({"ws", DETENT_REGION_WORKSPACE, std::uint64_t{kBytes} * count, 64, nullptr});
  }
  t.mutex_names.assign(mutexes, "m");
  tables_->desc.name = "graph";
  t.point(tables_->desc);
}

const detent_desc& GraphDesc::desc() const { return tables_->desc; }

}  // namespace detent::sim::test
