// Graphs for the simulator's tests: a plain list of ops -> Desc, and seeded random ones with heavy ties.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <detent/desc.h>

#include "base/random.hpp"
#include "tests/support/desc_tables.hpp"

namespace detent::sim::test {

using Random = RandomSource;

struct GraphOp {
  std::uint64_t best_ps = 0;
  std::uint64_t worst_ps = 0;
  std::uint32_t core_class = 0;  ///< 0 cpu, 1 npu, 2 delay, 3 dsp
  std::int32_t priority = 0;
  std::vector<std::uint32_t> successors;  ///< ascending, above the op's own id
  std::vector<std::uint32_t> mutexes;
};

using Graph = std::vector<GraphOp>;

constexpr std::uint32_t kCpu = 0;
constexpr std::uint32_t kNpu = 1;
constexpr std::uint32_t kDelay = 2;
constexpr std::uint32_t kDsp = 3;

struct RandomGraphOptions {
  std::uint32_t max_ops = 40;
  std::uint32_t max_time_ps = 4;  ///< small: many completions fall on one instant
  bool npu = false;
  bool delays = false;
  bool range = false;  ///< best below worst
};
Graph random_graph(std::uint64_t seed, const RandomGraphOptions& options);

/// Tables of a graph. Each op writes 64 bytes of its own and reads those of its predecessors (kernel "mix").
class GraphDesc {
 public:
  explicit GraphDesc(const Graph& graph, bool with_tensors = true);
  [[nodiscard]] const detent_desc& desc() const;

 private:
  std::shared_ptr<const support::DescTables> tables_;
};

}  // namespace detent::sim::test
