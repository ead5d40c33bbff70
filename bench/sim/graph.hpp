// Graphs of bench_sim: one seeded random DAG as a Desc (for Detent) and as plain CSR (for the bare loop).
#pragma once

#include <cstdint>

#include "sim/bare/closed_loop.hpp"
#include "tests/support/desc_tables.hpp"

namespace detent::bench {

/// A random DAG of `ops` ops without tensors: each op has up to 3 predecessors anywhere before it; durations from 1 to
/// 10 us. Movable; the Desc's tables stay valid for its life.
class BenchGraph {
 public:
  BenchGraph(std::uint32_t ops, std::uint64_t seed);
  BenchGraph(const BenchGraph&) = delete;
  BenchGraph& operator=(const BenchGraph&) = delete;
  [[nodiscard]] const detent_desc& desc() const { return tables_.desc; }
  [[nodiscard]] const sim::bare::Dag& dag() const { return dag_; }

 private:
  sim::bare::Dag dag_;
  support::DescTables tables_;
};

}  // namespace detent::bench
