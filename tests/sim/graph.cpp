#include "tests/sim/graph.hpp"

#include <algorithm>

#include <detent/op_config.h>

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

namespace {

constexpr std::uint64_t kBytes = 64;

support::OpSpec to_op(const GraphOp& from) {
  support::OpSpec op{.priority = from.priority,
                     .core_class = from.core_class,
                     .mutexes = from.mutexes,
                     .best_ps = from.best_ps,
                     .worst_ps = from.worst_ps};
  if (from.core_class == kDelay) {
    op.flags = DETENT_OP_DELAY;
    op.kernel = 1;
  } else {
    op.config.resize(sizeof(detent_mix_config) / 8);
  }
  return op;
}

/// Op i writes tensor i and reads those of its predecessors.
void add_tensors(support::GraphSpec& spec) {
  spec.regions = {{.name = "ws", .size_bytes = kBytes * spec.ops.size()}};
  for (std::uint32_t id = 0; id < spec.ops.size(); ++id) {
    spec.tensors.push_back({.name = "range",
                            .offset_bytes = kBytes * id,
                            .block_bytes = kBytes,
                            .align_bytes = 1,
                            .flags = DETENT_TENSOR_RANGE});
    if (spec.ops[id].core_class != kDelay) spec.ops[id].outputs = {id};
  }
  for (const auto& edge : spec.edges) {
    const bool is_delay = spec.ops[edge.from].core_class == kDelay || spec.ops[edge.to].core_class == kDelay;
    if (!is_delay) spec.ops[edge.to].inputs.push_back(edge.from);
  }
}

support::GraphSpec to_spec(const Graph& graph) {
  support::GraphSpec spec{.name = "graph"};
  spec.classes = {{"cpu", DETENT_CLASS_WORKERS},
                  {"npu", DETENT_CLASS_WORKERS},
                  {"delay", DETENT_CLASS_ASYNC},
                  {"dsp", DETENT_CLASS_WORKERS}};
  for (std::uint32_t id = 0; id < graph.size(); ++id) {
    spec.ops.push_back(to_op(graph[id]));
    for (const std::uint32_t next : graph[id].successors) spec.edges.emplace_back(id, next);
    for (const std::uint32_t mutex : graph[id].mutexes) spec.mutex_count = std::max(spec.mutex_count, mutex + 1);
  }
  return spec;
}

}  // namespace

GraphDesc::GraphDesc(const Graph& graph, bool with_tensors) {
  support::GraphSpec spec = to_spec(graph);
  if (with_tensors) add_tensors(spec);
  tables_ = std::make_shared<support::DescTables>(spec);
}

const detent_desc& GraphDesc::desc() const { return tables_->desc; }

}  // namespace detent::sim::test
