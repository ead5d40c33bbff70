// Lifetimes: finds tensors that live at the same time and share a byte.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/desc.h"
#include "verify/byte_set.hpp"

namespace detent::verify {

/// Two tensors with declared lifetimes that meet at op position `position` and share `bytes` of their region.
struct LifetimeOverlap {
  std::uint32_t tensor_a = 0;  ///< began first, or at the same position with the lower id
  std::uint32_t tensor_b = 0;
  std::uint32_t position = 0;
  ByteRange bytes;
};

/// Up to `max_found` overlaps, by position. Tensors without a lifetime, views and ranges take no part; nor do tensors
/// whose bytes are not sound. An input and an output of an in-place op may share bytes if one ends and the other
/// begins at that op.
std::vector<LifetimeOverlap> find_lifetime_overlaps(const detent_desc& desc, std::size_t max_found);

}  // namespace detent::verify
