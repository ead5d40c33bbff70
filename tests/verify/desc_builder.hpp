// DescBuilder: small Descs for tests, written by hand or drawn at random. Independent of models/.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <detent/desc.h>

#include "base/random.hpp"
#include "tests/support/desc_storage.hpp"

namespace detent::verify::testing {

/// Bytes of one region: `count` blocks of `size` bytes, `stride` apart.
struct Range {
  std::uint32_t region = 0;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint32_t count = 1;
  std::uint64_t stride = 0;
};

struct OpSpec {
  std::string name;
  std::vector<Range> reads, writes, scratch;
  std::vector<std::uint32_t> mutexes;
  std::uint32_t commute_group = DETENT_NONE;
  std::uint32_t core_class = 0;
  std::uint32_t flags = 0;
  std::uint64_t best_ps = 0, worst_ps = 0;
};

/// What a test says; make_desc turns it into tables. Kernel "mix" for ops, "delay" for DETENT_OP_DELAY.
struct DescSpec {
  std::vector<std::uint64_t> region_bytes{256};
  std::vector<OpSpec> ops;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  std::uint32_t mutex_count = 0;
};

/// Tables with their storage. Not movable: the Desc points into it. Public, so that tests can break them.
struct DescTables : support::DescStorage {
  explicit DescTables(const DescSpec& spec);
  DescTables(const DescTables&) = delete;
  DescTables& operator=(const DescTables&) = delete;

  detent_desc desc{};

  /// Point the Desc at the tables again after a test has changed their lengths.
  void refresh();

 private:
  detent_slice add_ranges(const std::vector<Range>& ranges, const std::string& stem);
};

/// n ops without accesses and edges, named "op0", "op1", ...
DescSpec make_ops(std::uint32_t count);

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

DescSpec make_random_spec(std::uint64_t seed, const RandomSpec& shape);

/// reach[a][b]: a path leads from a to b. Floyd and Warshall, for comparison.
std::vector<std::vector<bool>> close_naively(const detent_desc& desc);

}  // namespace detent::verify::testing
