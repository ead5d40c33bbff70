/* Guards: which op an op's guard belongs to, and what its value says. */
#ifndef DETENT_RUNTIME_BASE_GUARDS_H_
#define DETENT_RUNTIME_BASE_GUARDS_H_

#include <detent/desc.h>

#include "runtime/base/freestanding.h"

namespace detent {

inline bool is_guarded(const detent_op &op) { return (op.flags & DETENT_OP_GUARDED) != 0; }

/// The value of its guard in the runs that execute it.
inline std::uint8_t wanted_value(const detent_op &op) { return (op.flags & DETENT_OP_IF_FALSE) != 0 ? 0 : 1; }

/// Of a guarded op with an input: the tensor.
inline std::uint32_t guard_of(const detent_desc &desc, const detent_op &op) {
  return desc.tensor_refs[op.inputs.first + op.inputs.count - 1];
}

/// Can it hold a guard, by its type and shape?
inline bool is_condition(const detent_tensor &tensor) {
  return tensor.dtype == DETENT_BOOL && tensor.block_bytes == 1 && tensor.block_count == 1 &&
         tensor.alias_of == DETENT_NONE && (tensor.flags & DETENT_TENSOR_RANGE) == 0;
}

/// Does it say how large its first output is?
inline bool is_sized(const detent_op &op) { return (op.flags & DETENT_OP_SIZED) != 0; }

inline bool is_fallible(const detent_op &op) { return (op.flags & DETENT_OP_FALLIBLE) != 0; }

/// Outputs that take the place of what another op has written into the same tensors: all but what says its failure.
inline detent_slice replaced_by(const detent_op &op) {
  const bool replaces = (op.flags & DETENT_OP_REPLACES) != 0 && op.outputs.count != 0;
  return {op.outputs.first, replaces ? op.outputs.count - (is_fallible(op) ? 1 : 0) : 0};
}

/// Of an op with an output: the tensor.
inline std::uint32_t last_output(const detent_desc &desc, const detent_op &op) {
  return desc.tensor_refs[op.outputs.first + op.outputs.count - 1];
}

/// Of a sized op: where it says so.
inline std::uint32_t extents_of(const detent_desc &desc, const detent_op &op) {
  return desc.tensor_refs[op.outputs.first + op.outputs.count - (is_fallible(op) ? 2 : 1)];
}

/// May its last output be a guard, by the op's kind and the tensor?
inline bool may_decide(const detent_desc &desc, const detent_op &op) {
  const bool is_written_whole = is_fallible(op) ? op.outputs.count != 0 : op.outputs.count == 1;
  return is_written_whole && is_condition(desc.tensors[last_output(desc, op)]);
}

/// A guarded op that decides about others: it says so when it is not executed.
inline bool decides(const detent_desc &desc, const detent_op &op) { return is_guarded(op) && may_decide(desc, op); }

}  // namespace detent

#endif
