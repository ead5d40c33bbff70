// "copy_blocks" and "copy_f32": the same elements in the same order, from one set of blocks into another.

#include <detent/op_config.h>

#include "runtime/base/freestanding.h"
#include "runtime/kernels/check.h"
#include "runtime/kernels/elementwise.h"
#include "runtime/kernels/kernels.h"

namespace detent::ops {

detent_status check_copy_f32(const detent_kernel_args *args) {
  if (!has_counts(*args, 1, 1, 0)) return DETENT_SHAPE;
  const auto *config = config_of<detent_elementwise_config>(*args);
  if (config == nullptr || config->activation != DETENT_ACT_NONE) return DETENT_SHAPE;
  const detent_tensor &x = *args->inputs[0].tensor;
  const detent_tensor &y = *args->outputs[0].tensor;
  return same_elements(x, y) && counts_elements(y, config->elements) ? DETENT_OK : DETENT_SHAPE;
}

detent_status check_copy_blocks(const detent_kernel_args *args) {
  if (!has_counts(*args, 1, 1, 0) || args->scratch_count != 0 || args->config_size != 0) return DETENT_SHAPE;
  const detent_tensor &x = *args->inputs[0].tensor;
  const detent_tensor &y = *args->outputs[0].tensor;
  if (x.dtype != y.dtype || x.layout != y.layout || x.rank != y.rank || x.rank > DETENT_MAX_RANK) return DETENT_SHAPE;
  for (unsigned i = 0; i < x.rank; ++i) {
    if (x.dims[i] != y.dims[i]) return DETENT_SHAPE;
  }
  const uint64_t bytes = bytes_of_blocks(x);
  return bytes != 0 && bytes == bytes_of_blocks(y) ? DETENT_OK : DETENT_SHAPE;
}

int32_t run_copy_blocks(const detent_kernel_args *args) { return run_copy_f32(args); }

int32_t run_copy_f32(const detent_kernel_args *args) {
  BlockCursor x(args->inputs[0]);
  BlockCursor y(args->outputs[0]);
  while (!y.done()) {
    const uint64_t bytes = x.left() < y.left() ? x.left() : y.left();
    memmove(y.at(), x.at(), static_cast<size_t>(bytes));
    x.advance(bytes);
    y.advance(bytes);
  }
  return 0;
}

}  // namespace detent::ops
