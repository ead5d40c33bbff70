// Drawing GraphSpecs.
#include "properties/graph_gen.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <iterator>
#include <tuple>

namespace detent::laws {
namespace {

Range draw_range(Draw& draw, bool strided) {
  Range range{draw.below(GraphShape::kRegions), draw.below(24), 1 + draw.below(8), 1, 0};
  if (strided && draw.one_in(3)) {
    range.count = 2 + draw.below(3);
    range.stride = range.size + draw.below(3);
  }
  return range;
}

std::vector<Range> draw_ranges(Draw& draw, bool strided) {
  std::vector<Range> ranges(draw.below(3));
  for (Range& range : ranges) range = draw_range(draw, strided);
  return ranges;
}

OpSpec draw_op(Draw& draw, const GraphShape& shape) {
  OpSpec op;
  std::tie(op.best_ps, op.worst_ps) = draw.span(shape.most_ps);
  if (shape.delays && draw.one_in(5)) std::tie(op.release_min_ps, op.release_max_ps) = draw.span(shape.most_ps);
  op.core_class = shape.npu && draw.one_in(3) ? GraphShape::kNpu : GraphShape::kCpu;
  op.priority = static_cast<std::int32_t>(draw.below(5)) - 2;
  for (std::uint32_t m = 0; shape.mutexes && m < 2; ++m) {
    if (draw.one_in(3)) op.mutexes.push_back(m);
  }
  if (shape.affinity && draw.one_in(2)) op.workers = 1 + draw.below(15);
  if (shape.commutes && draw.one_in(2)) op.commute_group = draw.below(2);
  op.reads = draw_ranges(draw, shape.strided);
  op.writes = draw_ranges(draw, shape.strided);
  return op;
}

/// Edges follow a hidden order of the ops, so that they close no cycle whatever the ids.
std::vector<Edge> draw_edges(Draw& draw, std::uint32_t count, const GraphShape& shape) {
  std::vector<std::uint32_t> ranking(count);
  for (std::uint32_t i = 0; i < count; ++i) ranking[i] = i;
  if (!shape.ascending && draw.one_in(2)) {
    for (std::uint32_t i = count; i-- > 1;) std::swap(ranking[i], ranking[draw.below(i + 1)]);
  }
  std::vector<Edge> edges;
  const std::uint32_t density = 1 + draw.below(12);  // a few edges to many
  for (std::uint32_t a = 0; a < count; ++a) {
    for (std::uint32_t b = a + 1; b < count; ++b) {
      if (draw.below(30) >= density) continue;
      Edge edge{ranking[a], ranking[b], 0, 0};
      if (shape.delays && draw.one_in(6)) std::tie(edge.min_ps, edge.max_ps) = draw.span(shape.most_ps);
      edges.push_back(edge);
    }
  }
  return edges;
}

/// One step smaller, the smallest first.
std::vector<GraphSpec> all_smaller(const GraphSpec& graph) {
  std::vector<GraphSpec> graphs;
  for (const OpCut& cut : op_cuts(graph)) graphs.push_back(without_ops(graph, cut));
  std::vector<GraphSpec> others = smaller_graphs(graph);
  std::move(others.begin(), others.end(), std::back_inserter(graphs));
  return graphs;
}

}  // namespace

GraphSpec empty_graph() {
  GraphSpec graph;
  graph.regions = support::workspaces(std::vector<std::uint64_t>(GraphShape::kRegions, GraphShape::kRegionBytes));
  graph.classes = {{"cpu", DETENT_CLASS_WORKERS}, {"npu", DETENT_CLASS_WORKERS}};
  graph.mutex_count = 2;
  return graph;
}

GraphSpec draw_graph(Draw& draw, int size, const GraphShape& shape) {
  GraphSpec graph = empty_graph();
  const auto grown = static_cast<std::uint32_t>(std::min(size + 10, 100));
  const std::uint32_t count = 1 + draw.below(std::max(1U, shape.most_ops * grown / 100));
  for (std::uint32_t i = 0; i < count; ++i) graph.ops.push_back(draw_op(draw, shape));
  graph.edges = draw_edges(draw, count, shape);
  return graph;
}

rc::Gen<GraphSpec> graph_specs(const GraphShape& shape) {
  return rc::Gen<GraphSpec>([shape](const rc::Random& random, int size) {
    Draw draw(random);
    return rc::shrinkable::shrinkRecur(draw_graph(draw, size, shape), [](const GraphSpec& graph) {
      return rc::seq::fromContainer(all_smaller(graph));
    });
  });
}

}  // namespace detent::laws
