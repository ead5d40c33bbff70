// The tables of a Desc with their storage, for tests that make their own: fill them, point a Desc at them, break them.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include <detent/desc.h>

namespace detent::support {

/// Values at the end of a table, as the slice of it that they are.
inline detent_slice append(std::vector<std::uint32_t>& table, const std::vector<std::uint32_t>& values) {
  const detent_slice slice{static_cast<std::uint32_t>(table.size()), static_cast<std::uint32_t>(values.size())};
  table.insert(table.end(), values.begin(), values.end());
  return slice;
}

/// A tensor of bytes: `count` blocks of `size` bytes, `stride` apart; no lifetime, no alias, no alignment.
inline detent_tensor range_tensor(const char* name, std::uint32_t region, std::uint64_t offset, std::uint64_t size,
                                  std::uint32_t count = 1, std::uint64_t stride = 0) {
  detent_tensor tensor{};
  tensor.name = name;
  tensor.region = region;
  tensor.flags = DETENT_TENSOR_RANGE;
  tensor.offset_bytes = offset;
  tensor.size_bytes = (count - 1) * stride + size;
  tensor.block_bytes = size;
  tensor.stride_bytes = count > 1 ? stride : 0;
  tensor.block_count = count;
  tensor.align_bytes = 1;
  tensor.alias_of = tensor.live_begin = tensor.live_end = DETENT_NONE;
  tensor.dtype = DETENT_U8;
  return tensor;
}

struct DescStorage {
  std::vector<detent_region> regions;
  std::vector<detent_tensor> tensors;
  std::vector<detent_op> ops;
  std::vector<std::uint32_t> tensor_refs, successors, mutex_refs, inputs, outputs;
  std::vector<const char*> mutex_names, kernels;
  std::vector<detent_class> classes;
  std::vector<std::uint64_t> config;  ///< words of 8 bytes
  std::vector<detent_op_cost> costs;
  std::vector<detent_step> steps;
  std::vector<detent_static_schedule> schedules;
  std::deque<std::string> names;  ///< of those that are not literals; copies of a storage share them with it

  const char* keep(std::string name) {
    names.push_back(std::move(name));
    return names.back().c_str();
  }

  /// The successors of every op, by op.
  void set_successors(const std::vector<std::vector<std::uint32_t>>& lists) {
    successors.clear();
    for (std::size_t op = 0; op < ops.size(); ++op) ops[op].successors = append(successors, lists[op]);
  }

  /// All of a Desc but its name: the tables as they stand now, null where they are empty; a mutex for each name.
  void point(detent_desc& desc) const {
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
    point(steps, desc.steps, desc.step_count);
    point(schedules, desc.schedules, desc.schedule_count);
  }

 private:
  template <typename T, typename P>
  static void point(const std::vector<T>& table, P& pointer, std::uint32_t& count) {
    pointer = table.empty() ? nullptr : table.data();
    count = static_cast<std::uint32_t>(table.size());
  }
};

}  // namespace detent::support
