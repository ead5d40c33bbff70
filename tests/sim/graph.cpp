#include "tests/sim/graph.hpp"

#include <algorithm>

#include <detent/op_config.h>

namespace detent::sim::test {

std::uint64_t Random::next() {
  state_ += 0x9E3779B97F4A7C15U;
  std::uint64_t x = state_;
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

std::uint32_t Random::below(std::uint32_t count) { return static_cast<std::uint32_t>((next() >> 32U) * count >> 32U); }

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
  std::vector<detent_region> regions;
  std::vector<detent_tensor> tensors;
  std::vector<detent_op> ops;
  std::vector<std::uint32_t> refs;
  std::vector<std::uint32_t> successors;
  std::vector<std::uint32_t> mutex_refs;
  std::vector<detent_op_cost> costs;
  std::vector<const char*> kernels{"mix", "delay"};
  std::vector<detent_class> classes{{"cpu", DETENT_CLASS_WORKERS},
                                    {"npu", DETENT_CLASS_WORKERS},
                                    {"delay", DETENT_CLASS_ASYNC},
                                    {"dsp", DETENT_CLASS_WORKERS}};
  alignas(8) detent_mix_config config{};
  std::vector<const char*> mutex_names;
  detent_desc desc{};
};

namespace {

constexpr std::uint32_t kBytes = 64;

detent_tensor range_tensor(std::uint32_t op) {
  detent_tensor tensor{};
  tensor.name = "range";
  tensor.flags = DETENT_TENSOR_RANGE;
  tensor.offset_bytes = std::uint64_t{kBytes} * op;
  tensor.size_bytes = kBytes;
  tensor.block_bytes = kBytes;
  tensor.block_count = 1;
  tensor.align_bytes = 1;
  tensor.alias_of = DETENT_NONE;
  tensor.live_begin = tensor.live_end = DETENT_NONE;
  tensor.dtype = DETENT_U8;
  return tensor;
}

detent_slice append(std::vector<std::uint32_t>& table, const std::vector<std::uint32_t>& values) {
  const detent_slice slice{static_cast<std::uint32_t>(table.size()), static_cast<std::uint32_t>(values.size())};
  table.insert(table.end(), values.begin(), values.end());
  return slice;
}

std::vector<std::vector<std::uint32_t>> predecessors_of(const Graph& graph) {
  std::vector<std::vector<std::uint32_t>> result(graph.size());
  for (std::uint32_t op = 0; op < graph.size(); ++op) {
    for (const std::uint32_t next : graph[op].successors) result[next].push_back(op);
  }
  return result;
}

}  // namespace

GraphDesc::GraphDesc(const Graph& graph, bool with_tensors) : tables_(std::make_shared<Tables>()) {
  Tables& t = *tables_;
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
      op.inputs = append(t.refs, reads);
      op.outputs = append(t.refs, {id});
    }
    op.config_size = delay ? 0 : static_cast<std::uint32_t>(sizeof(detent_mix_config));
    op.entry_count = static_cast<std::uint32_t>(predecessors[id].size());
    op.successors = append(t.successors, from.successors);
    op.mutexes = append(t.mutex_refs, from.mutexes);
    for (const std::uint32_t mutex : from.mutexes) mutexes = std::max(mutexes, mutex + 1);
    op.commute_group = DETENT_NONE;
    op.priority = from.priority;
    t.ops.push_back(op);
    t.costs.push_back({from.best_ps, from.worst_ps, 0, 0, 0});
    if (with_tensors) t.tensors.push_back(range_tensor(id));
  }
  if (with_tensors) {
    t.regions.push_back({"ws", DETENT_REGION_WORKSPACE, std::uint64_t{kBytes} * count, 64, nullptr});
  }
  t.mutex_names.assign(mutexes, "m");
  detent_desc& d = t.desc;
  d.name = "graph";
  d.regions = t.regions.data();
  d.region_count = static_cast<std::uint32_t>(t.regions.size());
  d.tensors = t.tensors.data();
  d.tensor_count = static_cast<std::uint32_t>(t.tensors.size());
  d.ops = t.ops.data();
  d.op_count = count;
  d.tensor_refs = t.refs.data();
  d.tensor_ref_count = static_cast<std::uint32_t>(t.refs.size());
  d.successors = t.successors.data();
  d.successor_count = static_cast<std::uint32_t>(t.successors.size());
  d.mutex_refs = t.mutex_refs.data();
  d.mutex_ref_count = static_cast<std::uint32_t>(t.mutex_refs.size());
  d.mutex_count = mutexes;
  d.mutex_names = t.mutex_names.data();
  d.kernels = t.kernels.data();
  d.kernel_count = 2;
  d.classes = t.classes.data();
  d.class_count = static_cast<std::uint32_t>(t.classes.size());
  d.config_bytes = reinterpret_cast<const std::uint8_t*>(&t.config);
  d.config_byte_count = sizeof(t.config);
  d.costs = t.costs.data();
}

const detent_desc& GraphDesc::desc() const { return tables_->desc; }

}  // namespace detent::sim::test
