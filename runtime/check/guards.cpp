// Guard checks (B30): type, writer and depth of each guard, and that nothing overwrites what a deciding op says.
#include "runtime/base/guards.h"

#include "runtime/base/ids.h"
#include "runtime/check/internal.h"

namespace detent {
namespace {

/// The op that decides about `op`; DETENT_NONE: the application does.
std::uint32_t decider_of(const detent_desc &desc, const UsesWork &work, OpId op) {
  return work.writer[guard_of(desc, desc.ops[op])];
}

/// Conditions around the op, at most one more than are allowed.
std::uint32_t depth_of(const detent_desc &desc, const UsesWork &work, std::uint32_t op) {
  std::uint32_t depth = 0;
  while (op != DETENT_NONE && is_guarded(desc.ops[op]) && depth <= DETENT_MAX_GUARD_DEPTH) {
    ++depth;
    op = decider_of(desc, work, op);
  }
  return depth;
}

detent_error check_guard(const detent_desc &desc, const UsesWork &work, OpId id) {
  const detent_op &op = desc.ops[id];
  if (!is_guarded(op)) return make_error(DETENT_OK);
  const TensorId guard = guard_of(desc, op);
  const std::uint32_t writer = work.writer[guard];
  const bool is_decided =
      writer == DETENT_NONE || (may_decide(desc, desc.ops[writer]) && last_output(desc, desc.ops[writer]) == guard);
  if (is_condition(desc.tensors[guard]) && is_decided) return make_error(DETENT_OK);
  return make_error(DETENT_GUARD, {.op = id, .other_op = writer, .tensor = guard});
}

/// A condition has one writer, so that an op which is not executed writes nothing that it should not.
detent_error check_deciding_op(const detent_desc &desc, const UsesWork &work, OpId id) {
  if (!decides(desc, desc.ops[id])) return make_error(DETENT_OK);
  const TensorId tensor = last_output(desc, desc.ops[id]);
  const std::uint32_t writer = work.writer[tensor];
  const std::uint32_t last = work.scratch[tensor];
  const bool is_alone = last != DETENT_NONE && work.earlier_ref[last] == DETENT_NONE;
  if (writer == id && is_alone) return make_error(DETENT_OK);
  return make_error(DETENT_GUARD, {.op = id, .other_op = writer, .tensor = tensor});
}

/// What an op works in place on, replaces or takes as scratch changes under those that look at it.
detent_error check_not_rewritten(const detent_desc &desc, const std::uint32_t *roots, const UsesWork &work, OpId id) {
  const detent_op &op = desc.ops[id];
  const auto check = [&](TensorId tensor) {
    const bool is_guard = work.is_guard[roots[tensor]] != 0;
    return make_error(is_guard ? DETENT_GUARD : DETENT_OK, {.op = id, .tensor = tensor});
  };
  detent_error error = for_each_ref(desc, op.scratch, check);
  if (error.status == DETENT_OK && (op.flags & DETENT_OP_IN_PLACE) != 0) error = for_each_ref(desc, op.outputs, check);
  if (error.status == DETENT_OK) error = for_each_ref(desc, replaced_by(op), check);
  return error;
}

detent_error check_lasting_tensor(const detent_desc &desc, const Known &known, OpId id) {
  const TensorId tensor = last_output(desc, desc.ops[id]);
  const detent_tensor &condition = desc.tensors[tensor];
  const bool lasts = condition.live_begin != DETENT_NONE && known.position[condition.live_begin] == 0 &&
                     known.position[condition.live_end] == desc.op_count - 1;
  return make_error(lasts ? DETENT_OK : DETENT_GUARD, {.op = id, .tensor = tensor});
}

/// In a region with such tensors every other one claims when it lives: so none of them shares their bytes (B42).
detent_error check_neighbours(const detent_desc &desc, const Known &known, const UsesWork &work, OpId id) {
  const auto check = [&](TensorId tensor) {
    const detent_tensor &base = desc.tensors[known.roots[tensor]];
    const bool claims = !is_range(desc.tensors[tensor]) && !is_range(base) && base.live_begin != DETENT_NONE;
    const bool is_good = claims || work.is_lasting[base.region] == 0;
    return make_error(is_good ? DETENT_OK : DETENT_GUARD, {.op = id, .tensor = tensor, .region = base.region});
  };
  const detent_op &op = desc.ops[id];
  detent_error error = for_each_ref(desc, op.inputs, check);
  if (error.status == DETENT_OK) error = for_each_ref(desc, op.outputs, check);
  if (error.status == DETENT_OK) error = for_each_ref(desc, op.scratch, check);
  return error;
}

}  // namespace

detent_error check_guards(const detent_desc &desc, const std::uint32_t *roots, const UsesWork &work) {
  for (TensorId tensor = 0; tensor < desc.tensor_count; ++tensor) work.is_guard[tensor] = 0;
  for (OpId op = 0; op < desc.op_count; ++op) {
    detent_error error = check_guard(desc, work, op);
    if (error.status == DETENT_OK) error = check_deciding_op(desc, work, op);
    if (error.status != DETENT_OK) return error;
    if (is_guarded(desc.ops[op])) work.is_guard[guard_of(desc, desc.ops[op])] = 1;
  }
  for (OpId op = 0; op < desc.op_count; ++op) {
    const detent_error error = check_not_rewritten(desc, roots, work, op);
    if (error.status != DETENT_OK) return error;
    if (depth_of(desc, work, op) > DETENT_MAX_GUARD_DEPTH) return make_error(DETENT_GUARD, {.op = op});
  }
  return make_error(DETENT_OK);
}

bool depends_on(const detent_desc &desc, const UsesWork &work, OpId op, TensorId guard, std::uint8_t wanted) {
  std::uint32_t at = op;
  for (std::uint32_t depth = depth_of(desc, work, op); depth > 0; --depth) {
    if (guard_of(desc, desc.ops[at]) == guard) return wanted_value(desc.ops[at]) == wanted;
    at = decider_of(desc, work, at);
  }
  return false;
}

bool exclude_each_other(const detent_desc &desc, const UsesWork &work, OpId a, OpId b) {
  std::uint32_t depth_a = depth_of(desc, work, a);
  std::uint32_t depth_b = depth_of(desc, work, b);
  std::uint32_t at_a = a;
  std::uint32_t at_b = b;
  for (; depth_a > depth_b; --depth_a) at_a = decider_of(desc, work, at_a);
  for (; depth_b > depth_a; --depth_b) at_b = decider_of(desc, work, at_b);
  // Up to the condition that both stand under: they exclude each other where they want other values of it.
  for (; depth_a > 0; --depth_a) {
    if (guard_of(desc, desc.ops[at_a]) == guard_of(desc, desc.ops[at_b])) {
      return wanted_value(desc.ops[at_a]) != wanted_value(desc.ops[at_b]);
    }
    at_a = decider_of(desc, work, at_a);
    at_b = decider_of(desc, work, at_b);
  }
  return false;
}

detent_error check_deciding_ops(const detent_desc &desc, const Known &known, const UsesWork &work) {
  for (RegionId region = 0; region < desc.region_count; ++region) work.is_lasting[region] = 0;
  bool any = false;
  for (OpId op = 0; op < desc.op_count; ++op) {
    if (!decides(desc, desc.ops[op])) continue;
    const detent_error error = check_lasting_tensor(desc, known, op);
    if (error.status != DETENT_OK) return error;
    work.is_lasting[desc.tensors[last_output(desc, desc.ops[op])].region] = 1;
    any = true;
  }
  for (OpId op = 0; any && op < desc.op_count; ++op) {
    const detent_error error = check_neighbours(desc, known, work, op);
    if (error.status != DETENT_OK) return error;
  }
  return make_error(DETENT_OK);
}

}  // namespace detent
