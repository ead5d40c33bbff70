#include "runtime/backends/npu_layout.h"

namespace detent::npu {
namespace {

/// Bytes of one region, from the first to one past the last.
struct Extent {
  std::uint64_t begin, end;
};

Extent extent_of(const detent_tensor &tensor) { return {tensor.offset_bytes, tensor.offset_bytes + tensor.size_bytes}; }

/// The bytes that hang together with tensor `index`: tensors that share some keep their distance in the scratchpad.
/// @param leader  gets the lowest index among them
Extent cluster_of(const TensorsOfOp &tensors, std::uint32_t index, std::uint32_t *leader) {
  Extent all = extent_of(tensors[index]);
  *leader = index;
  for (bool has_grown = true; has_grown;) {
    has_grown = false;
    for (std::uint32_t i = 0; i < tensors.count(); ++i) {
      const detent_tensor &other = tensors[i];
      const Extent extent = extent_of(other);
      if (other.region != tensors[index].region || extent.begin >= all.end || extent.end <= all.begin) continue;
      if (i < *leader) *leader = i;
      has_grown = has_grown || extent.begin < all.begin || extent.end > all.end;
      if (extent.begin < all.begin) all.begin = extent.begin;
      if (extent.end > all.end) all.end = extent.end;
    }
  }
  return all;
}

}  // namespace

const detent_kernel *find_kernel(const detent_kernel_table &table, const char *name) {
  for (std::uint32_t i = 0; i < table.count; ++i) {
    if (strcmp(table.kernels[i].name, name) == 0) return &table.kernels[i];
  }
  return nullptr;
}

bool is_for_device(const detent_desc &desc, const detent_op &op, const detent_kernel_table &kernels) {
  return strcmp(desc.classes[op.core_class].name, kClass) == 0 &&
         find_kernel(kernels, desc.kernels[op.kernel]) != nullptr;
}

bool is_complete(const detent_device_config *config) {
  return config != nullptr && config->port != nullptr && config->kernels != nullptr && config->complete != nullptr;
}

std::uint64_t place(const TensorsOfOp &tensors, std::uint8_t *scratchpad, detent_buffer *buffers) {
  std::uint64_t used = 0;
  for (std::uint32_t i = 0; i < tensors.count(); ++i) {
    const detent_tensor &tensor = tensors[i];
    std::uint32_t leader = i;
    const Extent cluster = cluster_of(tensors, i, &leader);
    std::uint64_t at = 0;
    if (leader == i) {
      const std::uint64_t begin = round_up(used) + cluster.begin % kAlign;
      used = begin + (cluster.end - cluster.begin);
      at = begin + (tensor.offset_bytes - cluster.begin);
    } else if (buffers != nullptr) {
      const auto leader_at = static_cast<std::uint64_t>(static_cast<std::uint8_t *>(buffers[leader].data) - scratchpad);
      at = leader_at - tensors[leader].offset_bytes + tensor.offset_bytes;
    }
    if (buffers != nullptr) buffers[i] = {scratchpad + at, &tensor};
  }
  return round_up(used);
}

}  // namespace detent::npu
