#include "models/import/tvm/replan/order.hpp"

#include <algorithm>
#include <queue>
#include <set>

#include "models/core/dag.hpp"

namespace detent::models::tvm {
namespace {

struct Span {
  std::uint64_t begin = 0, end = 0;
};

std::vector<Span> list_schedule(const std::vector<CallEdge>& edges, const std::vector<std::uint64_t>& costs,
                                std::uint32_t workers) {
  std::vector<std::vector<std::uint32_t>> next(costs.size());
  std::vector<std::size_t> waiting(costs.size());
  for (const auto& [from, to] : edges) {
    next[from].push_back(to);
    ++waiting[to];
  }
  std::set<std::uint32_t> ready;
  for (std::uint32_t call = 0; call < costs.size(); ++call) {
    if (waiting[call] == 0) ready.insert(call);
  }
  using End = std::pair<std::uint64_t, std::uint32_t>;
  std::priority_queue<End, std::vector<End>, std::greater<>> running;
  std::vector<Span> spans(costs.size());
  std::uint64_t now = 0;
  while (!ready.empty() || !running.empty()) {
    while (!ready.empty() && (workers == 0 || running.size() < workers)) {
      const std::uint32_t call = *ready.begin();
      ready.erase(ready.begin());
      spans[call] = {now, now + costs[call]};
      running.emplace(spans[call].end, call);
    }
    now = running.top().first;
    const std::uint32_t ended = running.top().second;
    running.pop();
    for (const std::uint32_t to : next[ended]) {
      if (--waiting[to] == 0) ready.insert(to);
    }
  }
  return spans;
}

}  // namespace

std::vector<CallEdge> order_of_schedule(const std::vector<CallEdge>& edges, const std::vector<std::uint64_t>& costs,
                                        std::uint32_t workers) {
  const std::vector<Span> spans = workers == 1 ? std::vector<Span>() : list_schedule(edges, costs, workers);
  std::vector<CallEdge> order;
  for (std::uint32_t a = 0; a < costs.size(); ++a) {
    for (std::uint32_t b = a + 1; b < costs.size(); ++b) {
      if (workers == 1 || spans[a].end <= spans[b].begin) order.emplace_back(a, b);
    }
  }
  return order;
}

std::vector<CallEdge> order_of_sharing(const Model& planned) {
  struct Use {
    std::uint32_t region;
    std::uint64_t begin, end;
    std::vector<std::uint32_t> calls;
  };
  std::vector<Use> uses;
  const auto accesses = accesses_by_root(planned);
  for (std::uint32_t id = 0; id < planned.tensors.size(); ++id) {
    const Tensor& tensor = planned.tensors[id];
    const bool is_shared = tensor.alias_of == kNone && tensor.role != TensorRole::kRange && tensor.region != kNone &&
                           planned.regions[tensor.region].kind == DETENT_REGION_WORKSPACE;
    if (!is_shared) continue;
    Use use{tensor.region, tensor.offset_bytes, tensor.offset_bytes + tensor.size_bytes, {}};
    for (const Access& access : accesses[id]) use.calls.push_back(access.op);
    uses.push_back(std::move(use));
  }
  std::set<CallEdge> order;
  for (std::size_t a = 0; a < uses.size(); ++a) {
    for (std::size_t b = a + 1; b < uses.size(); ++b) {
      if (uses[a].region != uses[b].region || uses[a].end <= uses[b].begin || uses[b].end <= uses[a].begin) continue;
      for (const std::uint32_t first : uses[a].calls) {
        for (const std::uint32_t second : uses[b].calls) {
          if (first != second) order.insert(std::minmax(first, second));
        }
      }
    }
  }
  return {order.begin(), order.end()};
}

}  // namespace detent::models::tvm
