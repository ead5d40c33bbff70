// Table checks: counts, pointers, slices and indices. After them, following any index of the Desc is safe.
#include "runtime/base/guards.h"
#include "runtime/base/ids.h"
#include "runtime/check/internal.h"

namespace detent {
namespace {

/// A table of `count` entries needs a pointer.
bool is_missing(const void *table, std::uint32_t count) { return table == nullptr && count != 0; }

detent_error check_pointers(const detent_desc &desc) {
  const bool missing =
      is_missing(desc.regions, desc.region_count) || is_missing(desc.tensors, desc.tensor_count) ||
      is_missing(desc.ops, desc.op_count) || is_missing(desc.tensor_refs, desc.tensor_ref_count) ||
      is_missing(desc.successors, desc.successor_count) || is_missing(desc.mutex_refs, desc.mutex_ref_count) ||
      is_missing(desc.kernels, desc.kernel_count) || is_missing(desc.classes, desc.class_count) ||
      is_missing(desc.config_bytes, desc.config_byte_count) || is_missing(desc.inputs, desc.input_count) ||
      is_missing(desc.outputs, desc.output_count) || is_missing(desc.schedules, desc.schedule_count);
  return make_error(missing ? DETENT_INVALID_ARGUMENT : DETENT_OK);
}

detent_error check_counts(const detent_desc &desc) {
  const bool too_many = desc.op_count > DETENT_MAX_OPS || desc.region_count > DETENT_MAX_REGIONS ||
                        desc.class_count > DETENT_MAX_CLASSES || desc.tensor_count == DETENT_NONE;
  if (too_many) return make_error(DETENT_TABLE_RANGE);
  if (desc.op_count == 0) return make_error(DETENT_NO_ENTRY);
  const bool aligned = reinterpret_cast<std::uintptr_t>(desc.config_bytes) % 8 == 0;
  return make_error(aligned ? DETENT_OK : DETENT_ALIGNMENT);
}

detent_error check_names(const detent_desc &desc) {
  for (std::uint32_t i = 0; i < desc.kernel_count; ++i) {
    if (desc.kernels[i] == nullptr) return make_error(DETENT_INVALID_ARGUMENT);
  }
  for (std::uint32_t i = 0; i < desc.class_count; ++i) {
    const bool known = raw_value(desc.classes[i].kind) <= DETENT_CLASS_ASYNC;
    if (desc.classes[i].name == nullptr || !known) return make_error(DETENT_INVALID_ARGUMENT);
  }
  return make_error(DETENT_OK);
}

detent_error check_indices_below(const std::uint32_t *table, std::uint32_t count, std::uint32_t limit) {
  for (std::uint32_t i = 0; i < count; ++i) {
    if (table[i] >= limit) return make_error(DETENT_TABLE_RANGE);
  }
  return make_error(DETENT_OK);
}

detent_error check_tensor_indices(const detent_desc &desc) {
  for (std::uint32_t i = 0; i < desc.tensor_count; ++i) {
    const detent_tensor &tensor = desc.tensors[i];
    const bool alias_ok = tensor.alias_of == DETENT_NONE || tensor.alias_of < desc.tensor_count;
    if (tensor.region >= desc.region_count || !alias_ok) return make_error(DETENT_TABLE_RANGE, {.tensor = i});
  }
  return make_error(DETENT_OK);
}

bool op_slices_in_tables(const detent_desc &desc, const detent_op &op) {
  const detent_slice slices[] = {op.inputs, op.outputs, op.weights, op.scratch};
  for (const detent_slice &slice : slices) {
    if (!slice_in_table(slice, desc.tensor_ref_count)) return false;
  }
  return slice_in_table(op.successors, desc.successor_count) && slice_in_table(op.mutexes, desc.mutex_ref_count) &&
         slice_in_table({op.config_offset, op.config_size}, desc.config_byte_count) && op.config_offset % 8 == 0;
}

/// B28.
bool has_too_many_tensors(const detent_op &op) {
  const detent_slice slices[] = {op.inputs, op.outputs, op.weights, op.scratch};
  for (const detent_slice &slice : slices) {
    if (slice.count > DETENT_MAX_OP_TENSORS) return true;
  }
  return false;
}

/// A DELAY op computes nothing, so it has nothing to compute on.
bool is_delay_with_tensors(const detent_op &op) {
  return (op.flags & DETENT_OP_DELAY) != 0 &&
         (op.inputs.count | op.outputs.count | op.weights.count | op.scratch.count) != 0;
}

/// A guard is an input, what a fallible op says of its failure an output, and a delay has neither.
detent_status check_flags(const detent_op &op) {
  constexpr std::uint32_t kAll = DETENT_OP_DELAY | DETENT_OP_IN_PLACE | DETENT_OP_GUARDED | DETENT_OP_IF_FALSE |
                                 DETENT_OP_FALLIBLE | DETENT_OP_REPLACES | DETENT_OP_SIZED;
  if ((op.flags & ~kAll) != 0) return DETENT_INVALID_ARGUMENT;
  if (is_sized(op) && op.outputs.count < (is_fallible(op) ? 3U : 2U)) return DETENT_SHAPE;
  if (is_fallible(op) && (op.outputs.count == 0 || (op.flags & DETENT_OP_IN_PLACE) != 0)) return DETENT_GUARD;
  if (!is_guarded(op)) return (op.flags & DETENT_OP_IF_FALSE) == 0 ? DETENT_OK : DETENT_GUARD;
  return op.inputs.count > 0 ? DETENT_OK : DETENT_GUARD;
}

detent_status check_op(const detent_desc &desc, std::uint32_t index) {
  const detent_op &op = desc.ops[index];
  if (op.id != index) return DETENT_OP_ID;
  if (!op_slices_in_tables(desc, op)) return DETENT_TABLE_RANGE;
  if (has_too_many_tensors(op)) return DETENT_TOO_MANY_TENSORS;
  if (op.kernel >= desc.kernel_count || op.core_class >= desc.class_count) return DETENT_UNKNOWN_KERNEL;
  if (is_delay_with_tensors(op)) return DETENT_SHAPE;
  return check_flags(op);
}

}  // namespace

detent_error check_tables(const detent_desc &desc) {
  detent_error error = check_pointers(desc);
  if (error.status == DETENT_OK) error = check_counts(desc);
  if (error.status == DETENT_OK) error = check_names(desc);
  if (error.status == DETENT_OK) error = check_tensor_indices(desc);
  const std::uint32_t tensors = desc.tensor_count;
  if (error.status == DETENT_OK) error = check_indices_below(desc.tensor_refs, desc.tensor_ref_count, tensors);
  if (error.status == DETENT_OK) error = check_indices_below(desc.inputs, desc.input_count, tensors);
  if (error.status == DETENT_OK) error = check_indices_below(desc.outputs, desc.output_count, tensors);
  if (error.status == DETENT_OK) error = check_indices_below(desc.mutex_refs, desc.mutex_ref_count, desc.mutex_count);
  return error;
}

detent_error check_op_tables(const detent_desc &desc) {
  for (OpId op = 0; op < desc.op_count; ++op) {
    const detent_status status = check_op(desc, op);
    if (status != DETENT_OK) return make_error(status, {.op = op});
  }
  return make_error(DETENT_OK);
}

}  // namespace detent
