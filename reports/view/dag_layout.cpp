// DAG layout: ops and edges -> a layered drawing, left to right.
#include "reports/view/dag_layout.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "reports/view/desc_view.hpp"

namespace detent::reports {
namespace {

using Ids = std::vector<std::uint32_t>;

/// Nodes are the ops, then one bend per layer that a long edge crosses.
struct Graph {
  std::uint32_t op_count = 0;
  Ids layer;                     // per node
  std::vector<Ids> left, right;  // neighbours in the layers beside, per node
  std::vector<Ids> layers;       // nodes per layer, in drawing order
  std::vector<double> y;         // per node
};

void collect_edges(const detent_desc* desc, const LayoutLimits& limits, DagLayout& out) {
  const std::uint32_t total = op_count(desc);
  const auto shown = static_cast<std::uint32_t>(std::min<std::size_t>(total, limits.ops));
  out.layer.assign(shown, 0);
  out.y.assign(shown, 0);
  out.ops_left_out = total - shown;
  for (std::uint32_t from = 0; from < total; ++from) {
    for (const std::uint32_t to : successors_of(desc, from)) {
      const bool is_shown = from < shown && to < shown && out.edges.size() < limits.edges && from != to;
      if (is_shown) {
        out.edges.push_back({from, to, {}});
      } else {
        ++out.edges_left_out;
      }
    }
  }
}

/// Topological order; where only cycles are left, the lowest id goes next.
Ids order_ops(std::uint32_t count, const std::vector<LayoutEdge>& edges) {
  std::vector<Ids> successors(count);
  Ids waiting(count, 0);
  for (const LayoutEdge& edge : edges) {
    successors[edge.from].push_back(edge.to);
    ++waiting[edge.to];
  }
  std::priority_queue<std::uint32_t, Ids, std::greater<>> ready;
  std::vector<bool> placed(count, false);
  for (OpId op = 0; op < count; ++op) {
    if (waiting[op] == 0) ready.push(op);
  }
  Ids order;
  for (std::uint32_t lowest = 0; order.size() < count;) {
    while (ready.empty()) {
      if (!placed[lowest]) ready.push(lowest);
      ++lowest;
    }
    const OpId op = ready.top();
    ready.pop();
    if (placed[op]) continue;
    placed[op] = true;
    order.push_back(op);
    for (const std::uint32_t to : successors[op]) {
      if (--waiting[to] == 0 && !placed[to]) ready.push(to);
    }
  }
  return order;
}

/// Longest path from the left; then sources move right, next to their first successor.
void assign_layers(DagLayout& out) {
  const auto count = static_cast<std::uint32_t>(out.layer.size());
  const Ids order = order_ops(count, out.edges);
  Ids position(count);
  for (std::uint32_t i = 0; i < count; ++i) position[order[i]] = i;
  std::vector<std::vector<std::uint32_t>> successors(count);
  std::vector<bool> is_source(count, true);
  for (const LayoutEdge& edge : out.edges) {
    // An edge that closes a cycle counts the other way round, so that every edge spans at least one layer.
    const bool is_back = position[edge.from] > position[edge.to];
    successors[is_back ? edge.to : edge.from].push_back(is_back ? edge.from : edge.to);
    is_source[is_back ? edge.from : edge.to] = false;
  }
  for (const OpId op : order) {
    for (const std::uint32_t to : successors[op]) out.layer[to] = std::max(out.layer[to], out.layer[op] + 1);
  }
  for (OpId op = 0; op < count; ++op) {
    if (!is_source[op] || successors[op].empty()) continue;
    std::uint32_t first = UINT32_MAX;
    for (const std::uint32_t to : successors[op]) first = std::min(first, out.layer[to]);
    out.layer[op] = first - 1;
  }
  for (const std::uint32_t layer : out.layer) out.layer_count = std::max(out.layer_count, layer + 1);
}

/// Ends of an edge in drawing order; they differ from (from, to) only where a cycle was cut.
std::pair<std::uint32_t, std::uint32_t> ends_of(const DagLayout& layout, const LayoutEdge& edge) {
  const bool is_back = layout.layer[edge.from] > layout.layer[edge.to];
  return is_back ? std::pair(edge.to, edge.from) : std::pair(edge.from, edge.to);
}

std::uint32_t layers_crossed(const DagLayout& layout, const LayoutEdge& edge) {
  const auto [left, right] = ends_of(layout, edge);
  return layout.layer[right] - layout.layer[left] - 1;
}

void link(Graph& graph, std::uint32_t from, std::uint32_t to) {
  graph.right[from].push_back(to);
  graph.left[to].push_back(from);
}

std::uint32_t add_bend(Graph& graph, std::uint32_t layer) {
  graph.layer.push_back(layer);
  graph.left.emplace_back();
  graph.right.emplace_back();
  return static_cast<std::uint32_t>(graph.layer.size() - 1);
}

/// First bend of each edge, DETENT_NONE where it has none; the bends of one edge are consecutive nodes.
Ids add_edges(Graph& graph, const DagLayout& layout, std::size_t max_bends) {
  Ids first_bend(layout.edges.size(), DETENT_NONE);
  for (std::size_t i = 0; i < layout.edges.size(); ++i) {
    const auto [left, right] = ends_of(layout, layout.edges[i]);
    const std::uint32_t crossed = layers_crossed(layout, layout.edges[i]);
    if (crossed > max_bends) continue;
    max_bends -= crossed;
    std::uint32_t at = left;
    for (std::uint32_t k = 1; k <= crossed; ++k) {
      const std::uint32_t bend = add_bend(graph, layout.layer[left] + k);
      if (k == 1) first_bend[i] = bend;
      link(graph, at, bend);
      at = bend;
    }
    link(graph, at, right);
  }
  return first_bend;
}

double mean_of(const Ids& nodes, const std::vector<double>& value) {
  double sum = 0;
  for (const std::uint32_t node : nodes) sum += value[node];
  return sum / static_cast<double>(nodes.size());
}

/// Sort one layer by the mean position of the neighbours on one side; nodes without any keep their position.
void sort_layer(Ids& nodes, const std::vector<Ids>& neighbours, std::vector<double>& position) {
  std::vector<std::pair<double, std::uint32_t>> keyed;
  for (const std::uint32_t node : nodes) {
    keyed.emplace_back(neighbours[node].empty() ? position[node] : mean_of(neighbours[node], position), node);
  }
  std::stable_sort(keyed.begin(), keyed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes[i] = keyed[i].second;
    // Centred, so that wide and narrow layers compare.
    position[nodes[i]] = static_cast<double>(i) - static_cast<double>(nodes.size() - 1) / 2;
  }
}

void order_layers(Graph& graph, std::uint32_t sweeps) {
  std::vector<double> position(graph.layer.size(), 0);
  for (Ids& nodes : graph.layers) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      position[nodes[i]] = static_cast<double>(i) - static_cast<double>(nodes.size() - 1) / 2;
    }
  }
  for (std::uint32_t sweep = 0; sweep < sweeps; ++sweep) {
    for (std::size_t i = 1; i < graph.layers.size(); ++i) sort_layer(graph.layers[i], graph.left, position);
    for (std::size_t i = graph.layers.size() - 1; i-- > 0;) sort_layer(graph.layers[i], graph.right, position);
  }
}

/// Least squares of y to `wish` with y[i+1] >= y[i] + 1, in the order of `nodes`: pool adjacent violators.
void place_layer(const Ids& nodes, const std::vector<double>& wish, const std::vector<double>& weight,
                 std::vector<double>& y) {
  struct Pool {
    double sum, weight;
    std::size_t count;
  };
  std::vector<Pool> pools;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const double w = weight[i];
    pools.push_back({w * (wish[i] - static_cast<double>(i)), w, 1});
    while (pools.size() > 1) {
      const Pool last = pools.back();
      Pool& previous = pools[pools.size() - 2];
      if (previous.sum / previous.weight <= last.sum / last.weight) break;
      previous = {previous.sum + last.sum, previous.weight + last.weight, previous.count + last.count};
      pools.pop_back();
    }
  }
  std::size_t i = 0;
  for (const Pool& pool : pools) {
    for (std::size_t k = 0; k < pool.count; ++k, ++i) y[nodes[i]] = pool.sum / pool.weight + static_cast<double>(i);
  }
}

void align_layer(Graph& graph, const Ids& nodes, const std::vector<Ids>& neighbours) {
  // Graphs of many layers wander up and down; a pull to the middle that no eye sees keeps them inside the picture.
  const double pull = graph.layers.size() > 200 ? 0.98 : 1.0;
  std::vector<double> wish;
  std::vector<double> weight;
  for (const std::uint32_t node : nodes) {
    const bool is_free = neighbours[node].empty();
    wish.push_back(pull * (is_free ? graph.y[node] : mean_of(neighbours[node], graph.y)));
    // Bends weigh more: a long edge that stays straight is easier to follow than a centred op.
    weight.push_back(is_free ? 0.1 : (node >= graph.op_count ? 4.0 : 1.0));
  }
  place_layer(nodes, wish, weight, graph.y);
}

void assign_heights(Graph& graph, std::uint32_t sweeps) {
  graph.y.assign(graph.layer.size(), 0);
  for (const Ids& nodes : graph.layers) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      graph.y[nodes[i]] = static_cast<double>(i) - static_cast<double>(nodes.size() - 1) / 2;
    }
  }
  for (std::uint32_t sweep = 0; sweep < sweeps; ++sweep) {
    for (std::size_t i = 1; i < graph.layers.size(); ++i) align_layer(graph, graph.layers[i], graph.left);
    for (std::size_t i = graph.layers.size() - 1; i-- > 0;) align_layer(graph, graph.layers[i], graph.right);
  }
}

void read_heights(const Graph& graph, const Ids& first_bend, DagLayout& out) {
  double top = graph.y.empty() ? 0 : graph.y[0];
  for (const double y : graph.y) top = std::min(top, y);
  const auto hundredths = [&](std::uint32_t node) {
    return static_cast<std::int32_t>((graph.y[node] - top) * 100.0 + 0.5);
  };
  for (OpId op = 0; op < out.y.size(); ++op) out.y[op] = hundredths(op);
  for (std::uint32_t node = 0; node < graph.y.size(); ++node) out.height = std::max(out.height, hundredths(node));
  for (std::size_t i = 0; i < out.edges.size(); ++i) {
    if (first_bend[i] == DETENT_NONE) continue;
    const std::uint32_t crossed = layers_crossed(out, out.edges[i]);
    for (std::uint32_t k = 0; k < crossed; ++k) out.edges[i].bends.push_back(hundredths(first_bend[i] + k));
  }
}

}  // namespace

DagLayout layout_dag(const detent_desc* desc, const LayoutLimits& limits) {
  DagLayout out;
  collect_edges(desc, limits, out);
  if (out.layer.empty()) return out;
  assign_layers(out);
  Graph graph;
  graph.op_count = static_cast<std::uint32_t>(out.layer.size());
  graph.layer = out.layer;
  graph.left.resize(graph.op_count);
  graph.right.resize(graph.op_count);
  const Ids first_bend = add_edges(graph, out, limits.bends);
  graph.layers.resize(out.layer_count);
  for (std::uint32_t node = 0; node < graph.layer.size(); ++node) graph.layers[graph.layer[node]].push_back(node);
  const std::uint32_t sweeps = graph.layer.size() > 20000 ? 3 : 10;
  order_layers(graph, sweeps);
  assign_heights(graph, sweeps);
  read_heights(graph, first_bend, out);
  return out;
}

}  // namespace detent::reports
