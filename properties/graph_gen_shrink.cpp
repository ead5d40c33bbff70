// Smaller GraphSpecs, and the edges that make one race-free. Ops are dropped whole, so that every value stays valid.
#include <algorithm>
#include <bitset>

#include "properties/graph_gen.hpp"
#include "properties/smaller.hpp"

namespace detent::laws {
namespace {

using Graphs = std::vector<GraphSpec>;

void drop_edges(const GraphSpec& g, Graphs& graphs) {
  if (g.edges.size() > 1) add(g, graphs, [](GraphSpec& c) { c.edges.clear(); });
  for (std::size_t i = 0; i < g.edges.size(); ++i) {
    add(g, graphs, [i](GraphSpec& c) { c.edges.erase(c.edges.begin() + static_cast<std::ptrdiff_t>(i)); });
    if (g.edges[i].max_ps != 0) add(g, graphs, [i](GraphSpec& c) { c.edges[i].min_ps = c.edges[i].max_ps = 0; });
  }
}

void shrink_ranges(const GraphSpec& g, Graphs& graphs, std::size_t op, std::vector<Range> OpSpec::*list) {
  for (std::size_t i = 0; i < (g.ops[op].*list).size(); ++i) {
    const Range& range = (g.ops[op].*list)[i];
    const auto in = [op, list, i](GraphSpec& c) -> Range& { return (c.ops[op].*list)[i]; };
    add(g, graphs, [op, list, i](GraphSpec& c) {
      std::vector<Range>& ranges = c.ops[op].*list;
      ranges.erase(ranges.begin() + static_cast<std::ptrdiff_t>(i));
    });
    if (range.count > 1) add(g, graphs, [&](GraphSpec& c) { in(c) = {range.region, range.offset, range.size, 1, 0}; });
    if (range.region > 0) add(g, graphs, [&](GraphSpec& c) { in(c).region = 0; });
    if (range.size > 1 && range.count == 1) {  // one byte, else either half
      const std::uint64_t half = range.size / 2;
      add(g, graphs, [&](GraphSpec& c) { in(c).size = 1; });
      add(g, graphs, [&](GraphSpec& c) { in(c).size -= half; });
      add(g, graphs, [&](GraphSpec& c) { in(c).offset += half, in(c).size -= half; });
    }
    lower_number(g, graphs, range.offset, [&](GraphSpec& c) -> std::uint64_t& { return in(c).offset; });
  }
}

/// All ranges that far to the left: ranges that share bytes go on sharing them.
void shift_ranges(const GraphSpec& g, Graphs& graphs) {
  std::uint64_t least = GraphShape::kRegionBytes;
  const auto each_range = [](GraphSpec& c, const auto& visit) {
    for (OpSpec& op : c.ops) {
      for (Range& range : op.reads) visit(range);
      for (Range& range : op.writes) visit(range);
    }
  };
  GraphSpec shifted = g;
  each_range(shifted, [&](Range& range) { least = std::min(least, range.offset); });
  if (least == 0 || least == GraphShape::kRegionBytes) return;
  each_range(shifted, [&](Range& range) { range.offset -= least; });
  graphs.push_back(shifted);
}

void shrink_op(const GraphSpec& g, Graphs& graphs, std::size_t i) {
  const OpSpec& op = g.ops[i];
  if (op.release_max_ps != 0) {
    add(g, graphs, [i](GraphSpec& c) { c.ops[i].release_min_ps = c.ops[i].release_max_ps = 0; });
  }
  if (is_npu(op)) add(g, graphs, [i](GraphSpec& c) { c.ops[i].core_class = GraphShape::kCpu; });
  if (op.workers != 0) add(g, graphs, [i](GraphSpec& c) { c.ops[i].workers = 0; });
  if (!op.mutexes.empty()) add(g, graphs, [i](GraphSpec& c) { c.ops[i].mutexes.pop_back(); });
  if (op.commute_group != DETENT_NONE) add(g, graphs, [i](GraphSpec& c) { c.ops[i].commute_group = DETENT_NONE; });
  lower_number(g, graphs, op.priority, [i](GraphSpec& c) -> std::int32_t& { return c.ops[i].priority; });
  shrink_ranges(g, graphs, i, &OpSpec::reads);
  shrink_ranges(g, graphs, i, &OpSpec::writes);
  if (op.worst_ps != 0) add(g, graphs, [i](GraphSpec& c) { c.ops[i].best_ps = c.ops[i].worst_ps = 0; });
  if (op.worst_ps > 1) {
    add(g, graphs, [i](GraphSpec& c) { c.ops[i].worst_ps /= 2, c.ops[i].best_ps /= 2; });
  }
  if (op.best_ps != op.worst_ps) add(g, graphs, [i](GraphSpec& c) { c.ops[i].best_ps = c.ops[i].worst_ps; });
}

/// Bytes of both regions that ranges cover.
using Bytes = std::bitset<GraphShape::kRegions * GraphShape::kRegionBytes>;

Bytes bytes_of(const std::vector<Range>& ranges) {
  Bytes bytes;
  for (const Range& r : ranges) {
    for (std::uint64_t block = 0; block < r.count; ++block) {
      for (std::uint64_t i = 0; i < r.size; ++i) {
        bytes.set(r.region * GraphShape::kRegionBytes + r.offset + block * r.stride + i);
      }
    }
  }
  return bytes;
}

std::vector<std::uint32_t> topological_order(const GraphSpec& g) {
  std::vector<std::uint32_t> order;
  std::vector<bool> taken(g.ops.size());
  while (order.size() < g.ops.size()) {
    for (std::uint32_t op = 0; op < g.ops.size(); ++op) {
      const bool waits =
          std::any_of(g.edges.begin(), g.edges.end(), [&](const Edge& e) { return e.to == op && !taken[e.from]; });
      if (taken[op] || waits) continue;
      taken[op] = true;
      order.push_back(op);
      break;
    }
  }
  return order;
}

}  // namespace

std::vector<OpCut> op_cuts(const GraphSpec& graph) {
  std::vector<OpCut> cuts;
  const auto count = static_cast<std::uint32_t>(graph.ops.size());
  for (std::uint32_t chunk = count / 2; chunk > 0; chunk /= 2) {
    for (std::uint32_t first = 0; first + chunk <= count; first += chunk) {
      if (chunk < count) cuts.push_back({first, chunk, false});
    }
  }
  for (std::uint32_t op = 0; count > 1 && op < count; ++op) cuts.push_back({op, 1, true});
  return cuts;
}

GraphSpec without_ops(const GraphSpec& graph, const OpCut& cut) {
  const auto [first, count, bridge] = cut;
  GraphSpec small = graph;
  const auto is_dropped = [&](std::uint32_t op) { return op >= first && op < first + count; };
  const auto has_edge = [&](std::uint32_t from, std::uint32_t to) {
    return std::any_of(small.edges.begin(), small.edges.end(),
                       [&](const Edge& e) { return e.from == from && e.to == to; });
  };
  for (std::uint32_t op = first; bridge && op < first + count; ++op) {
    const std::vector<Edge> edges = small.edges;
    for (const Edge& in : edges) {
      for (const Edge& out : edges) {
        if (in.to == op && out.from == op && !has_edge(in.from, out.to)) small.edges.push_back({in.from, out.to, 0, 0});
      }
    }
  }
  std::erase_if(small.edges, [&](const Edge& e) { return is_dropped(e.from) || is_dropped(e.to); });
  for (Edge& edge : small.edges) {
    if (edge.from >= first) edge.from -= count;
    if (edge.to >= first) edge.to -= count;
  }
  const auto at = small.ops.begin() + first;
  small.ops.erase(at, at + count);
  return small;
}

std::vector<GraphSpec> smaller_graphs(const GraphSpec& graph) {
  Graphs graphs;
  drop_edges(graph, graphs);
  for (std::size_t i = 0; i < graph.ops.size(); ++i) shrink_op(graph, graphs, i);
  shift_ranges(graph, graphs);
  return graphs;
}

void order_conflicts(GraphSpec& g) {
  const std::vector<std::uint32_t> order = topological_order(g);
  const std::size_t count = order.size();
  std::vector<Bytes> reads(count), writes(count);
  for (std::size_t op = 0; op < count; ++op) {
    reads[op] = bytes_of(g.ops[op].reads);
    writes[op] = bytes_of(g.ops[op].writes);
  }
  std::vector<std::vector<bool>> before(count, std::vector<bool>(count));  // [a][b]: a path leads from a to b
  const auto join = [&](std::uint32_t a, std::uint32_t b) {
    for (std::size_t x = 0; x < count; ++x) before[x][b] = before[x][b] || x == a || before[x][a];
  };
  for (std::size_t at = 0; at < count; ++at) {
    const std::uint32_t b = order[at];
    for (const Edge& edge : g.edges) {
      if (edge.to == b) join(edge.from, b);
    }
    for (std::size_t earlier = at; earlier-- > 0;) {
      const std::uint32_t a = order[earlier];
      const bool conflict = (writes[a] & (reads[b] | writes[b])).any() || (reads[a] & writes[b]).any();
      if (!conflict || before[a][b]) continue;
      g.edges.push_back({a, b, 0, 0});
      join(a, b);
    }
  }
}

}  // namespace detent::laws
