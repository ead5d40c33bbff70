/* Byte sets: do two (strided) tensors of one region share a byte? Exact, in O(log) however many blocks they have. */
#ifndef DETENT_RUNTIME_BYTE_SET_H_
#define DETENT_RUNTIME_BYTE_SET_H_

#include <detent/desc.h>

#include "runtime/base/freestanding.h"

namespace detent {

/// One past the last byte. The tensor has passed check_placement, so nothing wraps.
inline std::uint64_t end_of(const detent_tensor &tensor) { return tensor.offset_bytes + tensor.size_bytes; }

/// Bytes of the set, without the gaps between blocks.
inline std::uint64_t byte_count(const detent_tensor &tensor) { return tensor.block_bytes * tensor.block_count; }

/// Do the extents, gaps included, of two tensors of one region intersect?
inline bool extents_intersect(const detent_tensor &a, const detent_tensor &b) {
  return a.offset_bytes < end_of(b) && b.offset_bytes < end_of(a);
}

/// Do the byte sets of two tensors share a byte? False for tensors of different regions.
/// Both have passed check_blocks and check_placement.
bool bytes_intersect(const detent_tensor &a, const detent_tensor &b);

}  // namespace detent

#endif
