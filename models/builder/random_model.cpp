// Shapes of random DAGs and their models. Planted races stand in random_race.cpp.
#include "models/builder/random_model.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <stdexcept>
#include <vector>

#include "base/random.hpp"
#include "models/builder/builder.hpp"
#include "models/builder/layers.hpp"

namespace detent::models {
namespace {

using Predecessors = std::vector<std::vector<std::uint32_t>>;  // by op; ids topological

constexpr std::uint32_t kMaxReads = 3;

void add_unique(std::vector<std::uint32_t>& list, OpId op) {
  if (std::find(list.begin(), list.end(), op) == list.end()) list.push_back(op);
}

Predecessors layered(std::uint32_t ops, RandomSource& random) {
  std::uint32_t width = 1;
  while (width * width < ops) ++width;
  Predecessors predecessors(ops);
  std::uint32_t previous = 0;  // first op of the layer before
  std::uint32_t first = 0;
  while (first < ops) {
    const std::uint32_t count = std::min(1 + random.below(width), ops - first);
    for (OpId op = first; op < first + count && first > 0; ++op) {
      const std::uint32_t reads = 1 + random.below(kMaxReads);
      for (std::uint32_t i = 0; i < reads; ++i) {
        add_unique(predecessors[op], previous + random.below(first - previous));
      }
    }
    previous = first;
    first += count;
  }
  return predecessors;
}

Predecessors erdos(std::uint32_t ops, RandomSource& random) {
  Predecessors predecessors(ops);
  for (OpId op = 1; op < ops; ++op) {
    const std::uint32_t reads = random.below(kMaxReads + 1);
    for (std::uint32_t i = 0; i < reads; ++i) add_unique(predecessors[op], random.below(op));
  }
  return predecessors;
}

// Numbers the nodes of an edge list topologically, lowest first.
Predecessors renumber(std::uint32_t ops, const std::vector<Edge>& edges) {
  std::vector<std::vector<std::uint32_t>> successors(ops);
  std::vector<std::uint32_t> indegree(ops, 0);
  for (const Edge& edge : edges) {
    successors[edge.from].push_back(edge.to);
    ++indegree[edge.to];
  }
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
  for (OpId op = 0; op < ops; ++op) {
    if (indegree[op] == 0) ready.push(op);
  }
  std::vector<std::uint32_t> number(ops, 0);
  Predecessors predecessors(ops);
  for (std::uint32_t next = 0; !ready.empty(); ++next) {
    const OpId op = ready.top();
    ready.pop();
    number[op] = next;
    for (const std::uint32_t to : successors[op]) {
      if (--indegree[to] == 0) ready.push(to);
    }
  }
  for (const Edge& edge : edges) add_unique(predecessors[number[edge.to]], number[edge.from]);
  return predecessors;
}

Predecessors series_parallel(std::uint32_t ops, RandomSource& random) {
  if (ops == 1) return Predecessors(1);
  std::vector<Edge> edges{{0, 1, 0, 0}};
  for (OpId op = 2; op < ops; ++op) {
    const std::size_t at = random.below(static_cast<std::uint32_t>(edges.size()));
    const Edge old = edges[at];
    if (random.below(2) == 0) {
      edges[at].to = op;  // series: the op stands on the edge
    } else {
      edges.push_back({old.from, op, 0, 0});  // parallel: a way of its own beside the edge
    }
    edges.push_back({op, old.to, 0, 0});
  }
  return renumber(ops, edges);
}

Predecessors make_shape(const RandomOptions& options, RandomSource& random) {
  switch (options.shape) {
    case RandomShape::kLayered:
      return layered(options.ops, random);
    case RandomShape::kErdos:
      return erdos(options.ops, random);
    case RandomShape::kSeriesParallel:
      return series_parallel(options.ops, random);
  }
  return {};
}

}  // namespace

Model make_random_model(const RandomOptions& options) {
  if (options.ops == 0 || options.max_tensor_bytes < 16 || options.max_tensor_bytes > INT32_MAX) {
    throw std::invalid_argument("random model: needs at least one op and tensors of 16 to 2^31-1 bytes");
  }
  RandomSource random(options.seed);
  const Predecessors predecessors = make_shape(options, random);
  Builder b("random", options.seed);
  const TensorId input = b.input("x", {256}, DETENT_U8);
  std::vector<TensorId> written;
  std::vector<bool> read(options.ops, false);
  for (OpId op = 0; op < options.ops; ++op) {
    std::vector<TensorId> inputs;
    for (const std::uint32_t from : predecessors[op]) {
      inputs.push_back(written[from]);
      read[from] = true;
    }
    if (inputs.empty()) inputs.push_back(input);
    const std::uint64_t bytes = 16 + random.below64(options.max_tensor_bytes - 15);
    written.push_back(mix(b, "op" + std::to_string(op), inputs, bytes));
    const std::uint64_t worst = 1'000'000 + random.below64(19'000'001);
    b.last_op().time_ps = {worst - random.below64(worst / 4), worst};
    if (random.unit() < options.npu_share) b.last_op().core_class = "npu";
  }
  for (OpId op = 0; op < options.ops; ++op) {
    if (!read[op]) b.output(written[op]);
  }
  return b.finish();
}

}  // namespace detent::models
