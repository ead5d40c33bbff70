// A DAG and pairs of nodes that must be ordered -> the least set of further edges that orders them.
#pragma once

#include <cstdint>
#include <vector>

namespace detent::verify {

/// From one node to a later one.
struct Arc {
  std::uint32_t from = 0, to = 0;
  auto operator<=>(const Arc&) const = default;
};

struct LeastEdgesOptions {
  std::uint64_t max_work =
      400'000'000;  ///< words of bit sets that the search may look at; then the best so far is taken
};

struct LeastEdges {
  std::vector<Arc> arcs;  ///< by from, to
  bool is_least = false;  ///< proved: no smaller set of ascending arcs does
};

/// The smallest set of ascending arcs with which every wanted pair has a path; ascending arcs close no cycle. An arc
/// that serves one pair alone is that pair.
///
/// Where the pairs' own arcs (what remains of them without those that others imply) are few, by branch and bound over
/// arcs whose ends cannot be moved closer together; else by a greedy cover of the pairs, or those arcs themselves.
/// Memory O(node_count^2 / 16) bytes.
/// @param arcs, wanted  ascending: from < to < node_count
LeastEdges find_least_edges(std::uint32_t node_count, const std::vector<Arc>& arcs, const std::vector<Arc>& wanted,
                            const LeastEdgesOptions& options = {});

}  // namespace detent::verify
