#include "bench/sim/graph.hpp"

#include <algorithm>

#include <detent/op_config.h>

#include "base/random.hpp"

namespace detent::bench {
namespace {

constexpr std::uint32_t kPredecessors = 3;

std::vector<std::vector<std::uint32_t>> random_predecessors(std::uint32_t ops, RandomSource& random) {
  std::vector<std::vector<std::uint32_t>> result(ops);
  for (std::uint32_t op = 1; op < ops; ++op) {
    for (std::uint32_t i = 0; i < kPredecessors; ++i) result[op].push_back(random.below(op));
    std::sort(result[op].begin(), result[op].end());
    result[op].erase(std::unique(result[op].begin(), result[op].end()), result[op].end());
  }
  return result;
}

}  // namespace

BenchGraph::BenchGraph(std::uint32_t ops, std::uint64_t seed) {
  RandomSource random(seed);
  const auto predecessors = random_predecessors(ops, random);
  std::vector<std::vector<std::uint32_t>> successors(ops);
  for (std::uint32_t op = 0; op < ops; ++op) {
    for (const std::uint32_t before : predecessors[op]) successors[before].push_back(op);
  }
  for (std::uint32_t id = 0; id < ops; ++id) {
    const auto first = static_cast<std::uint32_t>(dag_.targets.size());
    dag_.first.push_back(first);
    dag_.targets.insert(dag_.targets.end(), successors[id].begin(), successors[id].end());
    dag_.durations_ps.push_back(1'000'000 + random.below(9'000'000));
    detent_op op{};
    op.name = "op";
    op.id = id;
    op.config_size = sizeof(detent_mix_config);
    op.entry_count = static_cast<std::uint32_t>(predecessors[id].size());
    op.successors = {first, static_cast<std::uint32_t>(successors[id].size())};
    op.commute_group = DETENT_NONE;
    tables_.ops.push_back(op);
    tables_.costs.push_back({dag_.durations_ps[id], dag_.durations_ps[id], 0, 0, 0});
  }
  dag_.first.push_back(static_cast<std::uint32_t>(dag_.targets.size()));
  tables_.successors = dag_.targets;
  tables_.kernels = {"mix"};
  tables_.classes = {{"cpu", DETENT_CLASS_WORKERS}};
  tables_.config = {0};
  tables_.desc.name = "random";
  tables_.refresh();
}

}  // namespace detent::bench
