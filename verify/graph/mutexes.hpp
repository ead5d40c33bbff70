// Mutexes of a Desc whose tables are sound.
#pragma once

#include <algorithm>
#include <cstdint>

#include <detent/desc.h>

namespace detent::verify {

/// Is there a mutex that both ops hold while they run?
inline bool share_mutex(const detent_desc& desc, std::uint32_t a, std::uint32_t b) {
  const detent_slice first = desc.ops[a].mutexes;
  const detent_slice second = desc.ops[b].mutexes;
  if (first.count == 0 || second.count == 0) return false;
  const std::uint32_t* const refs = desc.mutex_refs;
  return std::any_of(refs + first.first, refs + first.first + first.count, [&](std::uint32_t mutex) {
    const std::uint32_t* const end = refs + second.first + second.count;
    return std::find(refs + second.first, end, mutex) != end;
  });
}

}  // namespace detent::verify
