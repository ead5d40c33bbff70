/* Sorting without heap or recursion: stable radix sorts over memory of the caller. */
#ifndef DETENT_RUNTIME_SORT_H_
#define DETENT_RUNTIME_SORT_H_

#include "runtime/base/freestanding.h"

namespace detent {

/// Order `ids` so that key(ids[i]) ascends; equal keys keep their order. O(8 n), fewer passes for small keys.
///
/// @param ids      [count], sorted in place   @param scratch  [count]
/// @param key_of   callable: id -> uint64_t
template <typename KeyOf>
void radix_sort_ids(std::uint32_t *ids, std::uint32_t *scratch, std::uint32_t count, const KeyOf &key_of) {
  std::uint64_t all_or = 0;
  std::uint64_t all_and = UINT64_MAX;
  for (std::uint32_t i = 0; i < count; ++i) {
    all_or |= key_of(ids[i]);
    all_and &= key_of(ids[i]);
  }
  std::uint32_t *from = ids;
  std::uint32_t *to = scratch;
  for (unsigned shift = 0; shift < 64; shift += 8) {
    if (((all_or ^ all_and) >> shift & 0xff) == 0) continue;  // every key has the same byte here
    std::uint32_t begin[256] = {};
    for (std::uint32_t i = 0; i < count; ++i) ++begin[key_of(from[i]) >> shift & 0xff];
    std::uint32_t sum = 0;
    for (std::uint32_t &bucket : begin) {
      const std::uint32_t size = bucket;
      bucket = sum;
      sum += size;
    }
    for (std::uint32_t i = 0; i < count; ++i) to[begin[key_of(from[i]) >> shift & 0xff]++] = from[i];
    std::uint32_t *const swap = from;
    from = to;
    to = swap;
  }
  if (from == ids) return;
  for (std::uint32_t i = 0; i < count; ++i) ids[i] = from[i];
}

}  // namespace detent

#endif
