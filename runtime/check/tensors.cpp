// Checks of each region and tensor by itself: blocks, shape, place, alignment, lifetime.
#include "runtime/base/byte_set.h"
#include "runtime/base/ids.h"
#include "runtime/check/internal.h"

namespace detent {
namespace {

bool is_power_of_two(std::uint32_t value) { return value != 0 && (value & (value - 1)) == 0; }

detent_status check_region(const detent_region &region) {
  const std::uint32_t kind = raw_value(region.kind);
  if (kind > DETENT_REGION_WEIGHTS) return DETENT_INVALID_ARGUMENT;
  if (region.size_bytes == 0) return DETENT_EMPTY;
  if (region.size_bytes > DETENT_MAX_BYTES) return DETENT_OUT_OF_REGION;
  if (!is_power_of_two(region.align_bytes)) return DETENT_ALIGNMENT;
  if ((kind == DETENT_REGION_WEIGHTS) != (region.data != nullptr)) return DETENT_INVALID_ARGUMENT;
  if (reinterpret_cast<std::uintptr_t>(region.data) % region.align_bytes != 0) return DETENT_ALIGNMENT;
  return DETENT_OK;
}

/// Bytes of an element; 0 for a dtype that is none.
std::uint64_t element_bytes(std::uint8_t dtype) {
  switch (dtype) {
    case DETENT_U8:
    case DETENT_I8:
    case DETENT_BOOL:
      return 1;
    case DETENT_F16:
    case DETENT_BF16:
      return 2;
    case DETENT_I32:
    case DETENT_F32:
      return 4;
    case DETENT_I64:
    case DETENT_F64:
      return 8;
    default:
      return 0;
  }
}

/// size_bytes is exactly what block_count blocks at stride_bytes span (B32, B41, B47).
detent_status check_blocks(const detent_tensor &tensor) {
  if (tensor.size_bytes == 0 || tensor.block_bytes == 0 || tensor.block_count == 0) return DETENT_EMPTY;
  if (tensor.size_bytes > UINT64_MAX - tensor.offset_bytes) return DETENT_OFFSET_WRAP;
  if (tensor.block_bytes > tensor.size_bytes) return DETENT_SHAPE;
  const std::uint64_t gaps = tensor.block_count - 1;
  if (gaps == 0) {
    return tensor.stride_bytes == 0 && tensor.size_bytes == tensor.block_bytes ? DETENT_OK : DETENT_SHAPE;
  }
  if (tensor.stride_bytes < tensor.block_bytes) return DETENT_SHAPE;
  const std::uint64_t before_last = tensor.size_bytes - tensor.block_bytes;
  return before_last % gaps == 0 && before_last / gaps == tensor.stride_bytes ? DETENT_OK : DETENT_SHAPE;
}

/// Multiply a size by a factor > 0, staying at or below `limit` (<= 2^63): false when it would not.
bool grow(std::uint64_t &size, std::uint64_t factor, std::uint64_t limit) {
  if (size > limit / factor) return false;
  size *= factor;
  return true;
}

/// Bytes of dims in the tensor's layout; 0 when they overflow or do not suit the layout.
std::uint64_t shape_bytes(const detent_tensor &tensor) {
  std::uint64_t size = element_bytes(tensor.dtype);
  const bool is_c16 = tensor.layout == DETENT_LAYOUT_C16;
  if (is_c16 && (tensor.rank != 4 || tensor.dims[0] != 1)) return 0;
  for (std::uint32_t i = 0; i < tensor.rank; ++i) {
    const auto dim = static_cast<std::uint64_t>(tensor.dims[i]);
    const std::uint64_t stored = is_c16 && i == 1 ? (dim + 15) / 16 * 16 : dim;
    if (!grow(size, stored, DETENT_MAX_BYTES)) return 0;
  }
  return size;
}

/// B32. A byte range has no shape; every other tensor's dims fill its blocks exactly.
detent_status check_shape(const detent_tensor &tensor) {
  const bool known = element_bytes(tensor.dtype) != 0 && tensor.layout <= DETENT_LAYOUT_C16;
  if (!known || tensor.rank > DETENT_MAX_RANK) return DETENT_SHAPE;
  for (std::uint32_t i = 0; i < tensor.rank; ++i) {
    if (tensor.dims[i] <= 0) return DETENT_SHAPE;
  }
  if (is_range(tensor) && tensor.rank == 0) return DETENT_OK;
  return shape_bytes(tensor) == byte_count(tensor) ? DETENT_OK : DETENT_SHAPE;
}

/// B40: inside the region. check_blocks has excluded a wrap.
detent_status check_place(const detent_desc &desc, const detent_tensor &tensor) {
  return end_of(tensor) <= desc.regions[tensor.region].size_bytes ? DETENT_OK : DETENT_OUT_OF_REGION;
}

/// B48; a view that breaks its alignment crosses alignment with its base (B44).
detent_status check_alignment(const detent_desc &desc, const detent_tensor &tensor) {
  if (!is_power_of_two(tensor.align_bytes)) return DETENT_ALIGNMENT;
  const bool holds =
      tensor.align_bytes <= desc.regions[tensor.region].align_bytes && tensor.offset_bytes % tensor.align_bytes == 0;
  if (holds) return DETENT_OK;
  return tensor.alias_of == DETENT_NONE ? DETENT_ALIGNMENT : DETENT_ALIAS_TYPE;
}

/// B49, and B46 for an activation placed among weights.
detent_status check_lifetime(const detent_desc &desc, const detent_tensor &tensor, const std::uint32_t *position) {
  const bool begins = tensor.live_begin != DETENT_NONE;
  const bool ends = tensor.live_end != DETENT_NONE;
  if (!begins && !ends) return DETENT_OK;
  if (begins != ends || tensor.alias_of != DETENT_NONE) return DETENT_LIFETIME;
  if (tensor.live_begin >= desc.op_count || tensor.live_end >= desc.op_count) return DETENT_LIFETIME;
  if (position[tensor.live_begin] > position[tensor.live_end]) return DETENT_LIFETIME;
  return raw_value(desc.regions[tensor.region].kind) == DETENT_REGION_WEIGHTS ? DETENT_WEIGHT_WRITTEN : DETENT_OK;
}

detent_status check_tensor(const detent_desc &desc, const detent_tensor &tensor, const std::uint32_t *position) {
  detent_status status = check_blocks(tensor);
  if (status == DETENT_OK) status = check_shape(tensor);
  if (status == DETENT_OK) status = check_place(desc, tensor);
  if (status == DETENT_OK) status = check_alignment(desc, tensor);
  if (status == DETENT_OK) status = check_lifetime(desc, tensor, position);
  return status;
}

}  // namespace

detent_error check_regions(const detent_desc &desc) {
  for (RegionId region = 0; region < desc.region_count; ++region) {
    const detent_status status = check_region(desc.regions[region]);
    if (status != DETENT_OK) return make_error(status, {.region = region});
  }
  return make_error(DETENT_OK);
}

detent_error check_tensors(const detent_desc &desc, const std::uint32_t *position) {
  for (TensorId tensor = 0; tensor < desc.tensor_count; ++tensor) {
    const detent_status status = check_tensor(desc, desc.tensors[tensor], position);
    if (status != DETENT_OK) return make_error(status, {.tensor = tensor, .region = desc.tensors[tensor].region});
  }
  return make_error(DETENT_OK);
}

}  // namespace detent
