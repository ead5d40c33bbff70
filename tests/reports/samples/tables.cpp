// Tables of a small Desc for the tests of reports/.
#include <algorithm>

#include "tests/reports/samples/sample.hpp"

namespace detent::reports::samples {

const char* Tables::keep(const std::string& text) {
  texts_.push_back(std::make_unique<std::string>(text));
  return texts_.back()->c_str();
}

std::uint32_t Tables::add_region(const std::string& name, detent_region_kind kind, std::uint64_t size_bytes) {
  regions.push_back({keep(name), kind, size_bytes, 64, nullptr});
  return static_cast<std::uint32_t>(regions.size() - 1);
}

std::uint32_t Tables::add_tensor(const std::string& name, std::uint32_t region, std::uint64_t offset,
                                 std::uint64_t size) {
  detent_tensor tensor{};
  tensor.name = keep(name);
  tensor.region = region;
  tensor.offset_bytes = offset;
  tensor.size_bytes = tensor.block_bytes = size;
  tensor.block_count = 1;
  tensor.align_bytes = 64;
  tensor.alias_of = tensor.live_begin = tensor.live_end = DETENT_NONE;
  tensor.dtype = DETENT_F32;
  tensors.push_back(tensor);
  writer_.push_back(DETENT_NONE);
  return static_cast<std::uint32_t>(tensors.size() - 1);
}

std::uint32_t Tables::add_op(const std::string& name, const std::string& kernel,
                             const std::vector<std::uint32_t>& op_reads, const std::vector<std::uint32_t>& op_writes,
                             std::uint32_t op_class) {
  const auto op = static_cast<std::uint32_t>(op_names_.size());
  op_names_.push_back(name);
  op_kernels_.push_back(kernel);
  reads.push_back(op_reads);
  writes.push_back(op_writes);
  successors.emplace_back();
  costs.push_back({});
  core_class.push_back(op_class);
  flags.push_back(0);
  mutexes.emplace_back();
  for (const std::uint32_t tensor : op_reads) {
    if (writer_[tensor] != DETENT_NONE) add_edge(writer_[tensor], op);
  }
  for (const std::uint32_t tensor : op_writes) writer_[tensor] = op;
  return op;
}

void Tables::add_edge(std::uint32_t from, std::uint32_t to) {
  std::vector<std::uint32_t>& list = successors[from];
  const auto at = std::lower_bound(list.begin(), list.end(), to);
  if (at == list.end() || *at != to) list.insert(at, to);
}

void Tables::set_cost(std::uint32_t op, std::uint64_t best_ps, std::uint64_t worst_ps) {
  costs[op].best_ps = best_ps;
  costs[op].worst_ps = worst_ps;
}

support::GraphSpec Tables::spec() const {
  support::GraphSpec spec{.name = "sample", .kernels = op_kernels_};
  spec.classes = {{"cpu", DETENT_CLASS_WORKERS}, {"npu", DETENT_CLASS_WORKERS}};
  for (std::uint32_t op = 0; op < op_names_.size(); ++op) {
    spec.ops.push_back({.name = op_names_[op],
                        .inputs = reads[op],
                        .outputs = writes[op],
                        .flags = flags[op],
                        .core_class = core_class[op],
                        .kernel = op,
                        .mutexes = mutexes[op]});
    for (const std::uint32_t to : successors[op]) spec.edges.emplace_back(op, to);
    for (const std::uint32_t mutex : mutexes[op]) spec.mutex_count = std::max(spec.mutex_count, mutex + 1);
  }
  spec.outputs = outputs;
  return spec;
}

const detent_desc* Tables::desc() {
  tables_ = support::DescTables(spec());
  tables_.regions = regions;
  tables_.tensors = tensors;
  tables_.costs = costs;
  std::fill(tables_.mutex_names.begin(), tables_.mutex_names.end(), nullptr);
  return &tables_.refresh();
}

}  // namespace detent::reports::samples
