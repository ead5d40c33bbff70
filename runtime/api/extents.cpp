// How large a tensor is: its dims, or what an op has said in the last run.
#include <detent/detent.h>

#include "runtime/base/guards.h"
#include "runtime/base/ids.h"
#include "runtime/engine/engine.h"
#include "runtime/engine/guard.h"

namespace detent {
namespace {

/// Who says how large a tensor is in a run.
struct Sizer {
  std::uint32_t extents;  ///< a tensor; DETENT_NONE: nobody
  bool is_clear;          ///< one tensor of extents, which is there after the run
};

Sizer sizer_of(const detent_desc &desc, TensorId tensor) {
  Sizer found{DETENT_NONE, true};
  for (OpId id = 0; id < desc.op_count; ++id) {
    const detent_op &op = desc.ops[id];
    if (!is_sized(op) || desc.tensor_refs[op.outputs.first] != tensor) continue;
    const TensorId extents = extents_of(desc, op);
    found.is_clear = found.is_clear && (found.extents == DETENT_NONE || found.extents == extents);
    found.extents = extents;
  }
  bool is_output = false;
  for (std::uint32_t i = 0; i < desc.output_count; ++i) is_output = is_output || desc.outputs[i] == found.extents;
  found.is_clear = found.is_clear && (found.extents == DETENT_NONE || is_output);
  return found;
}

detent_status tell_extents(const detent_context &c, TensorId tensor, std::int64_t *extents, std::uint32_t &rank) {
  const detent_desc &desc = *c.graph.desc;
  if (tensor >= desc.tensor_count) return DETENT_INVALID_ARGUMENT;
  const detent_tensor &bound = desc.tensors[tensor];
  const Sizer sizer = sizer_of(desc, tensor);
  if (!sizer.is_clear) return DETENT_UNSUPPORTED;
  rank = bound.rank;
  detent_status status = DETENT_OK;
  for (std::uint32_t i = 0; i < rank; ++i) {
    extents[i] = sizer.extents == DETENT_NONE ? bound.dims[i] : read_extent(detent_tensor_data(&c, sizer.extents), i);
    if (extents[i] > bound.dims[i] && status == DETENT_OK) status = DETENT_INSUFFICIENT_SIZE;
    if (extents[i] < 0) status = DETENT_SHAPE;
  }
  return status;
}

}  // namespace
}  // namespace detent

extern "C" detent_status detent_tensor_extents(const detent_context *context, uint32_t tensor, int64_t *extents,
                                               uint32_t *rank) {
  if (context == nullptr || extents == nullptr || rank == nullptr) return DETENT_INVALID_ARGUMENT;
  return detent::tell_extents(*context, tensor, extents, *rank);
}
