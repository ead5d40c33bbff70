// DAG layout: ops and edges -> a layered drawing, left to right.
#pragma once

#include <cstdint>
#include <vector>

#include <detent/desc.h>

namespace detent::reports {

struct LayoutLimits {
  std::size_t ops = 20000;
  std::size_t edges = 80000;
  std::size_t bends = 120000;  ///< points of long edges over all edges; further long edges are drawn straight
};

/// An edge with its height at each layer that it crosses between its ends.
struct LayoutEdge {
  std::uint32_t from = 0, to = 0;
  std::vector<std::int32_t> bends;  ///< hundredths of a row, left to right; empty for edges to the next layer
};

struct DagLayout {
  std::vector<std::uint32_t> layer;  ///< per op drawn: ops [0, layer.size())
  std::vector<std::int32_t> y;       ///< per op drawn, hundredths of a row; the smallest is 0
  std::vector<LayoutEdge> edges;
  std::uint32_t layer_count = 0;
  std::int32_t height = 0;  ///< largest y
  std::uint64_t ops_left_out = 0, edges_left_out = 0;
};

/// Layers by longest path, sources beside their first successor, long edges bent through the layers they cross, order
/// by barycentres, heights by least squares under unit distance. Ops on a cycle are placed as if its lowest id were
/// ready.
/// @see Sugiyama, Tagawa, Toda 1981; the heights solve an isotonic regression by pooling adjacent violators
DagLayout layout_dag(const detent_desc* desc, const LayoutLimits& limits = {});

}  // namespace detent::reports
