// Lifetime checks: in the serial order no two tensors that claim to live at the same time share a byte (B42), and no op
// uses a tensor outside of the lifetime that it claims (B49): so no op before a use writes over what it reads. What
// other orders do is for `detent verify`: these checks are made at every bind, on the target.
//
// Tensors are rectangles of bytes x positions in the serial order. They are swept in order of their first byte; those
// whose extent is not over yet are active. A segment tree over the active ones, in order of begin, with the maximum of
// end below each node, finds those that also live at the same time: O(log n) for each of them. Dense tensors that are
// found are a violation, so only pairs of interleaved strided tensors cost more. Uses are looked at once each.
#include "runtime/base/byte_set.h"
#include "runtime/base/ids.h"
#include "runtime/base/sort.h"
#include "runtime/check/internal.h"

namespace detent {
namespace {

enum : std::uint8_t {
  kWrites = 1,  ///< the application writes the tensor before the run
  kReads = 2    ///< it reads the tensor after the run
};

bool claims_lifetime(const detent_tensor &tensor) {
  return !is_range(tensor) && tensor.alias_of == DETENT_NONE && tensor.live_begin != DETENT_NONE;
}

std::uint32_t begin_position(const detent_desc &desc, const OverlapWork &work, TensorId tensor) {
  if ((work.application[tensor] & kWrites) != 0) return 0;
  return work.position[desc.tensors[tensor].live_begin];
}

std::uint32_t end_position(const detent_desc &desc, const OverlapWork &work, TensorId tensor) {
  if ((work.application[tensor] & kReads) != 0) return desc.op_count - 1;
  return work.position[desc.tensors[tensor].live_end];
}

/// Tree over the active tensors; leaves are positions in `by_begin`.
class ActiveTree {
 public:
  explicit ActiveTree(const OverlapWork &work) : tree_(work.tree), leaf_count_(work.leaf_count) {
    for (std::uint32_t i = 0; i < 2 * leaf_count_; ++i) tree_[i] = 0;
  }

  void set(std::uint32_t leaf, std::uint32_t value) {
    std::uint32_t node = leaf_count_ + leaf;
    tree_[node] = value;
    while (node > 1) {
      node /= 2;
      const std::uint32_t left = tree_[2 * node];
      const std::uint32_t right = tree_[2 * node + 1];
      tree_[node] = left > right ? left : right;
    }
  }

  /// First leaf >= `from` whose value exceeds `threshold`; leaf_count when there is none.
  [[nodiscard]] std::uint32_t find(std::uint32_t from, std::uint32_t threshold) const {
    if (from >= leaf_count_) return leaf_count_;
    std::uint32_t node = leaf_count_ + from;
    while (tree_[node] <= threshold) {
      while (node % 2 == 1) node /= 2;  // a right child, or the root: nothing to its right below its parent
      if (node == 0) return leaf_count_;
      ++node;
    }
    while (node < leaf_count_) node = tree_[2 * node] > threshold ? 2 * node : 2 * node + 1;
    return node - leaf_count_;
  }

 private:
  std::uint32_t *tree_;
  std::uint32_t leaf_count_;
};

bool slice_holds_root(const detent_desc &desc, const std::uint32_t *roots, detent_slice slice, std::uint32_t root) {
  for (std::uint32_t i = 0; i < slice.count; ++i) {
    if (roots[desc.tensor_refs[slice.first + i]] == root) return true;
  }
  return false;
}

/// An op that works in place may end the life of its input and begin that of its output on the same bytes; but not of
/// a tensor that the application still reads, nor of one that it wrote before.
bool is_handed_over_in_place(const detent_desc &desc, const std::uint32_t *roots, const OverlapWork &work,
                             std::uint32_t a, std::uint32_t b) {
  const bool a_first = desc.tensors[a].live_end == desc.tensors[b].live_begin;
  const std::uint32_t from = a_first ? a : b;
  const std::uint32_t to = a_first ? b : a;
  if (desc.tensors[from].live_end != desc.tensors[to].live_begin) return false;
  if ((work.application[from] & kReads) != 0 || (work.application[to] & kWrites) != 0) return false;
  const detent_op &op = desc.ops[desc.tensors[to].live_begin];
  return (op.flags & DETENT_OP_IN_PLACE) != 0 && slice_holds_root(desc, roots, op.inputs, from) &&
         slice_holds_root(desc, roots, op.outputs, to);
}

void mark_application(const detent_desc &desc, const std::uint32_t *roots, const OverlapWork &work) {
  for (TensorId tensor = 0; tensor < desc.tensor_count; ++tensor) {
    const bool is_input = raw_value(desc.regions[desc.tensors[tensor].region].kind) == DETENT_REGION_INPUT;
    work.application[tensor] = is_input ? kWrites : 0;
  }
  for (std::uint32_t i = 0; i < desc.input_count; ++i) work.application[roots[desc.inputs[i]]] |= kWrites;
  for (std::uint32_t i = 0; i < desc.output_count; ++i) work.application[roots[desc.outputs[i]]] |= kReads;
}

/// The tensors that claim a lifetime, by (region, offset) and by begin. Returns their number.
std::uint32_t sort_tensors(const detent_desc &desc, const OverlapWork &work) {
  std::uint32_t count = 0;
  for (TensorId tensor = 0; tensor < desc.tensor_count; ++tensor) {
    if (claims_lifetime(desc.tensors[tensor])) work.by_offset[count++] = tensor;
  }
  for (std::uint32_t i = 0; i < count; ++i) work.by_begin[i] = work.by_offset[i];
  const auto place = [&desc](TensorId tensor) {  // offsets are below 2^41, regions below 2^6
    return (std::uint64_t{desc.tensors[tensor].region} << 48) + desc.tensors[tensor].offset_bytes;
  };
  radix_sort_ids(work.by_offset, work.leaf_of, count, place);
  radix_sort_ids(work.by_begin, work.leaf_of, count,
                 [&](TensorId tensor) { return std::uint64_t{begin_position(desc, work, tensor)}; });
  for (std::uint32_t leaf = 0; leaf < count; ++leaf) work.leaf_of[work.by_begin[leaf]] = leaf;
  return count;
}

/// First position in by_begin whose tensor begins to live after `position`.
std::uint32_t leaves_beginning_until(const detent_desc &desc, const OverlapWork &work, std::uint32_t count,
                                     std::uint32_t position) {
  std::uint32_t low = 0;
  std::uint32_t high = count;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (begin_position(desc, work, work.by_begin[middle]) <= position) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

detent_error overlap_error(const detent_desc &desc, std::uint32_t a, std::uint32_t b) {
  return make_error(DETENT_OVERLAP,
                    {.tensor = a < b ? a : b, .other_tensor = a < b ? b : a, .region = desc.tensors[a].region});
}

/// Compares one tensor with the active ones that live at the same time; drops those whose extent is over.
detent_error check_against_active(const detent_desc &desc, const std::uint32_t *roots, const OverlapWork &work,
                                  ActiveTree &active, std::uint32_t id, std::uint32_t limit) {
  const detent_tensor &tensor = desc.tensors[id];
  const std::uint32_t begin = begin_position(desc, work, id);
  for (std::uint32_t leaf = active.find(0, begin); leaf < limit; leaf = active.find(leaf + 1, begin)) {
    const std::uint32_t other_id = work.by_begin[leaf];
    const detent_tensor &other = desc.tensors[other_id];
    if (other.region != tensor.region || end_of(other) <= tensor.offset_bytes) {
      active.set(leaf, 0);
    } else if (bytes_intersect(tensor, other) && !is_handed_over_in_place(desc, roots, work, id, other_id)) {
      return overlap_error(desc, id, other_id);
    }
  }
  return make_error(DETENT_OK);
}

}  // namespace

OverlapWork take_overlap_work(Arena &arena, const detent_desc &desc, const std::uint32_t *position) {
  OverlapWork work{};
  work.position = position;
  work.application = arena.take_array<std::uint8_t>(desc.tensor_count);
  work.by_offset = arena.take_array<std::uint32_t>(desc.tensor_count);
  work.by_begin = arena.take_array<std::uint32_t>(desc.tensor_count);
  work.leaf_of = arena.take_array<std::uint32_t>(desc.tensor_count);
  work.leaf_count = 1;
  while (work.leaf_count < desc.tensor_count && work.leaf_count < (1u << 30)) work.leaf_count *= 2;
  work.tree = arena.take_array<std::uint32_t>(std::size_t{2} * work.leaf_count);
  return work;
}

detent_error check_live_tensors_disjoint(const detent_desc &desc, const std::uint32_t *roots, const OverlapWork &work) {
  mark_application(desc, roots, work);
  const std::uint32_t count = sort_tensors(desc, work);
  ActiveTree active(work);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t id = work.by_offset[i];
    const std::uint32_t end = end_position(desc, work, id);
    const std::uint32_t limit = leaves_beginning_until(desc, work, count, end);
    const detent_error error = check_against_active(desc, roots, work, active, id, limit);
    if (error.status != DETENT_OK) return error;
    active.set(work.leaf_of[id], end + 1);
  }
  return make_error(DETENT_OK);
}

detent_error check_uses_within_lifetimes(const detent_desc &desc, const std::uint32_t *roots,
                                         const std::uint32_t *position) {
  for (OpId id = 0; id < desc.op_count; ++id) {
    const auto check_use = [&](TensorId tensor) {
      const detent_tensor &base = desc.tensors[roots[tensor]];
      if (!claims_lifetime(base)) return make_error(DETENT_OK);
      const bool inside = position[base.live_begin] <= position[id] && position[id] <= position[base.live_end];
      return make_error(inside ? DETENT_OK : DETENT_LIFETIME, {.op = id, .tensor = tensor, .region = base.region});
    };
    const detent_op &op = desc.ops[id];
    const detent_slice slices[] = {op.inputs, op.outputs, op.scratch};
    for (const detent_slice &slice : slices) {
      const detent_error error = for_each_ref(desc, slice, check_use);
      if (error.status != DETENT_OK) return error;
    }
  }
  return make_error(DETENT_OK);
}

}  // namespace detent
