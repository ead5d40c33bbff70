// Edges and conflicts -> closed bit matrices; their independent parts.
#include "verify/explore/ops/space/graph.hpp"

#include <algorithm>
#include <numeric>

namespace detent::verify::explore {
namespace {

/// Union-find with path halving; the root of a set is its lowest member.
class EventSets {
 public:
  explicit EventSets(std::uint32_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), 0U); }
  std::uint32_t find(std::uint32_t x) {
    while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];
    return x;
  }
  void join(std::uint32_t x, std::uint32_t y) {
    x = find(x);
    y = find(y);
    parent_[std::max(x, y)] = std::min(x, y);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

bool is_empty(const Word* row, std::uint32_t words) {
  return std::all_of(row, row + words, [](Word word) { return word == 0; });
}

/// Sets of events -> which set precedes which, closed; rows and columns by root.
BitMatrix close_sets(const DependenceGraph& graph, const std::vector<std::uint32_t>& roots) {
  BitMatrix reach(graph.size());
  for (std::uint32_t i = 0; i < graph.size(); ++i) {
    if (roots[i] == graph.size()) continue;
    for_each_bit(graph.after.row(i), graph.after.words(), [&](std::uint32_t j) {
      if (roots[j] != graph.size()) reach.set(roots[i], roots[j]);
    });
  }
  for (std::uint32_t k = 0; k < graph.size(); ++k) {  // Warshall
    if (roots[k] != k) continue;
    for (std::uint32_t i = 0; i < graph.size(); ++i) {
      if (roots[i] != i || !reach.test(i, k)) continue;
      for (std::uint32_t w = 0; w < reach.words(); ++w) reach.row(i)[w] |= reach.row(k)[w];
    }
  }
  return reach;
}

}  // namespace

DependenceGraph make_dependence_graph(std::uint32_t size, std::span<const EventPair> edges,
                                      std::span<const EventPair> conflicts) {
  DependenceGraph graph{BitMatrix(size), BitMatrix(size), BitMatrix(size)};
  for (const auto& [from, to] : edges) graph.after.set(from, to);
  for (std::uint32_t i = size; i-- > 0;) {
    Word* const row = graph.after.row(i);
    for (std::uint32_t j = i + 1; j < size; ++j) {
      if (!graph.after.test(i, j)) continue;
      for (std::uint32_t w = 0; w < graph.after.words(); ++w) row[w] |= graph.after.row(j)[w];
    }
    for_each_bit(row, graph.after.words(), [&](std::uint32_t j) { graph.before.set(j, i); });
  }
  for (const auto& [x, y] : conflicts) {
    if (x == y || graph.after.test(x, y) || graph.after.test(y, x)) continue;
    graph.conflict.set(x, y);
    graph.conflict.set(y, x);
  }
  return graph;
}

DependenceGraph restrict_graph(const DependenceGraph& graph, std::span<const std::uint32_t> events) {
  const auto size = static_cast<std::uint32_t>(events.size());
  DependenceGraph part{BitMatrix(size), BitMatrix(size), BitMatrix(size)};
  for (std::uint32_t i = 0; i < size; ++i) {
    for (std::uint32_t j = 0; j < size; ++j) {
      if (graph.after.test(events[i], events[j])) part.after.set(i, j);
      if (graph.before.test(events[i], events[j])) part.before.set(i, j);
      if (graph.conflict.test(events[i], events[j])) part.conflict.set(i, j);
    }
  }
  return part;
}

std::vector<std::vector<std::uint32_t>> independent_groups(const DependenceGraph& graph) {
  EventSets sets(graph.size());
  std::vector<std::uint32_t> roots(graph.size(), graph.size());  // size: in no set
  for (std::uint32_t i = 0; i < graph.size(); ++i) {
    for_each_bit(graph.conflict.row(i), graph.conflict.words(), [&](std::uint32_t j) { sets.join(i, j); });
  }
  for (std::uint32_t i = 0; i < graph.size(); ++i) {
    if (!is_empty(graph.conflict.row(i), graph.conflict.words())) roots[i] = sets.find(i);
  }
  const BitMatrix reach = close_sets(graph, roots);
  for (std::uint32_t i = 0; i < graph.size(); ++i) {
    for (std::uint32_t j = i + 1; j < graph.size(); ++j) {
      if (roots[i] == i && roots[j] == j && reach.test(i, j) && reach.test(j, i)) sets.join(i, j);
    }
  }
  std::vector<std::vector<std::uint32_t>> members(graph.size());
  for (std::uint32_t i = 0; i < graph.size(); ++i) {
    if (roots[i] != graph.size()) members[sets.find(i)].push_back(i);
  }
  std::erase_if(members, [](const std::vector<std::uint32_t>& group) { return group.empty(); });
  return members;
}

}  // namespace detent::verify::explore
