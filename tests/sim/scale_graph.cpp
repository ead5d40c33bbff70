#include "tests/sim/scale_graph.hpp"

#include <algorithm>

namespace detent::sim::test {
namespace {

constexpr std::uint32_t kPredecessors = 3;

std::uint32_t random_class(Random& random, const ScaleGraphOptions& options, bool& is_release) {
  std::uint32_t percent = random.below(100);
  is_release = percent < options.release_percent;
  if (is_release) return kDelay;
  percent -= options.release_percent;
  if (percent < options.delay_percent) return kDelay;
  percent -= options.delay_percent;
  if (percent < options.npu_percent) return kNpu;
  percent -= options.npu_percent;
  return percent < options.dsp_percent ? kDsp : kCpu;
}

void add_mutexes(GraphOp& op, Random& random, const ScaleGraphOptions& options) {
  if (op.core_class == kDelay || random.below(100) >= options.mutex_percent) return;
  const std::uint32_t first = random.below(options.mutexes);
  const std::uint32_t second = random.below(options.mutexes);
  op.mutexes.push_back(op.core_class * options.mutexes + std::min(first, second));
  if (first != second) op.mutexes.push_back(op.core_class * options.mutexes + std::max(first, second));
}

void add_predecessors(Graph& graph, std::uint32_t id, Random& random, std::uint32_t reach) {
  const std::uint32_t nearest = std::min(id, reach);
  for (std::uint32_t i = 0; i < kPredecessors && nearest > 0; ++i) {
    auto& successors = graph[id - 1 - random.below(nearest)].successors;
    if (successors.empty() || successors.back() != id) successors.push_back(id);
  }
}

}  // namespace

Graph scale_graph(std::uint64_t seed, const ScaleGraphOptions& options) {
  Random random(seed);
  Graph graph(options.ops);
  for (std::uint32_t id = 0; id < options.ops; ++id) {
    bool is_release = false;
    GraphOp& op = graph[id];
    op.core_class = random_class(random, options, is_release);
    op.worst_ps = op.best_ps = random.below(options.max_time_ps + 1);
    op.priority = static_cast<std::int32_t>(random.below(101)) - 50;
    add_mutexes(op, random, options);
    if (!is_release) add_predecessors(graph, id, random, options.reach);
  }
  return graph;
}

}  // namespace detent::sim::test
