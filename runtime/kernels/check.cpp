// Facts about one tensor, computed without trusting any of its fields.
#include "runtime/kernels/check.h"

#include <detent/op_config.h>

#include "runtime/base/compiler.h"

namespace detent::ops {
namespace {

// a * b, or 0 when the product is 0 or beyond what any tensor may hold.
uint64_t bounded_product(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  if (multiply_overflows(a, b, &product) || product > DETENT_MAX_BYTES) return 0;
  return product;
}

bool blocks_make_extent(const detent_tensor &t) {
  if (t.block_count == 0 || t.block_bytes == 0) return false;
  if (t.block_count == 1) return t.size_bytes == t.block_bytes;
  if (t.stride_bytes < t.block_bytes || t.stride_bytes > DETENT_MAX_BYTES) return false;
  uint64_t extent = 0;
  return !multiply_overflows(t.block_count - 1U, t.stride_bytes, &extent) &&
         !add_overflows(extent, t.block_bytes, &extent) && extent == t.size_bytes;
}

}  // namespace

uint64_t bytes_of_blocks(const detent_tensor &tensor) {
  return blocks_make_extent(tensor) ? bounded_product(tensor.block_count, tensor.block_bytes) : 0;
}

uint64_t logical_elements(const detent_tensor &tensor) {
  if (tensor.rank > DETENT_MAX_RANK) return 0;
  uint64_t elements = 1;
  for (unsigned i = 0; i < tensor.rank; ++i) {
    if (tensor.dims[i] <= 0) return 0;
    elements = bounded_product(elements, static_cast<uint64_t>(tensor.dims[i]));
  }
  return elements;
}

uint64_t stored_elements(const detent_tensor &tensor) {
  const uint64_t elements = logical_elements(tensor);
  if (tensor.layout != DETENT_LAYOUT_C16 || elements == 0) return elements;
  if (tensor.rank != 4 || tensor.dims[0] != 1) return 0;
  const uint64_t channels = static_cast<uint64_t>(tensor.dims[1]);
  return bounded_product(elements / channels, (channels + 15) / 16 * 16);
}

bool is_of(const detent_tensor &tensor, detent_dtype dtype) {
  if (tensor.dtype != dtype || tensor.layout > DETENT_LAYOUT_C16 || !blocks_make_extent(tensor)) return false;
  const uint64_t element_bytes = dtype == DETENT_I8 ? 1 : 4;
  const uint64_t vector_bytes = tensor.layout == DETENT_LAYOUT_C16 ? 16 * element_bytes : element_bytes;
  if (tensor.block_bytes % vector_bytes != 0 || tensor.stride_bytes % element_bytes != 0) return false;
  const uint64_t bytes = bounded_product(stored_elements(tensor), element_bytes);
  return bytes != 0 && bounded_product(tensor.block_count, tensor.block_bytes) == bytes;
}

bool is_c16(const detent_tensor &tensor, int64_t channels, int64_t h, int64_t w, detent_dtype dtype) {
  if (tensor.layout != DETENT_LAYOUT_C16 || !is_of(tensor, dtype)) return false;
  if (tensor.dims[1] != channels || tensor.dims[2] != h || tensor.dims[3] != w) return false;
  return tensor.block_count == 1 || tensor.block_count == (channels + 15) / 16;
}

bool is_dense(const detent_tensor &tensor, uint64_t elements, detent_dtype dtype) {
  return tensor.layout == DETENT_LAYOUT_PLAIN && is_of(tensor, dtype) && tensor.block_count == 1 &&
         stored_elements(tensor) == elements;
}

bool is_rows(const detent_tensor &tensor, uint64_t rows, uint64_t columns, detent_dtype dtype) {
  const uint64_t row_bytes = bounded_product(columns, dtype == DETENT_I8 ? 1 : 4);
  return tensor.layout == DETENT_LAYOUT_PLAIN && row_bytes != 0 && is_of(tensor, dtype) &&
         stored_elements(tensor) == bounded_product(rows, columns) && tensor.block_bytes % row_bytes == 0;
}

bool is_matrix(const detent_tensor &tensor, uint64_t rows, uint64_t columns, detent_dtype dtype) {
  return is_rows(tensor, rows, columns, dtype) && (tensor.block_count == 1 || tensor.block_count == rows);
}

bool has_counts(const detent_kernel_args &args, uint32_t inputs, uint32_t outputs, uint32_t weights) {
  return args.input_count == inputs && args.output_count == outputs && args.weight_count == weights;
}

bool is_activation(int32_t activation) { return activation >= DETENT_ACT_NONE && activation <= DETENT_ACT_SIGMOID; }

bool is_range_of_i8(int32_t low, int32_t high) { return low >= -128 && low <= high && high <= 127; }

bool requantises(const detent_requantisation &result, const detent_kernel_args &args, uint64_t channels) {
  if (result.shift < 1 || result.shift > 62 || !is_range_of_i8(result.low, result.high)) return false;
  if (result.has_table != 0 && result.has_table != 1) return false;
  if (args.weight_count != (result.has_table != 0 ? 4U : 3U)) return false;
  if (!is_dense(*args.weights[1].tensor, channels, DETENT_I32)) return false;
  if (!is_dense(*args.weights[2].tensor, channels, DETENT_I32)) return false;
  return result.has_table == 0 || is_dense(*args.weights[3].tensor, 256, DETENT_I8);
}

}  // namespace detent::ops
