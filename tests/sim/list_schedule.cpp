#include "tests/sim/list_schedule.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace detent::sim::test {
namespace {

/// State by the definition: who waits, who is ready, who runs until when.
struct State {
  const Graph& graph;
  const std::vector<std::uint64_t>& durations_ps;
  const std::vector<std::uint64_t>& rank;
  std::vector<std::uint32_t> free_cores;
  std::vector<std::uint32_t> missing;  // predecessors not yet complete
  std::vector<std::set<std::pair<std::uint64_t, std::uint32_t>>> ready{4};
  std::set<std::tuple<std::uint64_t, std::int32_t, std::uint32_t>> running{};
  std::set<std::uint32_t> held{};  // mutexes
  std::uint64_t now_ps = 0;
  ListSchedule result{};

  [[nodiscard]] bool may_begin(std::uint32_t op) const {
    return std::none_of(graph[op].mutexes.begin(), graph[op].mutexes.end(),
                        [&](std::uint32_t mutex) { return held.contains(mutex); });
  }

  void begin(std::uint32_t op) {
    held.insert(graph[op].mutexes.begin(), graph[op].mutexes.end());
    result.begin_ps[op] = now_ps;
    running.emplace(now_ps + durations_ps[op], graph[op].priority, op);
  }

  void start_all() {
    for (const auto& [order, op] : ready[kDelay]) begin(op);
    ready[kDelay].clear();
    for (const std::uint32_t type : {kCpu, kNpu, kDsp}) start_class(type);
  }

  /// The best op that may begin takes a core, as long as there are both.
  void start_class(std::uint32_t type) {
    for (auto next = ready[type].begin(); free_cores[type] > 0 && next != ready[type].end();) {
      if (!may_begin(next->second)) {
        ++next;
        continue;
      }
      begin(next->second);
      next = ready[type].erase(next);
      --free_cores[type];
    }
  }

  void complete_one() {
    const auto [time_ps, priority, op] = *running.begin();
    running.erase(running.begin());
    now_ps = time_ps;
    result.end_ps[op] = now_ps;
    result.makespan_ps = now_ps;
    if (graph[op].core_class != kDelay) ++free_cores[graph[op].core_class];
    for (const std::uint32_t mutex : graph[op].mutexes) held.erase(mutex);
    for (const std::uint32_t next : graph[op].successors) {
      if (--missing[next] == 0) ready[graph[next].core_class].emplace(rank[next], next);
    }
  }
};

}  // namespace

ListSchedule list_schedule(const Graph& graph, const std::vector<std::uint64_t>& durations_ps,
                           const std::vector<std::uint32_t>& cores, const std::vector<std::uint64_t>& rank) {
  State state{graph, durations_ps, rank, cores, std::vector<std::uint32_t>(graph.size(), 0)};
  state.result.begin_ps.resize(graph.size());
  state.result.end_ps.resize(graph.size());
  state.free_cores.resize(4, 0);
  for (const GraphOp& op : graph) {
    for (const std::uint32_t next : op.successors) ++state.missing[next];
  }
  for (std::uint32_t op = 0; op < graph.size(); ++op) {
    if (state.missing[op] == 0) state.ready[graph[op].core_class].emplace(rank[op], op);
  }
  state.start_all();
  while (!state.running.empty()) {
    state.complete_one();
    state.start_all();
  }
  return state.result;
}

}  // namespace detent::sim::test
