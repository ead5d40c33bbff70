// Use checks: what ops read and write. One producer for each byte that is read (B27), outputs written (B31), nothing
// writes weights or inputs (B46), no undeclared work in place (B45).
#include "runtime/base/byte_set.h"
#include "runtime/base/guards.h"
#include "runtime/base/ids.h"
#include "runtime/base/sort.h"
#include "runtime/check/internal.h"

namespace detent {
namespace {

/// The tables have not been looked at where work memory is measured.
bool has_control_flow(const detent_desc &desc) {
  for (std::uint32_t op = 0; desc.ops != nullptr && op < desc.op_count; ++op) {
    if (is_guarded(desc.ops[op]) || is_fallible(desc.ops[op])) return true;
  }
  return false;
}

enum : std::uint8_t {
  kExternal = 1,    ///< of a root: the application or the linker provides the bytes
  kFull = 2,        ///< of a root: its writers together write every byte of it
  kRewritten = 4,   ///< written, as far as was seen, by ops alone that replace what others have produced
  kReadChecked = 8  ///< a read of this tensor has been found good
};

std::uint32_t kind_of(const detent_desc &desc, TensorId tensor) {
  return raw_value(desc.regions[desc.tensors[tensor].region].kind);
}

bool share_bytes(const detent_desc &desc, std::uint32_t a, std::uint32_t b) {
  if (is_range(desc.tensors[a]) || is_range(desc.tensors[b])) return false;
  return bytes_intersect(desc.tensors[a], desc.tensors[b]);
}

// --- roles

detent_error check_written_region(const detent_desc &desc, OpId op, TensorId tensor) {
  const std::uint32_t kind = kind_of(desc, tensor);
  const Place place{.op = op, .tensor = tensor, .region = desc.tensors[tensor].region};
  if (kind == DETENT_REGION_WEIGHTS) return make_error(DETENT_WEIGHT_WRITTEN, place);
  if (kind == DETENT_REGION_INPUT) return make_error(DETENT_PRODUCER, place);
  return make_error(DETENT_OK);
}

detent_error check_weight_region(const detent_desc &desc, OpId op, TensorId tensor) {
  if (kind_of(desc, tensor) == DETENT_REGION_WEIGHTS) return make_error(DETENT_OK);
  return make_error(DETENT_WEIGHT_WRITTEN, {.op = op, .tensor = tensor, .region = desc.tensors[tensor].region});
}

/// What says how large another tensor is (DETENT_OP_SIZED) is as the engine reads it.
detent_error check_extents(const detent_desc &desc, OpId id) {
  const detent_op &op = desc.ops[id];
  if (!is_sized(op)) return make_error(DETENT_OK);
  const TensorId first = desc.tensor_refs[op.outputs.first], said = extents_of(desc, op);
  const detent_tensor &extents = desc.tensors[said];
  const std::uint32_t rank = desc.tensors[first].rank;
  const bool is_vector = extents.dtype == DETENT_I64 && extents.layout == DETENT_LAYOUT_PLAIN &&
                         extents.block_count == 1 && extents.rank == 1 && extents.alias_of == DETENT_NONE &&
                         !is_range(extents);
  const bool fits = is_vector && rank != 0 && extents.dims[0] == static_cast<std::int32_t>(rank);
  return make_error(fits ? DETENT_OK : DETENT_SHAPE, {.op = id, .tensor = said, .other_tensor = first});
}

detent_error check_roles_of(const detent_desc &desc, std::uint32_t id) {
  const detent_op &op = desc.ops[id];
  const auto written = [&](TensorId tensor) { return check_written_region(desc, id, tensor); };
  detent_error error = check_extents(desc, id);
  if (error.status == DETENT_OK) error = for_each_ref(desc, op.outputs, written);
  if (error.status == DETENT_OK) error = for_each_ref(desc, op.scratch, written);
  if (error.status != DETENT_OK) return error;
  return for_each_ref(desc, op.weights, [&](TensorId tensor) { return check_weight_region(desc, id, tensor); });
}

// --- producers

bool reads_root(const detent_desc &desc, const std::uint32_t *roots, const detent_op &op, std::uint32_t root) {
  for (std::uint32_t i = 0; i < op.inputs.count; ++i) {
    if (roots[desc.tensor_refs[op.inputs.first + i]] == root) return true;
  }
  return false;
}

void mark_external(const detent_desc &desc, const std::uint32_t *roots, const UsesWork &work) {
  for (TensorId tensor = 0; tensor < desc.tensor_count; ++tensor) {
    const std::uint32_t kind = kind_of(desc, tensor);
    const bool external = kind == DETENT_REGION_INPUT || kind == DETENT_REGION_WEIGHTS;
    work.state[tensor] = external ? kExternal : 0;
    work.writer[tensor] = DETENT_NONE;
    work.group[tensor] = DETENT_NONE;
  }
  for (std::uint32_t i = 0; i < desc.input_count; ++i) work.state[roots[desc.inputs[i]]] |= kExternal;
}

/// Of one tensor, so far; `ref` is the last reference that writes it.
void add_alternative(const UsesWork &work, OpId op, TensorId tensor, std::uint32_t ref) {
  work.ref_op[ref] = op;
  work.earlier_ref[ref] = work.scratch[tensor];
  work.scratch[tensor] = ref;
}

/// An op that works in place replaces a version of its input, and one that says so what another op wrote: that is no
/// second production. Nor may two guarded ops be one; check_alternatives says.
detent_error add_writer(const detent_desc &desc, const std::uint32_t *roots, const UsesWork &work, OpId op,
                        std::uint32_t ref) {
  const TensorId tensor = desc.tensor_refs[ref];
  if (is_range(desc.tensors[tensor])) return make_error(DETENT_OK);
  const std::uint32_t root = roots[tensor];
  const bool in_place = (desc.ops[op].flags & DETENT_OP_IN_PLACE) != 0 && reads_root(desc, roots, desc.ops[op], root);
  const detent_slice replaced = replaced_by(desc.ops[op]);
  const bool is_new = !in_place && ref >= replaced.first + replaced.count;
  const std::uint32_t other = work.writer[tensor];
  const bool both_guarded = other != DETENT_NONE && is_guarded(desc.ops[op]) && is_guarded(desc.ops[other]);
  const bool is_produced = other != DETENT_NONE && (work.state[tensor] & kRewritten) == 0;
  if (is_new && is_guarded(desc.ops[op])) add_alternative(work, op, tensor, ref);
  const bool is_second = (is_produced && !both_guarded) || (work.state[root] & kExternal) != 0;
  if (is_new && is_second) {
    return make_error(DETENT_PRODUCER, {.op = op, .other_op = other, .tensor = tensor});
  }
  if (other == DETENT_NONE || (is_new && !is_produced)) {
    work.writer[tensor] = op;
    work.state[tensor] &= static_cast<std::uint8_t>(~kRewritten);
    if (!is_new) work.state[tensor] |= kRewritten;
  }
  return make_error(DETENT_OK);
}

/// Another op writes what this one replaces.
detent_error check_replaced(const detent_desc &desc, const UsesWork &work, OpId op) {
  return for_each_ref(desc, replaced_by(desc.ops[op]), [&](TensorId tensor) {
    const bool is_alone = !is_range(desc.tensors[tensor]) && work.writer[tensor] == op;
    return make_error(is_alone ? DETENT_PRODUCER : DETENT_OK, {.op = op, .tensor = tensor});
  });
}

detent_error collect_writers(const detent_desc &desc, const std::uint32_t *roots, const UsesWork &work) {
  for (TensorId tensor = 0; tensor < desc.tensor_count; ++tensor) work.scratch[tensor] = DETENT_NONE;
  for (OpId op = 0; op < desc.op_count; ++op) {
    const detent_slice outputs = desc.ops[op].outputs;
    for (std::uint32_t ref = outputs.first; ref < outputs.first + outputs.count; ++ref) {
      const detent_error error = add_writer(desc, roots, work, op, ref);
      if (error.status != DETENT_OK) return error;
    }
  }
  for (OpId op = 0; op < desc.op_count; ++op) {
    const detent_error error = check_replaced(desc, work, op);
    if (error.status != DETENT_OK) return error;
  }
  return make_error(DETENT_OK);
}

/// All guarded ops that write `tensor`: no run executes two of them.
detent_error check_alternatives_of(const detent_desc &desc, const UsesWork &work, TensorId tensor) {
  std::uint32_t count = 0;
  for (std::uint32_t ref = work.scratch[tensor]; ref != DETENT_NONE; ref = work.earlier_ref[ref]) {
    if (++count > DETENT_MAX_ALTERNATIVES) return make_error(DETENT_PRODUCER, {.tensor = tensor});
    for (std::uint32_t other = work.earlier_ref[ref]; other != DETENT_NONE; other = work.earlier_ref[other]) {
      if (exclude_each_other(desc, work, work.ref_op[ref], work.ref_op[other])) continue;
      return make_error(DETENT_PRODUCER, {.op = work.ref_op[ref], .other_op = work.ref_op[other], .tensor = tensor});
    }
  }
  return make_error(DETENT_OK);
}

detent_error check_alternatives(const detent_desc &desc, const UsesWork &work) {
  for (TensorId tensor = 0; tensor < desc.tensor_count; ++tensor) {
    const detent_error error = check_alternatives_of(desc, work, tensor);
    if (error.status != DETENT_OK) return error;
  }
  return make_error(DETENT_OK);
}

void sort_written(const detent_desc &desc, const std::uint32_t *roots, UsesWork &work) {
  work.written_count = 0;
  for (TensorId tensor = 0; tensor < desc.tensor_count; ++tensor) {
    const bool produced = work.writer[tensor] != DETENT_NONE && (work.state[tensor] & kRewritten) == 0;
    if (produced) work.written[work.written_count++] = tensor;
  }
  radix_sort_ids(work.written, work.scratch, work.written_count,
                 [&desc](TensorId tensor) { return desc.tensors[tensor].offset_bytes; });
  radix_sort_ids(work.written, work.scratch, work.written_count,
                 [roots](TensorId tensor) { return std::uint64_t{roots[tensor]}; });
}

/// Compares one written tensor with those before it whose extent is not over, kept in scratch[0, active).
detent_error check_against_earlier(const detent_desc &desc, const UsesWork &work, TensorId tensor,
                                   std::uint32_t &active) {
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < active; ++i) {
    const std::uint32_t other = work.scratch[i];
    if (end_of(desc.tensors[other]) <= desc.tensors[tensor].offset_bytes) continue;
    if (bytes_intersect(desc.tensors[tensor], desc.tensors[other])) {
      return make_error(
          DETENT_PRODUCER,
          {.op = work.writer[other], .other_op = work.writer[tensor], .tensor = other, .other_tensor = tensor});
    }
    work.scratch[kept++] = other;
  }
  work.scratch[kept] = tensor;
  active = kept + 1;
  return make_error(DETENT_OK);
}

/// The tensors written under each root are disjoint. Notes where each root's group begins and whether it is full.
detent_error check_unordered_writes_disjoint(const detent_desc &desc, const std::uint32_t *roots,
                                             const UsesWork &work) {
  std::uint32_t active = 0;
  std::uint64_t bytes = 0;
  for (std::uint32_t i = 0; i < work.written_count; ++i) {
    const TensorId tensor = work.written[i];
    const std::uint32_t root = roots[tensor];
    if (work.group[root] == DETENT_NONE) {
      work.group[root] = i;
      active = 0;
      bytes = 0;
    }
    const detent_error error = check_against_earlier(desc, work, tensor, active);
    if (error.status != DETENT_OK) return error;
    bytes += byte_count(desc.tensors[tensor]);
    if (bytes >= byte_count(desc.tensors[root])) work.state[root] |= kFull;
  }
  return make_error(DETENT_OK);
}

/// Is there a producer for what a read of `tensor` reads?
bool is_produced(const detent_desc &desc, const std::uint32_t *roots, const UsesWork &work, TensorId tensor) {
  const std::uint32_t root = roots[tensor];
  if (work.writer[tensor] != DETENT_NONE || (work.state[root] & (kExternal | kFull)) != 0) return true;
  if (tensor == root || work.group[root] == DETENT_NONE) return false;
  for (std::uint32_t i = work.group[root]; i < work.written_count && roots[work.written[i]] == root; ++i) {
    if (bytes_intersect(desc.tensors[tensor], desc.tensors[work.written[i]])) return true;
  }
  return false;
}

detent_error check_reads(const detent_desc &desc, const std::uint32_t *roots, const UsesWork &work) {
  for (OpId op = 0; op < desc.op_count; ++op) {
    const detent_error error = for_each_ref(desc, desc.ops[op].inputs, [&](TensorId tensor) {
      if (is_range(desc.tensors[tensor]) || (work.state[tensor] & kReadChecked) != 0) return make_error(DETENT_OK);
      work.state[tensor] |= kReadChecked;
      const bool produced = is_produced(desc, roots, work, tensor);
      return make_error(produced ? DETENT_OK : DETENT_PRODUCER, {.op = op, .tensor = tensor});
    });
    if (error.status != DETENT_OK) return error;
  }
  return make_error(DETENT_OK);
}

detent_error check_outputs_written(const detent_desc &desc, const std::uint32_t *roots, const UsesWork &work) {
  for (std::uint32_t i = 0; i < desc.output_count; ++i) {
    const TensorId tensor = desc.outputs[i];
    if (is_range(desc.tensors[tensor])) continue;
    const bool external = (work.state[roots[tensor]] & kExternal) != 0;
    if (external || !is_produced(desc, roots, work, tensor)) {
      return make_error(DETENT_OUTPUT_UNWRITTEN, {.tensor = tensor, .region = desc.tensors[tensor].region});
    }
  }
  return make_error(DETENT_OK);
}

// --- in place

/// First tensor of `slice` that shares bytes with `tensor`, or DETENT_NONE.
std::uint32_t find_sharing(const detent_desc &desc, detent_slice slice, TensorId tensor) {
  for (std::uint32_t i = 0; i < slice.count; ++i) {
    const std::uint32_t other = desc.tensor_refs[slice.first + i];
    if (share_bytes(desc, tensor, other)) return other;
  }
  return DETENT_NONE;
}

/// Scratch is this op's alone while it runs: nothing else it touches may share a byte with it.
detent_error check_scratch_disjoint(const detent_desc &desc, std::uint32_t id) {
  const detent_op &op = desc.ops[id];
  for (std::uint32_t i = 0; i < op.scratch.count; ++i) {
    const TensorId tensor = desc.tensor_refs[op.scratch.first + i];
    const detent_slice others[] = {op.inputs, op.outputs, {op.scratch.first, i}};
    for (const detent_slice &slice : others) {
      const std::uint32_t other = find_sharing(desc, slice, tensor);
      if (other != DETENT_NONE) {
        return make_error(DETENT_OVERLAP, {.op = id, .tensor = tensor, .other_tensor = other});
      }
    }
  }
  return make_error(DETENT_OK);
}

detent_error check_outputs_apart_from_inputs(const detent_desc &desc, std::uint32_t id) {
  const detent_op &op = desc.ops[id];
  if ((op.flags & DETENT_OP_IN_PLACE) != 0) return make_error(DETENT_OK);
  return for_each_ref(desc, op.outputs, [&](TensorId tensor) {
    const std::uint32_t other = find_sharing(desc, op.inputs, tensor);
    if (other == DETENT_NONE) return make_error(DETENT_OK);
    return make_error(DETENT_IN_PLACE, {.op = id, .tensor = tensor, .other_tensor = other});
  });
}

}  // namespace

UsesWork take_uses_work(Arena &arena, const detent_desc &desc) {
  UsesWork work{};
  work.writer = arena.take_array<std::uint32_t>(desc.tensor_count);
  work.written = arena.take_array<std::uint32_t>(desc.tensor_count);
  work.scratch = arena.take_array<std::uint32_t>(desc.tensor_count);
  work.group = arena.take_array<std::uint32_t>(desc.tensor_count);
  work.state = arena.take_array<std::uint8_t>(desc.tensor_count);
  work.is_lasting = arena.take_array<std::uint8_t>(desc.region_count);
  if (!has_control_flow(desc)) return work;
  work.earlier_ref = arena.take_array<std::uint32_t>(desc.tensor_ref_count);
  work.ref_op = arena.take_array<std::uint32_t>(desc.tensor_ref_count);
  work.replacer = arena.take_array<std::uint32_t>(desc.tensor_ref_count);
  work.is_guard = arena.take_array<std::uint8_t>(desc.tensor_count);
  return work;
}

detent_error check_roles(const detent_desc &desc) {
  for (OpId op = 0; op < desc.op_count; ++op) {
    const detent_error error = check_roles_of(desc, op);
    if (error.status != DETENT_OK) return error;
  }
  return make_error(DETENT_OK);
}

detent_error check_producers(const detent_desc &desc, const std::uint32_t *roots, UsesWork &work) {
  mark_external(desc, roots, work);
  detent_error error = collect_writers(desc, roots, work);
  if (error.status == DETENT_OK && has_control_flow(desc)) {
    error = check_guards(desc, roots, work);
    if (error.status == DETENT_OK) error = check_alternatives(desc, work);
    if (error.status == DETENT_OK) error = check_failures(desc, roots, work);
  }
  if (error.status != DETENT_OK) return error;
  sort_written(desc, roots, work);
  error = check_unordered_writes_disjoint(desc, roots, work);
  if (error.status == DETENT_OK) error = check_reads(desc, roots, work);
  if (error.status == DETENT_OK) error = check_outputs_written(desc, roots, work);
  return error;
}

detent_error check_in_place(const detent_desc &desc) {
  for (OpId op = 0; op < desc.op_count; ++op) {
    detent_error error = check_outputs_apart_from_inputs(desc, op);
    if (error.status == DETENT_OK) error = check_scratch_disjoint(desc, op);
    if (error.status != DETENT_OK) return error;
  }
  return make_error(DETENT_OK);
}

}  // namespace detent
