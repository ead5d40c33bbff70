// Smaller GraphCases, and the edges that make one race-free. Ops are dropped whole, so that every value stays valid.
#include <algorithm>
#include <bitset>

#include "properties/faults.hpp"
#include "properties/graph_case.hpp"

namespace detent::laws {
namespace {

using Cases = std::vector<GraphCase>;

/// Without ops [first, first + count); with `bridge`, what preceded one of them precedes what followed it.
GraphCase without_ops(const GraphCase& g, std::uint32_t first, std::uint32_t count, bool bridge) {
  GraphCase small = g;
  const auto is_dropped = [&](std::uint32_t op) { return op >= first && op < first + count; };
  const auto has_edge = [&](std::uint32_t from, std::uint32_t to) {
    return std::any_of(small.edges.begin(), small.edges.end(),
                       [&](const CaseEdge& e) { return e.from == from && e.to == to; });
  };
  for (std::uint32_t op = first; bridge && op < first + count; ++op) {
    const std::vector<CaseEdge> edges = small.edges;
    for (const CaseEdge& in : edges) {
      for (const CaseEdge& out : edges) {
        if (in.to == op && out.from == op && !has_edge(in.from, out.to)) small.edges.push_back({in.from, out.to, 0, 0});
      }
    }
  }
  std::erase_if(small.edges, [&](const CaseEdge& e) { return is_dropped(e.from) || is_dropped(e.to); });
  for (CaseEdge& edge : small.edges) {
    if (edge.from >= first) edge.from -= count;
    if (edge.to >= first) edge.to -= count;
  }
  const auto at = small.ops.begin() + first;
  small.ops.erase(at, at + count);
  small.faulty_op = std::min(small.faulty_op, static_cast<std::uint32_t>(small.ops.size()) - 1);
  small.faults = faults_without_ops(small.faults, first, count);
  return small;
}

void drop_ops(const GraphCase& g, Cases& cases) {
  const auto count = static_cast<std::uint32_t>(g.ops.size());
  for (std::uint32_t chunk = count / 2; chunk > 0; chunk /= 2) {
    for (std::uint32_t first = 0; first + chunk <= count; first += chunk) {
      if (chunk < count) cases.push_back(without_ops(g, first, chunk, false));
    }
  }
  for (std::uint32_t op = 0; count > 1 && op < count; ++op) cases.push_back(without_ops(g, op, 1, true));
}

/// A copy of `g` that `change` has made smaller.
template <typename Change>
void add(const GraphCase& g, Cases& cases, const Change& change) {
  cases.push_back(g);
  change(cases.back());
}

/// Zero, then halves.
template <typename Number>
void lower_number(const GraphCase& g, Cases& cases, Number value, const auto& field) {
  if (value == Number{}) return;
  add(g, cases, [&](GraphCase& c) { field(c) = Number{}; });
  if (value / 2 != Number{}) add(g, cases, [&](GraphCase& c) { field(c) = static_cast<Number>(value / 2); });
}

void drop_edges(const GraphCase& g, Cases& cases) {
  if (g.edges.size() > 1) add(g, cases, [](GraphCase& c) { c.edges.clear(); });
  for (std::size_t i = 0; i < g.edges.size(); ++i) {
    add(g, cases, [i](GraphCase& c) { c.edges.erase(c.edges.begin() + static_cast<std::ptrdiff_t>(i)); });
    if (g.edges[i].max_ps != 0) add(g, cases, [i](GraphCase& c) { c.edges[i].min_ps = c.edges[i].max_ps = 0; });
  }
}

void shrink_ranges(const GraphCase& g, Cases& cases, std::size_t op, std::vector<Range> CaseOp::*list) {
  for (std::size_t i = 0; i < (g.ops[op].*list).size(); ++i) {
    const Range& range = (g.ops[op].*list)[i];
    const auto in = [op, list, i](GraphCase& c) -> Range& { return (c.ops[op].*list)[i]; };
    add(g, cases, [op, list, i](GraphCase& c) {
      std::vector<Range>& ranges = c.ops[op].*list;
      ranges.erase(ranges.begin() + static_cast<std::ptrdiff_t>(i));
    });
    if (range.count > 1) add(g, cases, [&](GraphCase& c) { in(c) = {range.region, range.offset, range.size, 1, 0}; });
    if (range.region > 0) add(g, cases, [&](GraphCase& c) { in(c).region = 0; });
    if (range.size > 1 && range.count == 1) {  // one byte, else either half
      const std::uint64_t half = range.size / 2;
      add(g, cases, [&](GraphCase& c) { in(c).size = 1; });
      add(g, cases, [&](GraphCase& c) { in(c).size -= half; });
      add(g, cases, [&](GraphCase& c) { in(c).offset += half, in(c).size -= half; });
    }
    lower_number(g, cases, range.offset, [&](GraphCase& c) -> std::uint64_t& { return in(c).offset; });
  }
}

/// All ranges that far to the left: ranges that share bytes go on sharing them.
void shift_ranges(const GraphCase& g, Cases& cases) {
  std::uint64_t least = GraphCase::kRegionBytes;
  const auto each_range = [](GraphCase& c, const auto& visit) {
    for (CaseOp& op : c.ops) {
      for (Range& range : op.reads) visit(range);
      for (Range& range : op.writes) visit(range);
    }
  };
  GraphCase shifted = g;
  each_range(shifted, [&](Range& range) { least = std::min(least, range.offset); });
  if (least == 0 || least == GraphCase::kRegionBytes) return;
  each_range(shifted, [&](Range& range) { range.offset -= least; });
  cases.push_back(shifted);
}

void shrink_op(const GraphCase& g, Cases& cases, std::size_t i) {
  const CaseOp& op = g.ops[i];
  if (op.release_max_ps != 0) {
    add(g, cases, [i](GraphCase& c) { c.ops[i].release_min_ps = c.ops[i].release_max_ps = 0; });
  }
  if (op.npu) add(g, cases, [i](GraphCase& c) { c.ops[i].npu = false; });
  if (!op.mutexes.empty()) add(g, cases, [i](GraphCase& c) { c.ops[i].mutexes.pop_back(); });
  if (op.commute_group != DETENT_NONE) add(g, cases, [i](GraphCase& c) { c.ops[i].commute_group = DETENT_NONE; });
  lower_number(g, cases, op.priority, [i](GraphCase& c) -> std::int32_t& { return c.ops[i].priority; });
  shrink_ranges(g, cases, i, &CaseOp::reads);
  shrink_ranges(g, cases, i, &CaseOp::writes);
  if (op.worst_ps != 0) add(g, cases, [i](GraphCase& c) { c.ops[i].best_ps = c.ops[i].worst_ps = 0; });
  if (op.worst_ps > 1) {
    add(g, cases, [i](GraphCase& c) { c.ops[i].worst_ps /= 2, c.ops[i].best_ps /= 2; });
  }
  if (op.best_ps != op.worst_ps) add(g, cases, [i](GraphCase& c) { c.ops[i].best_ps = c.ops[i].worst_ps; });
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

/// Bytes of both regions that ranges cover.
using Bytes = std::bitset<2 * GraphCase::kRegionBytes>;

Bytes bytes_of(const std::vector<Range>& ranges) {
  Bytes bytes;
  for (const Range& r : ranges) {
    for (std::uint64_t block = 0; block < r.count; ++block) {
      for (std::uint64_t i = 0; i < r.size; ++i) {
        bytes.set(r.region * GraphCase::kRegionBytes + r.offset + block * r.stride + i);
      }
    }
  }
  return bytes;
}

std::vector<std::uint32_t> topological_order(const GraphCase& g) {
  std::vector<std::uint32_t> order;
  std::vector<bool> taken(g.ops.size());
  while (order.size() < g.ops.size()) {
    for (std::uint32_t op = 0; op < g.ops.size(); ++op) {
      const bool waits =
          std::any_of(g.edges.begin(), g.edges.end(), [&](const CaseEdge& e) { return e.to == op && !taken[e.from]; });
      if (taken[op] || waits) continue;
      taken[op] = true;
      order.push_back(op);
      break;
    }
  }
  return order;
}

}  // namespace

std::vector<GraphCase> smaller_cases(const GraphCase& g) {
  Cases cases;
  drop_ops(g, cases);
  drop_edges(g, cases);
  for (std::size_t i = 0; i < g.ops.size(); ++i) shrink_op(g, cases, i);
  shift_ranges(g, cases);
  shrink_engine(g, cases);
  return cases;
}

void order_conflicts(GraphCase& g) {
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
    for (const CaseEdge& edge : g.edges) {
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
