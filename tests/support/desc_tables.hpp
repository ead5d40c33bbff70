// DescTables: the tables of a Desc with their storage. Made of a GraphSpec, or row by row; tests may break any entry.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include <detent/desc.h>

#include "tests/support/graph_spec.hpp"

namespace detent::support {

/// Values at the end of a table, as the slice of it that they are.
detent_slice append(std::vector<std::uint32_t>& table, const std::vector<std::uint32_t>& values);

/// A tensor of bytes without lifetime, alias and alignment.
detent_tensor range_tensor(const char* name, const Range& range);

/// Moving keeps all addresses. Public, so that tests can break each entry; then refresh().
struct DescTables {
  DescTables() = default;
  explicit DescTables(const GraphSpec& spec);
  DescTables(DescTables&&) = default;
  DescTables& operator=(DescTables&&) = default;
  DescTables(const DescTables&) = delete;
  DescTables& operator=(const DescTables&) = delete;

  detent_desc desc{};  ///< as of the last refresh

  std::vector<detent_region> regions;
  std::vector<detent_tensor> tensors;
  std::vector<detent_op> ops;
  std::vector<std::uint32_t> tensor_refs, successors, mutex_refs, inputs, outputs;
  std::vector<const char*> mutex_names, kernels;
  std::vector<detent_class> classes;
  std::vector<std::uint64_t> config;  ///< words of 8 bytes
  std::vector<detent_op_cost> costs;
  std::vector<detent_static_schedule> schedules;

  /// @return  its id
  std::uint32_t add_region(const RegionSpec& spec);
  std::uint32_t add_tensor(const TensorSpec& spec);
  /// Without a row in `costs`.
  std::uint32_t add_op(const OpSpec& spec);
  /// The successors of all ops are written anew, ascending, by the next refresh().
  void add_edge(std::uint32_t from, std::uint32_t to);

  /// Point desc at the tables as they stand now, null where they are empty; a mutex for each name.
  detent_desc& refresh();

 private:
  const char* keep(const std::string& name);
  detent_slice add_operands(const std::vector<std::uint32_t>& ids, const std::vector<Range>& ranges,
                            const std::string& stem);
  void link();

  std::vector<Edge> edges_;
  bool is_linked_ = true;
  std::deque<std::string> names_;
};

}  // namespace detent::support
