// Samples: networks with runs, made up here from a seed, that look like what a check of a real network gives.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "reports/data/report_data.hpp"
#include "tests/support/desc_tables.hpp"

namespace detent::reports::samples {

/// Tables of a small Desc. Build with add_*, then desc() fills the pointers.
class Tables {
 public:
  std::uint32_t add_region(const std::string& name, detent_region_kind kind, std::uint64_t size_bytes);
  std::uint32_t add_tensor(const std::string& name, std::uint32_t region, std::uint64_t offset, std::uint64_t size);
  /// Edges follow from reads: every reader comes after the op that wrote the tensor. Extra edges by add_edge.
  std::uint32_t add_op(const std::string& name, const std::string& kernel, const std::vector<std::uint32_t>& reads,
                       const std::vector<std::uint32_t>& writes, std::uint32_t core_class = 0);
  void add_edge(std::uint32_t from, std::uint32_t to);
  void set_cost(std::uint32_t op, std::uint64_t best_ps, std::uint64_t worst_ps);
  const detent_desc* desc();

  std::vector<detent_tensor> tensors;
  std::vector<detent_region> regions;
  std::vector<std::vector<std::uint32_t>> reads, writes;  ///< per op
  std::vector<std::vector<std::uint32_t>> successors;     ///< per op, ascending
  std::vector<detent_op_cost> costs;
  std::vector<std::uint32_t> core_class;
  std::vector<std::uint32_t> flags;                 ///< DETENT_OP_*, per op
  std::vector<std::vector<std::uint32_t>> mutexes;  ///< per op
  std::vector<std::uint32_t> outputs;

 private:
  const char* keep(const std::string& text);
  [[nodiscard]] support::GraphSpec spec() const;

  std::vector<std::unique_ptr<std::string>> texts_;
  std::vector<std::string> op_names_, op_kernels_;
  std::vector<std::uint32_t> writer_;  // per tensor
  support::DescTables tables_;
};

/// A report and the tables that it points to.
struct Sample {
  std::unique_ptr<Tables> tables;
  ReportData data;
};

/// Some hundred ops in the shape of a detector with a feature pyramid, on four CPU cores and an NPU, 200 runs; all
/// verdicts hold.
/// @param by_id_order  plan memory as if ops ran in id order; verdicts then are claims that do not hold
Sample detector(bool by_id_order = false);
/// The same network with a plan that reuses bytes too early: races, a determinism finding, one unknown.
Sample racy_detector();
/// Four ops whose names hold everything that ends strings, elements, lines and fields somewhere (B14).
Sample hostile_names();
/// `ops` ops in layers, `spans` spans over the timelines.
Sample large(std::uint32_t ops, std::uint32_t spans);
/// Nothing was checked and nothing ran.
Sample empty();

}  // namespace detent::reports::samples
