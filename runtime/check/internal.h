/* The phases of check_desc. Each takes what the phases before it have established and reports the first broken law. */
#ifndef DETENT_RUNTIME_CHECK_INTERNAL_H_
#define DETENT_RUNTIME_CHECK_INTERNAL_H_

#include <detent/desc.h>

#include "runtime/base/arena.h"
#include "runtime/base/error.h"
#include "runtime/base/freestanding.h"
#include "runtime/base/ids.h"

namespace detent {

/// An enumerator as the number that really stands in the table; reading it as its type could be undefined.
template <typename Enum>
std::uint32_t raw_value(const Enum &value) {
  static_assert(sizeof(Enum) == sizeof(std::uint32_t));
  std::uint32_t raw = 0;
  memcpy(&raw, &value, sizeof raw);
  return raw;
}

inline bool slice_in_table(detent_slice slice, std::uint32_t table_count) {
  return slice.first <= table_count && slice.count <= table_count - slice.first;
}

inline bool is_range(const detent_tensor &tensor) { return (tensor.flags & DETENT_TENSOR_RANGE) != 0; }

/// Calls visit(tensor index) for each reference of a slice until it returns an error; returns that, or OK.
template <typename Visit>
detent_error for_each_ref(const detent_desc &desc, detent_slice slice, const Visit &visit) {
  for (std::uint32_t i = 0; i < slice.count; ++i) {
    const detent_error error = visit(desc.tensor_refs[slice.first + i]);
    if (error.status != DETENT_OK) return error;
  }
  return make_error(DETENT_OK);
}

/// What later phases take from earlier ones.
struct Known {
  std::uint32_t *roots;     ///< [tensor_count] the tensor at the end of each chain of views
  std::uint32_t *position;  ///< [op_count] in the serial order
};

// --- B09, B26, B28, B29: every slice and index stays inside its table. Nothing else may be read before this passes.
detent_error check_tables(const detent_desc &desc);
detent_error check_op_tables(const detent_desc &desc);

// B20 to B25
struct GraphWork {
  std::uint32_t *indegree;  ///< [op_count]
  std::uint32_t *order;     ///< [op_count] ids, as each check needs them
  std::uint32_t *next;      ///< [op_count] next op of the same static list; null without schedules
};
GraphWork take_graph_work(Arena &arena, const detent_desc &desc);
detent_error check_edges(const detent_desc &desc);
/// position[op] = its place in the serial order: topological, lowest id first. [op_count], filled here.
detent_error check_order(const detent_desc &desc, const GraphWork &work, std::uint32_t *position);
detent_error check_schedules(const detent_desc &desc, const GraphWork &work);

// B32, B40, B41, B46 to B49: each region and tensor by itself
detent_error check_regions(const detent_desc &desc);
detent_error check_tensors(const detent_desc &desc, const std::uint32_t *position);

// B43, B44: views
/// roots[tensor] = the tensor at the end of its alias chain. [tensor_count], filled here.
detent_error check_aliases(const detent_desc &desc, std::uint32_t *roots);

// B42
struct OverlapWork {
  const std::uint32_t *position;  ///< [op_count] in the serial order
  std::uint8_t *application;      ///< [tensor_count] of a root: bits, does the application write it, read it?
  std::uint32_t *by_offset;       ///< [tensor_count]
  std::uint32_t *by_begin;        ///< [tensor_count]
  std::uint32_t *leaf_of;         ///< [tensor_count]
  std::uint32_t *tree;            ///< [2 * leaf_count]: maximum of live_end + 1 below each node; 0 = inactive
  std::uint32_t leaf_count;       ///< power of two >= tensor_count
};
OverlapWork take_overlap_work(Arena &arena, const detent_desc &desc, const std::uint32_t *position);
detent_error check_live_tensors_disjoint(const detent_desc &desc, const std::uint32_t *roots, const OverlapWork &work);
/// B49: no op uses a tensor, or a view of it, before its claimed lifetime begins or after it ends.
detent_error check_uses_within_lifetimes(const detent_desc &desc, const std::uint32_t *roots,
                                         const std::uint32_t *position);

// B27, B31, B45, B46: what ops do with tensors
struct UsesWork {
  std::uint32_t *writer;   ///< [tensor_count] op that writes exactly this tensor, or DETENT_NONE
  std::uint32_t *written;  ///< [tensor_count] written tensors by (root, offset)
  std::uint32_t *scratch;  ///< [tensor_count]
  std::uint32_t *group;    ///< [tensor_count] of a root: first position in `written`; DETENT_NONE: no writer
  std::uint8_t *state;     ///< [tensor_count] bits of the uses check
  /// Of a Desc with control flow, by reference: the reference before it that writes the same tensor (check_failures:
  /// into the same base), or DETENT_NONE.
  std::uint32_t *earlier_ref;  ///< [tensor_ref_count]
  std::uint32_t *ref_op;       ///< [tensor_ref_count] the op whose output it is
  std::uint32_t *replacer;     ///< [tensor_ref_count] check_failures: who replaces it after a failure, or DETENT_NONE
  std::uint8_t *is_guard;      ///< [tensor_count]
  std::uint8_t *is_lasting;    ///< [region_count] a deciding op writes into it; check_failures: a fallible op
  std::uint32_t written_count;
};
UsesWork take_uses_work(Arena &arena, const detent_desc &desc);
detent_error check_roles(const detent_desc &desc);
detent_error check_producers(const detent_desc &desc, const std::uint32_t *roots, UsesWork &work);
detent_error check_in_place(const detent_desc &desc);

// B30: guards and fallible ops
/// Each guard by itself, its one writer, and the conditions around it. `writer` is filled.
detent_error check_guards(const detent_desc &desc, const std::uint32_t *roots, const UsesWork &work);
/// Of ops whose guards check_guards has found good: is there no run that executes both?
bool exclude_each_other(const detent_desc &desc, const UsesWork &work, OpId a, OpId b);
/// Who reads what fallible ops leave after a failure. Guards are good; scratch, earlier_ref, ref_op, replacer and
/// is_lasting are used anew.
detent_error check_failures(const detent_desc &desc, const std::uint32_t *roots, const UsesWork &work);
/// Is there no run that executes the op and in which `guard` has another value than `wanted`? Guards are good.
bool depends_on(const detent_desc &desc, const UsesWork &work, OpId op, TensorId guard, std::uint8_t wanted);
/// What a deciding op writes is never overwritten, executed or not.
detent_error check_deciding_ops(const detent_desc &desc, const Known &known, const UsesWork &work);

}  // namespace detent

#endif
