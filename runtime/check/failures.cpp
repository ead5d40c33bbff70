// Fallible ops (B30): nothing reads what one of them may have left half written.
#include "runtime/base/byte_set.h"
#include "runtime/base/guards.h"
#include "runtime/base/ids.h"
#include "runtime/check/internal.h"

namespace detent {
namespace {

/// What it says of its failure may be a guard, and what else it writes are no ranges. Notes those by base: scratch has
/// the last reference of each.
detent_error note_fallible_op(const detent_desc &desc, const std::uint32_t *roots, const UsesWork &work, OpId id) {
  const detent_op &op = desc.ops[id];
  if (!is_fallible(op)) return make_error(DETENT_OK);
  if (!may_decide(desc, op)) return make_error(DETENT_GUARD, {.op = id, .tensor = last_output(desc, op)});
  for (std::uint32_t ref = op.outputs.first; ref < op.outputs.first + op.outputs.count - 1; ++ref) {
    const TensorId tensor = desc.tensor_refs[ref];
    if (is_range(desc.tensors[tensor])) return make_error(DETENT_GUARD, {.op = id, .tensor = tensor});
    work.ref_op[ref] = id;
    work.replacer[ref] = DETENT_NONE;
    work.earlier_ref[ref] = work.scratch[roots[tensor]];
    work.scratch[roots[tensor]] = ref;
    work.is_lasting[desc.tensors[tensor].region] = 1;
  }
  return make_error(DETENT_OK);
}

/// An op that is executed whenever another one has failed, and replaces what that wrote. Notes it there.
detent_error note_replacer(const detent_desc &desc, const std::uint32_t *roots, const UsesWork &work, OpId id) {
  const detent_op &op = desc.ops[id];
  if (!is_guarded(op) || wanted_value(op) != 1) return make_error(DETENT_OK);
  const std::uint32_t failing = work.writer[guard_of(desc, op)];
  return for_each_ref(desc, replaced_by(op), [&](TensorId tensor) {
    std::uint32_t count = 0;
    for (std::uint32_t ref = work.scratch[roots[tensor]]; ref != DETENT_NONE; ref = work.earlier_ref[ref]) {
      if (++count > DETENT_MAX_ALTERNATIVES) return make_error(DETENT_GUARD, {.op = id, .tensor = tensor});
      if (work.ref_op[ref] == failing && desc.tensor_refs[ref] == tensor) work.replacer[ref] = id;
    }
    return make_error(DETENT_OK);
  });
}

/// @param reader  an op, or DETENT_NONE: the application after the run
detent_error check_read(const detent_desc &desc, const std::uint32_t *roots, const UsesWork &work, std::uint32_t reader,
                        TensorId tensor) {
  const std::uint32_t region = desc.tensors[tensor].region;
  if (is_range(desc.tensors[tensor])) {
    const bool may_be_spoiled = work.is_lasting[region] != 0;
    return make_error(may_be_spoiled ? DETENT_GUARD : DETENT_OK, {.op = reader, .tensor = tensor, .region = region});
  }
  std::uint32_t count = 0;
  for (std::uint32_t ref = work.scratch[roots[tensor]]; ref != DETENT_NONE; ref = work.earlier_ref[ref]) {
    if (++count > DETENT_MAX_ALTERNATIVES) return make_error(DETENT_GUARD, {.op = reader, .tensor = tensor});
    const OpId writer = work.ref_op[ref];
    if (!bytes_intersect(desc.tensors[tensor], desc.tensors[desc.tensor_refs[ref]])) continue;
    if (work.replacer[ref] != DETENT_NONE && work.replacer[ref] != reader) continue;
    const bool waits = reader != DETENT_NONE && depends_on(desc, work, reader, last_output(desc, desc.ops[writer]), 0);
    if (!waits) return make_error(DETENT_GUARD, {.op = reader, .other_op = writer, .tensor = tensor});
  }
  return make_error(DETENT_OK);
}

}  // namespace

detent_error check_failures(const detent_desc &desc, const std::uint32_t *roots, const UsesWork &work) {
  for (RegionId region = 0; region < desc.region_count; ++region) work.is_lasting[region] = 0;
  for (TensorId tensor = 0; tensor < desc.tensor_count; ++tensor) work.scratch[tensor] = DETENT_NONE;
  for (OpId op = 0; op < desc.op_count; ++op) {
    const detent_error error = note_fallible_op(desc, roots, work, op);
    if (error.status != DETENT_OK) return error;
  }
  for (OpId op = 0; op < desc.op_count; ++op) {
    const detent_error error = note_replacer(desc, roots, work, op);
    if (error.status != DETENT_OK) return error;
  }
  for (OpId op = 0; op < desc.op_count; ++op) {
    const detent_error error = for_each_ref(desc, desc.ops[op].inputs,
                                            [&](TensorId tensor) { return check_read(desc, roots, work, op, tensor); });
    if (error.status != DETENT_OK) return error;
  }
  for (std::uint32_t i = 0; i < desc.output_count; ++i) {
    const detent_error error = check_read(desc, roots, work, DETENT_NONE, desc.outputs[i]);
    if (error.status != DETENT_OK) return error;
  }
  return make_error(DETENT_OK);
}

}  // namespace detent
