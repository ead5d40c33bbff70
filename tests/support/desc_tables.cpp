#include "tests/support/desc_tables.hpp"

#include <algorithm>

namespace detent::support {
namespace {

template <typename T, typename P>
void point(const std::vector<T>& table, P& pointer, std::uint32_t& count) {
  pointer = table.empty() ? nullptr : table.data();
  count = static_cast<std::uint32_t>(table.size());
}

}  // namespace

detent_slice append(std::vector<std::uint32_t>& table, const std::vector<std::uint32_t>& values) {
  const detent_slice slice{static_cast<std::uint32_t>(table.size()), static_cast<std::uint32_t>(values.size())};
  table.insert(table.end(), values.begin(), values.end());
  return slice;
}

detent_tensor range_tensor(const char* name, const Range& range) {
  detent_tensor tensor{};
  tensor.name = name;
  tensor.region = range.region;
  tensor.flags = DETENT_TENSOR_RANGE;
  tensor.offset_bytes = range.offset;
  tensor.size_bytes = (range.count - 1) * range.stride + range.size;
  tensor.block_bytes = range.size;
  tensor.stride_bytes = range.count > 1 ? range.stride : 0;
  tensor.block_count = range.count;
  tensor.align_bytes = 1;
  tensor.alias_of = tensor.live_begin = tensor.live_end = DETENT_NONE;
  tensor.dtype = DETENT_U8;
  return tensor;
}

DescTables::DescTables(const GraphSpec& spec) : classes(spec.classes) {
  desc.name = keep(spec.name);
  for (const std::string& kernel : spec.kernels) kernels.push_back(keep(kernel));
  for (const RegionSpec& region : spec.regions) add_region(region);
  for (const TensorSpec& tensor : spec.tensors) add_tensor(tensor);
  for (const OpSpec& op : spec.ops) {
    add_op(op);
    costs.push_back({op.best_ps, op.worst_ps, 0, 0, 0});
  }
  for (const Edge& edge : spec.edges) add_edge(edge.from, edge.to);
  for (std::uint32_t m = 0; m < spec.mutex_count; ++m) mutex_names.push_back(keep("m" + std::to_string(m)));
  inputs = spec.inputs;
  outputs = spec.outputs;
  refresh();
}

std::uint32_t DescTables::add_region(const RegionSpec& spec) {
  regions.push_back({keep(spec.name), spec.kind, spec.size_bytes, spec.align_bytes, spec.data});
  return static_cast<std::uint32_t>(regions.size() - 1);
}

std::uint32_t DescTables::add_tensor(const TensorSpec& spec) {
  const bool is_range = (spec.flags & DETENT_TENSOR_RANGE) != 0;
  detent_tensor tensor = range_tensor(
      keep(spec.name), {spec.region, spec.offset_bytes, spec.block_bytes, spec.block_count, spec.stride_bytes});
  tensor.flags = spec.flags;
  tensor.align_bytes = spec.align_bytes;
  tensor.alias_of = spec.alias_of;
  tensor.live_begin = spec.live_begin;
  tensor.live_end = spec.live_end;
  if (!is_range) {
    tensor.dtype = DETENT_F32;
    tensor.rank = 1;
    tensor.dims[0] = static_cast<std::int32_t>(spec.block_bytes * spec.block_count / 4);
  }
  tensors.push_back(tensor);
  return static_cast<std::uint32_t>(tensors.size() - 1);
}

std::uint32_t DescTables::add_op(const OpSpec& spec) {
  detent_op op{};
  op.name = keep(spec.name);
  op.id = static_cast<std::uint32_t>(ops.size());
  op.kernel = spec.kernel;
  op.core_class = spec.core_class;
  op.flags = spec.flags;
  op.inputs = add_operands(spec.inputs, spec.reads, spec.name + ".r");
  op.outputs = add_operands(spec.outputs, spec.writes, spec.name + ".w");
  op.weights = append(tensor_refs, spec.weights);
  op.scratch = add_operands(spec.scratch, spec.scratch_ranges, spec.name + ".s");
  op.config_offset = spec.config.empty() ? 0 : static_cast<std::uint32_t>(config.size() * sizeof config[0]);
  op.config_size = static_cast<std::uint32_t>(spec.config.size() * sizeof config[0]);
  config.insert(config.end(), spec.config.begin(), spec.config.end());
  op.mutexes = append(mutex_refs, spec.mutexes);
  op.commute_group = spec.commute_group;
  op.priority = spec.priority;
  op.workers = spec.workers;
  ops.push_back(op);
  return op.id;
}

void DescTables::add_edge(std::uint32_t from, std::uint32_t to) {
  edges_.push_back({from, to});
  is_linked_ = false;
  if (to < ops.size()) ++ops[to].entry_count;
}

detent_desc& DescTables::refresh() {
  if (!is_linked_) link();
  point(regions, desc.regions, desc.region_count);
  point(tensors, desc.tensors, desc.tensor_count);
  point(ops, desc.ops, desc.op_count);
  point(tensor_refs, desc.tensor_refs, desc.tensor_ref_count);
  point(successors, desc.successors, desc.successor_count);
  point(mutex_refs, desc.mutex_refs, desc.mutex_ref_count);
  point(mutex_names, desc.mutex_names, desc.mutex_count);
  point(kernels, desc.kernels, desc.kernel_count);
  point(classes, desc.classes, desc.class_count);
  desc.config_bytes = config.empty() ? nullptr : reinterpret_cast<const std::uint8_t*>(config.data());
  desc.config_byte_count = static_cast<std::uint32_t>(config.size() * sizeof config[0]);
  point(inputs, desc.inputs, desc.input_count);
  point(outputs, desc.outputs, desc.output_count);
  desc.costs = costs.empty() ? nullptr : costs.data();
  point(schedules, desc.schedules, desc.schedule_count);
  return desc;
}

const char* DescTables::keep(const std::string& name) { return names_.emplace_back(name).c_str(); }

detent_slice DescTables::add_operands(const std::vector<std::uint32_t>& ids, const std::vector<Range>& ranges,
                                      const std::string& stem) {
  detent_slice slice = append(tensor_refs, ids);
  for (const Range& range : ranges) {
    const char* name = keep(stem + std::to_string(tensor_refs.size() - slice.first));
    tensor_refs.push_back(static_cast<std::uint32_t>(tensors.size()));
    tensors.push_back(range_tensor(name, range));
  }
  slice.count = static_cast<std::uint32_t>(tensor_refs.size()) - slice.first;
  return slice;
}

void DescTables::link() {
  std::sort(edges_.begin(), edges_.end());
  successors.clear();
  for (detent_op& op : ops) op.successors.count = 0;
  for (const Edge& edge : edges_) {
    ++ops.at(edge.from).successors.count;
    successors.push_back(edge.to);
  }
  std::uint32_t first = 0;
  for (detent_op& op : ops) {
    op.successors.first = first;
    first += op.successors.count;
  }
  is_linked_ = true;
}

}  // namespace detent::support
