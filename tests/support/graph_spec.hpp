// GraphSpec: a graph of ops, tensors and bytes as a value that tests write, draw and change. DescTables makes a Desc of
// it.
#pragma once

#include <compare>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include <detent/desc.h>

namespace detent::support {

/// Bytes of one region: `count` blocks of `size` bytes, `stride` apart.
struct Range {
  std::uint32_t region = 0;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint32_t count = 1;
  std::uint64_t stride = 0;
};

struct RegionSpec {
  std::string name{};
  detent_region_kind kind = DETENT_REGION_WORKSPACE;
  std::uint64_t size_bytes = 0;
  std::uint32_t align_bytes = 64;
  const void* data = nullptr;
};

/// A dense F32 vector; with DETENT_TENSOR_RANGE, bytes.
struct TensorSpec {
  std::string name = "tensor";
  std::uint32_t region = 0;
  std::uint64_t offset_bytes = 0;
  std::uint64_t block_bytes = 64;
  std::uint64_t stride_bytes = 0;
  std::uint32_t block_count = 1;
  std::uint32_t align_bytes = 4;
  std::uint32_t alias_of = DETENT_NONE;
  std::uint32_t live_begin = DETENT_NONE;
  std::uint32_t live_end = DETENT_NONE;
  std::uint32_t flags = 0;
};

struct OpSpec {
  std::string name = "op";
  std::vector<std::uint32_t> inputs{}, outputs{}, weights{}, scratch{};  ///< tensors by id
  std::vector<Range> reads{}, writes{}, scratch_ranges{};  ///< more of them: a tensor for each, named after the op
  std::uint32_t flags = 0;
  std::int32_t priority = 0;
  std::uint32_t workers = 0;  ///< by bits; 0: all
  std::uint32_t core_class = 0;
  std::uint32_t kernel = 0;  ///< number in GraphSpec::kernels
  std::vector<std::uint32_t> mutexes{};
  std::uint32_t commute_group = DETENT_NONE;
  std::vector<std::uint64_t> config{};  ///< words of 8 bytes
  std::uint64_t best_ps = 0, worst_ps = 0;
  std::uint64_t release_min_ps = 0, release_max_ps = 0;  ///< both 0: none
};

struct Edge {
  std::uint32_t from = 0, to = 0;
  std::uint64_t min_ps = 0, max_ps = 0;  ///< transfer delay
  auto operator<=>(const Edge&) const = default;
};

/// DescTables leaves out releases and transfer delays, of which models::lower makes ops.
struct GraphSpec {
  std::string name = "test";
  std::vector<RegionSpec> regions{};
  std::vector<TensorSpec> tensors{};
  std::vector<OpSpec> ops{};
  std::vector<Edge> edges{};
  std::uint32_t mutex_count = 0;  ///< named "m0", "m1", ...
  std::vector<std::string> kernels{"mix", "delay"};
  std::vector<detent_class> classes{{"cpu", DETENT_CLASS_WORKERS}, {"delay", DETENT_CLASS_ASYNC}};
  std::vector<std::uint32_t> inputs{}, outputs{};  ///< tensors by id
};

/// Ops and edges, a line for each op.
std::ostream& operator<<(std::ostream& os, const GraphSpec& graph);

/// Workspaces of these sizes, named "r0", "r1", ...
std::vector<RegionSpec> workspaces(const std::vector<std::uint64_t>& sizes_bytes);

/// n ops without accesses and edges, named "op0", "op1", ..., and a workspace of 256 bytes.
GraphSpec make_ops(std::uint32_t count);

/// Let op i write `size_bytes` at 64 * i of a workspace made for it, and read what its predecessors write.
/// @param size_bytes  at most 64
void add_dataflow(GraphSpec& spec, std::uint64_t size_bytes = 8);

}  // namespace detent::support
