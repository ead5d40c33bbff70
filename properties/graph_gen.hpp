// Random GraphSpecs that shrink: the graph half of a GraphCase.
#pragma once

#include <rapidcheck/Gen.h>
#include <rapidcheck/Random.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "tests/support/graph_spec.hpp"

namespace detent::laws {

using support::Edge;
using support::GraphSpec;
using support::OpSpec;
using support::Range;

/// Numbers from RapidCheck's stream: the same value on every machine.
class Draw {
 public:
  explicit Draw(const rc::Random& random) : random_(random) {}
  /// In [0, n), n > 0.
  std::uint32_t below(std::uint64_t n) { return static_cast<std::uint32_t>(random_.next() % n); }
  bool one_in(std::uint32_t n) { return below(n) == 0; }
  /// [least, most] up to `most`.
  std::pair<std::uint64_t, std::uint64_t> span(std::uint64_t most) {
    const std::uint64_t high = below(most + 1);
    return {below(high + 1), high};
  }

 private:
  rc::Random random_;
};

struct GraphShape {
  /// Every drawn graph has this many workspaces of this size, and the classes "cpu" and "npu".
  static constexpr std::uint32_t kRegions = 2;
  static constexpr std::uint64_t kRegionBytes = 64;
  static constexpr std::uint32_t kCpu = 0, kNpu = 1;

  std::uint32_t most_ops = 12;
  std::uint64_t most_ps = 100;  ///< of one op; small: many completions fall on one instant
  bool mutexes = false;         ///< up to 2
  bool commutes = false;        ///< with mutexes
  bool strided = false;         ///< some ranges have gaps
  bool npu = false;             ///< some ops are of class "npu"
  bool delays = false;          ///< transfer delays and releases
  bool affinity = false;        ///< some ops are for some of the first four workers
  bool ascending = false;       ///< op ids are a topological order
};

inline bool is_npu(const OpSpec& op) { return op.core_class == GraphShape::kNpu; }

/// The workspaces, classes and mutexes of every drawn graph, no ops.
GraphSpec empty_graph();

/// One to most_ops ops whose ids need not be a topological order. @param size  RapidCheck's, 0 to 100
GraphSpec draw_graph(Draw& draw, int size, const GraphShape& shape);

/// As draw_graph. Shrinks to fewer ops, edges, ranges, bytes and to smaller numbers; all values are acyclic and have
/// their ranges inside the regions.
rc::Gen<GraphSpec> graph_specs(const GraphShape& shape = {});

/// Ops [first, first + count); with `bridge`, what preceded one of them will precede what followed it.
struct OpCut {
  std::uint32_t first = 0, count = 0;
  bool bridge = false;
};
/// Cuts that leave an op, the largest first.
std::vector<OpCut> op_cuts(const GraphSpec& graph);
GraphSpec without_ops(const GraphSpec& graph, const OpCut& cut);
/// With the same ops, but one step smaller. None is `graph`.
std::vector<GraphSpec> smaller_graphs(const GraphSpec& graph);

/// Adds an edge for each pair of ops that touch a common byte, one of them writing, and that no path orders.
/// Byte maps and paths of its own: nothing is shared with verify/.
void order_conflicts(GraphSpec& graph);

}  // namespace detent::laws
