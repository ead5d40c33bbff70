// Graphs of bench_sim: one seeded random DAG as a Desc (for Detent) and as plain CSR (for the bare loop).
#pragma once

#include <cstdint>
#include <vector>

#include <detent/desc.h>

#include "sim/bare/closed_loop.hpp"

namespace detent::bench {

/// A random DAG of `ops` ops without tensors: each op has up to 3 predecessors anywhere before it; durations from 1 to
/// 10 us. Movable; the Desc's tables stay valid for its life.
class BenchGraph {
 public:
  BenchGraph(std::uint32_t ops, std::uint64_t seed);
  BenchGraph(const BenchGraph&) = delete;
  BenchGraph& operator=(const BenchGraph&) = delete;
  [[nodiscard]] const detent_desc& desc() const { return desc_; }
  [[nodiscard]] const sim::bare::Dag& dag() const { return dag_; }

 private:
  sim::bare::Dag dag_;
  std::vector<detent_op> ops_;
  std::vector<detent_op_cost> costs_;
  detent_region region_{};
  detent_desc desc_{};
};

}  // namespace detent::bench
