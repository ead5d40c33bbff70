// OpSpace: what there is to explore of a Desc at op level: its order, and the pairs whose order is open and matters.
#pragma once

#include <cstdint>
#include <vector>

#include <detent/desc.h>

#include "base/ids.hpp"
#include "verify/explore/ops/space/graph.hpp"
#include "verify/graph/order.hpp"
#include "verify/static/buffer_race.hpp"

namespace detent::verify::explore {

/// Why the order of two unordered ops matters.
enum class PairKind : std::uint8_t {
  kRace,            ///< they touch a common byte, one writes it, and nothing keeps them apart
  kOrderDependent,  ///< the same, but a common mutex keeps them apart: the result still depends on their order
  kCommuting,       ///< the same as kOrderDependent, with their order declared irrelevant
  kMutexOnly        ///< a common mutex and no common byte: only the schedule differs
};

/// An unordered pair of ops, op_a < op_b.
struct OpPair {
  OpId op_a = 0;
  OpId op_b = 0;
  PairKind kind = PairKind::kRace;
  Race bytes{};  ///< the first common bytes; not set for kMutexOnly
};

struct SpaceOptions {
  bool commuting_orders = false;        ///< count and explore the orders of kCommuting pairs, too
  bool mutex_orders = false;            ///< and of kMutexOnly pairs
  std::uint64_t max_pairs = 1'000'000;  ///< more open pairs than this: the space is not complete()
};

/// Ops with more than this number are not compared pair by pair (BitMatrix of all ops).
inline constexpr std::uint32_t kMaxDenseOps = 8192;
/// Open ops beyond this number are not put into a graph.
inline constexpr std::uint32_t kMaxOpenOps = 16384;

/// The dependence of op-level traces: two ops are dependent when the DAG orders them or they conflict by bytes; pairs
/// that only share a mutex, and pairs declared commutative, are independent unless SpaceOptions says otherwise. So a
/// Desc without races, whose mutexes guard only commutative ops, has exactly one trace: the determinism proof.
class OpSpace {
 public:
  /// @param desc  outlives the space
  /// @throws std::invalid_argument  a cycle, or tables that check_structure or check_memory_plan refuse
  explicit OpSpace(const detent_desc& desc, const SpaceOptions& options = {});

  [[nodiscard]] const detent_desc& desc() const { return desc_; }
  [[nodiscard]] const Order& order() const { return order_; }
  [[nodiscard]] const RaceReport& report() const { return report_; }
  /// Open pairs that count, by (op_a, op_b).
  [[nodiscard]] const std::vector<OpPair>& pairs() const { return pairs_; }
  /// Open pairs by bytes that do not count: commuting ones, unless asked for.
  [[nodiscard]] const std::vector<OpPair>& ignored_pairs() const { return ignored_; }
  /// False: there are more pairs or open ops than the limits; counts and graphs are lower bounds.
  [[nodiscard]] bool complete() const { return complete_; }
  /// Op of each event of graph(), in topological order.
  [[nodiscard]] const std::vector<std::uint32_t>& open_ops() const { return open_ops_; }
  /// The open ops: order and conflicts.
  [[nodiscard]] const DependenceGraph& graph() const { return graph_; }
  /// Direct predecessors of the op at a topological position, as positions.
  [[nodiscard]] std::span<const std::uint32_t> predecessors(Position position) const {
    return {sources_.data() + first_source_[position], first_source_[position + 1] - first_source_[position]};
  }

 private:
  void collect_pairs(const SpaceOptions& options);
  void collect_mutex_pairs(const SpaceOptions& options);
  void index_predecessors();
  void make_graph();

  const detent_desc& desc_;
  Order order_;
  RaceReport report_;
  std::vector<OpPair> pairs_, ignored_;
  bool complete_ = true;
  std::vector<std::uint32_t> open_ops_;
  DependenceGraph graph_;
  std::vector<std::uint32_t> first_source_, sources_;
};

/// The whole closure by topological position: row p holds what the op at p precedes. At most kMaxDenseOps ops.
BitMatrix close_order(const Order& order);

/// "op 7 before op 3".
struct Constraint {
  std::uint32_t first = 0;  ///< runs before
  std::uint32_t then = 0;
  bool operator==(const Constraint&) const = default;
};

/// The lowest-id-first linear extension of the DAG and the constraints; empty when they close a cycle.
std::vector<std::uint32_t> order_under(const OpSpace& space, std::span<const Constraint> constraints);

}  // namespace detent::verify::explore
