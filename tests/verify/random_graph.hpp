// Graphs for the tests of verify/, drawn from a seed; paths by force. Independent of models/.
#pragma once

#include <cstdint>
#include <vector>

#include <detent/desc.h>

#include "base/random.hpp"
#include "tests/support/desc_tables.hpp"

namespace detent::verify::testing {

using support::DescTables;
using support::GraphSpec;
using support::make_ops;
using support::OpSpec;
using support::Range;
using support::workspaces;

/// For tests that draw their own graphs.
struct Random : RandomSource {
  using RandomSource::RandomSource;
  /// Uniform enough below `bound` > 0.
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(next() % bound); }
};

struct RandomSpec {
  std::uint32_t op_count = 12;
  std::uint32_t percent_edges = 20;  ///< chance of each pair
  std::uint32_t region_count = 2;
  std::uint32_t region_bytes = 64;
  std::uint32_t max_reads = 2, max_writes = 2;
  std::uint32_t percent_strided = 0;
  std::uint32_t mutex_count = 0, group_count = 0;
  bool shuffle_ids = true;  ///< edges need not ascend
};

GraphSpec make_random_spec(std::uint64_t seed, const RandomSpec& shape);

/// reach[a][b]: a path leads from a to b. Floyd and Warshall, for comparison.
std::vector<std::vector<bool>> close_naively(const detent_desc& desc);

}  // namespace detent::verify::testing
