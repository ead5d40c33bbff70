// Generators of op graphs for the laws of verify/. Every part shrinks: fewer ops, edges, accesses, smaller numbers.
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "tests/verify/desc_builder.hpp"
#include "verify/buffer_race.hpp"

namespace detent::verify::testing {

/// A number in [0, bound).
inline std::uint32_t pick_below(std::uint32_t bound) { return *rc::gen::inRange<std::uint32_t>(0, bound); }

/// Edges of a DAG over `count` ops: pairs whose order is that of a hidden ranking.
inline std::vector<std::pair<std::uint32_t, std::uint32_t>> pick_edges(std::uint32_t count) {
  std::vector<std::uint32_t> ranking(count);
  for (std::uint32_t i = 0; i < count; ++i) ranking[i] = i;
  Random random{*rc::gen::arbitrary<std::uint64_t>()};
  for (std::uint32_t i = count; i-- > 1;) std::swap(ranking[i], ranking[random.below(i + 1)]);
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  const auto op = rc::gen::inRange<std::uint32_t>(0, count);
  for (const auto& [a, b] :
       *rc::gen::container<std::vector<std::pair<std::uint32_t, std::uint32_t>>>(rc::gen::pair(op, op))) {
    if (a != b) edges.emplace(ranking[std::min(a, b)], ranking[std::max(a, b)]);
  }
  return {edges.begin(), edges.end()};
}

/// A range inside a region of 64 bytes; one in three is strided.
inline Range pick_range(std::uint32_t region_count) {
  Range range;
  range.region = pick_below(region_count);
  range.offset = pick_below(24);
  range.size = 1 + pick_below(8);
  if (pick_below(3) == 0) {
    range.count = 2 + pick_below(3);
    range.stride = range.size + pick_below(3);
  }
  return range;
}

inline std::vector<Range> pick_ranges(std::uint32_t most, std::uint32_t region_count) {
  std::vector<Range> ranges;
  for (std::uint32_t n = pick_below(most + 1); n > 0; --n) ranges.push_back(pick_range(region_count));
  return ranges;
}

struct PickOptions {
  std::uint32_t most_ops = 12;
  bool mutexes = false;
};

inline DescSpec pick_spec(const PickOptions& options = {}) {
  DescSpec spec = make_ops(1 + pick_below(options.most_ops));
  spec.region_bytes = {64, 64};
  spec.mutex_count = options.mutexes ? 2 : 0;
  for (OpSpec& op : spec.ops) {
    op.reads = pick_ranges(2, 2);
    op.writes = pick_ranges(2, 2);
    for (std::uint32_t m = 0; m < spec.mutex_count; ++m) {
      if (pick_below(3) == 0) op.mutexes.push_back(m);
    }
    if (options.mutexes && pick_below(2) == 0) op.commute_group = pick_below(2);
  }
  spec.edges = pick_edges(static_cast<std::uint32_t>(spec.ops.size()));
  return spec;
}

/// Adds an edge for every race, so that none is left: what a planner does that states the edges its reuse implies.
inline void order_all_races(DescSpec& spec) {
  const DescTables tables(spec);
  const Order order(tables.desc);
  for (const Race& race : find_races(tables.desc).races.listed) {
    std::pair<std::uint32_t, std::uint32_t> edge{race.op_a, race.op_b};
    if (order.position_of(edge.first) > order.position_of(edge.second)) std::swap(edge.first, edge.second);
    if (std::find(spec.edges.begin(), spec.edges.end(), edge) == spec.edges.end()) spec.edges.push_back(edge);
  }
}

}  // namespace detent::verify::testing
