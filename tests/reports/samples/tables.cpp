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

const detent_desc* Tables::desc() {
  ops_.clear();
  refs_.clear();
  successor_refs_.clear();
  mutex_refs_.clear();
  kernels_.clear();
  classes_ = {{"cpu", DETENT_CLASS_WORKERS}, {"npu", DETENT_CLASS_WORKERS}};
  const auto slice_of = [](std::vector<std::uint32_t>& table, const std::vector<std::uint32_t>& items) {
    const detent_slice slice = {static_cast<std::uint32_t>(table.size()), static_cast<std::uint32_t>(items.size())};
    table.insert(table.end(), items.begin(), items.end());
    return slice;
  };
  for (std::uint32_t i = 0; i < op_names_.size(); ++i) {
    detent_op op{};
    op.name = keep(op_names_[i]);
    op.id = i;
    op.kernel = i;
    op.core_class = core_class[i];
    op.inputs = slice_of(refs_, reads[i]);
    op.outputs = slice_of(refs_, writes[i]);
    op.successors = slice_of(successor_refs_, successors[i]);
    op.flags = flags[i];
    op.mutexes = slice_of(mutex_refs_, mutexes[i]);
    op.commute_group = DETENT_NONE;
    ops_.push_back(op);
    kernels_.push_back(keep(op_kernels_[i]));
  }
  desc_ = {};
  desc_.name = "sample";
  desc_.regions = regions.data();
  desc_.region_count = static_cast<std::uint32_t>(regions.size());
  desc_.tensors = tensors.data();
  desc_.tensor_count = static_cast<std::uint32_t>(tensors.size());
  desc_.ops = ops_.data();
  desc_.op_count = static_cast<std::uint32_t>(ops_.size());
  desc_.tensor_refs = refs_.data();
  desc_.tensor_ref_count = static_cast<std::uint32_t>(refs_.size());
  desc_.successors = successor_refs_.data();
  desc_.successor_count = static_cast<std::uint32_t>(successor_refs_.size());
  desc_.mutex_refs = mutex_refs_.data();
  desc_.mutex_ref_count = static_cast<std::uint32_t>(mutex_refs_.size());
  for (const std::uint32_t mutex : mutex_refs_) desc_.mutex_count = std::max(desc_.mutex_count, mutex + 1);
  desc_.kernels = kernels_.data();
  desc_.kernel_count = static_cast<std::uint32_t>(kernels_.size());
  desc_.classes = classes_.data();
  desc_.class_count = static_cast<std::uint32_t>(classes_.size());
  desc_.outputs = outputs.data();
  desc_.output_count = static_cast<std::uint32_t>(outputs.size());
  desc_.costs = costs.data();
  return &desc_;
}

}  // namespace detent::reports::samples
