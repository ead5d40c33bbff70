// Smaller GraphCases: a smaller graph, else a simpler engine.
#include <algorithm>

#include "properties/faults.hpp"
#include "properties/graph_case.hpp"
#include "properties/smaller.hpp"

namespace detent::laws {
namespace {

using Cases = std::vector<GraphCase>;

GraphCase without_ops(const GraphCase& g, const OpCut& cut) {
  GraphCase small = g;
  small.graph = without_ops(g.graph, cut);
  small.faulty_op = std::min(small.faulty_op, static_cast<std::uint32_t>(small.graph.ops.size()) - 1);
  small.faults = faults_without_ops(small.faults, cut.first, cut.count);
  return small;
}

void shrink_engine(const GraphCase& g, Cases& cases) {
  if (!g.schedule.empty()) {
    add(g, cases, [](GraphCase& c) { c.schedule.clear(); });
    add(g, cases, [](GraphCase& c) { c.schedule.pop_back(); });
  }
  for (std::size_t i = 0; i < g.schedule.size(); ++i) {
    lower_number(g, cases, g.schedule[i], [i](GraphCase& c) -> std::uint32_t& { return c.schedule[i]; });
  }
  if (g.workers > 1) add(g, cases, [](GraphCase& c) { --c.workers; });
  if (g.mode != DETENT_MODE_CLOSED_LOOP) add(g, cases, [](GraphCase& c) { c.mode = DETENT_MODE_CLOSED_LOOP; });
  if (g.scheduler != DETENT_SCHEDULER_ROLE) {
    add(g, cases, [](GraphCase& c) { c.scheduler = DETENT_SCHEDULER_ROLE; });
  }
  if (g.policy != "id") add(g, cases, [](GraphCase& c) { c.policy = "id"; });
  if (g.jitter != "worst") add(g, cases, [](GraphCase& c) { c.jitter = "worst"; });
  lower_number(g, cases, g.seed, [](GraphCase& c) -> std::uint64_t& { return c.seed; });
  lower_number(g, cases, g.faulty_op, [](GraphCase& c) -> std::uint32_t& { return c.faulty_op; });
  for (const harness::Faults& faults : smaller_faults(g.faults)) {
    add(g, cases, [&faults](GraphCase& c) { c.faults = faults; });
  }
}

}  // namespace

std::vector<GraphCase> smaller_cases(const GraphCase& g) {
  Cases cases;
  for (const OpCut& cut : op_cuts(g.graph)) cases.push_back(without_ops(g, cut));
  for (GraphSpec& graph : smaller_graphs(g.graph)) {
    add(g, cases, [&graph](GraphCase& c) { c.graph = std::move(graph); });
  }
  shrink_engine(g, cases);
  return cases;
}

}  // namespace detent::laws
