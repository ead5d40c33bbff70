#include "models/files/graph_order.hpp"

#include <algorithm>
#include <vector>

#include "base/input_error.hpp"

namespace detent::models {
namespace {

constexpr std::size_t kCycleOpsShown = 12;

/// Edge numbers by source op.
struct EdgesByOp {
  std::vector<std::uint32_t> first;  ///< [ops + 1]
  std::vector<std::uint32_t> edges;
};

EdgesByOp group_by_source(const Model& model) {
  EdgesByOp out{std::vector<std::uint32_t>(model.ops.size() + 1), std::vector<std::uint32_t>(model.edges.size())};
  for (const Edge& edge : model.edges) ++out.first[edge.from + 1];
  for (std::size_t i = 1; i < out.first.size(); ++i) out.first[i] += out.first[i - 1];
  std::vector<std::uint32_t> next(out.first.begin(), out.first.end() - 1);
  for (std::uint32_t i = 0; i < model.edges.size(); ++i) out.edges[next[model.edges[i].from]++] = i;
  return out;
}

std::string place(std::uint32_t edge) { return "edges[" + std::to_string(edge) + "]"; }
std::string arrow(const Edge& edge) { return std::to_string(edge.from) + " -> " + std::to_string(edge.to); }

void check_edges_once(const Model& model, const EdgesByOp& by_op, const std::string& file) {
  std::vector<std::uint32_t> seen_at(model.ops.size(), kNone);
  for (OpId op = 0; op < model.ops.size(); ++op) {
    for (std::uint32_t k = by_op.first[op]; k < by_op.first[op + 1]; ++k) {
      const std::uint32_t i = by_op.edges[k];
      const Edge& edge = model.edges[i];
      if (edge.to == op) throw InputError(file, place(i), "op " + std::to_string(op) + " is its own successor");
      const std::uint32_t earlier = seen_at[edge.to];
      if (earlier != kNone && model.edges[earlier].from == op) {
        throw InputError(file, place(i), "duplicate edge " + arrow(edge) + "; it is already " + place(earlier));
      }
      seen_at[edge.to] = i;
    }
  }
}

/// Remaining indegrees after everything that can run has run: not 0 on and behind cycles.
std::vector<std::uint32_t> run_dry(const Model& model, const EdgesByOp& by_op) {
  std::vector<std::uint32_t> indegree(model.ops.size());
  for (const Edge& edge : model.edges) ++indegree[edge.to];
  std::vector<std::uint32_t> ready;
  for (OpId op = 0; op < model.ops.size(); ++op) {
    if (indegree[op] == 0) ready.push_back(op);
  }
  while (!ready.empty()) {
    const OpId op = ready.back();
    ready.pop_back();
    for (std::uint32_t k = by_op.first[op]; k < by_op.first[op + 1]; ++k) {
      const std::uint32_t to = model.edges[by_op.edges[k]].to;
      if (--indegree[to] == 0) ready.push_back(to);
    }
  }
  return indegree;
}

/// A cycle in the direction of its edges. Every op that never ran has a predecessor that never ran: walk back.
std::vector<std::uint32_t> find_cycle(const Model& model, const std::vector<std::uint32_t>& indegree,
                                      std::uint32_t start) {
  std::vector<std::uint32_t> blocked_by(model.ops.size(), kNone);
  for (const Edge& edge : model.edges) {
    if (indegree[edge.from] != 0) blocked_by[edge.to] = edge.from;
  }
  std::vector<bool> seen(model.ops.size());
  std::uint32_t at = start;
  for (; !seen[at]; at = blocked_by[at]) seen[at] = true;
  std::vector<std::uint32_t> cycle;
  const std::uint32_t closing = at;
  do {
    cycle.push_back(at);
    at = blocked_by[at];
  } while (at != closing);
  std::reverse(cycle.begin(), cycle.end());
  std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
  return cycle;
}

std::string walk(const std::vector<std::uint32_t>& cycle) {
  std::string text;
  for (std::size_t i = 0; i < std::min(cycle.size(), kCycleOpsShown); ++i) text += std::to_string(cycle[i]) + " -> ";
  if (cycle.size() > kCycleOpsShown) text += "... (" + std::to_string(cycle.size()) + " ops) -> ";
  return text + std::to_string(cycle.front());
}

}  // namespace

void check_order(const Model& model, const std::string& file) {
  const EdgesByOp by_op = group_by_source(model);
  check_edges_once(model, by_op, file);
  const std::vector<std::uint32_t> indegree = run_dry(model, by_op);
  const auto blocked = std::find_if(indegree.begin(), indegree.end(), [](std::uint32_t n) { return n != 0; });
  if (blocked == indegree.end()) return;
  const auto start = static_cast<std::uint32_t>(blocked - indegree.begin());
  throw InputError(file, "edges", "the ops form a cycle: " + walk(find_cycle(model, indegree, start)));
}

}  // namespace detent::models
