// When two tensors hold the same elements.
#include "runtime/ops/elementwise.h"

#include "runtime/ops/check.h"

namespace detent::ops {

bool same_elements(const detent_tensor &a, const detent_tensor &b) {
  if (!is_f32(a) || !is_f32(b) || a.layout != b.layout) return false;
  if (a.layout == DETENT_LAYOUT_PLAIN) return logical_elements(a) == logical_elements(b);
  return a.dims[1] == b.dims[1] && a.dims[2] == b.dims[2] && a.dims[3] == b.dims[3];
}

bool counts_elements(const detent_tensor &tensor, uint64_t elements) {
  return elements != 0 && (elements == logical_elements(tensor) || elements == stored_elements(tensor));
}

}  // namespace detent::ops
