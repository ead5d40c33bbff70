// Lifetimes: finds values that share a byte and that some schedule lets live at once.
#pragma once

#include <cstdint>
#include <vector>

#include <detent/desc.h>

#include "base/ids.hpp"
#include "verify/graph/byte_set.hpp"
#include "verify/graph/order.hpp"

namespace detent::verify {

/// Two values that share `bytes` of their region though neither is done with before the other begins.
struct LifetimeOverlap {
  TensorId tensor_a = 0;  ///< its first user stands first in the topological order, lowest id first
  TensorId tensor_b = 0;
  ByteRange bytes;
  /// Both live at this op; DETENT_NONE: before the run, both inputs, or after it, both outputs.
  OpId op = DETENT_NONE;
  std::uint32_t unordered_op = DETENT_NONE;  ///< some schedules only: a user of the other value that `op` may overtake
  std::vector<std::uint32_t> schedule;       ///< op ids, an order that shows it; empty for very large models
};

/// Up to `max_found` pairs of values that share a byte and are not in order; none: on no schedule do two that live at
/// once share a byte. In order means that a path leads from every user of the one to every user of the other; one op in
/// place that ends the one and begins the other excuses itself, and a mutex two values that are one op's alone each.
///
/// @param count  if given, how many there are, listed or not
///
/// Exact as an answer. Where there are several pairs on one byte, it lists those that follow one another there.
/// Time O(values log values) and a pass over the closure; strided tensors of very many blocks, and models where a mutex
/// excuses a pair, are compared pair by pair.
/// @throws std::invalid_argument  the edges close a cycle or lie outside their tables: nothing is in order then
std::vector<LifetimeOverlap> find_lifetime_overlaps(const detent_desc& desc, std::size_t max_found,
                                                    std::uint64_t* count = nullptr);

/// The same by an order that is there. @param order  of this Desc
std::vector<LifetimeOverlap> find_lifetime_overlaps(const detent_desc& desc, const Order& order, std::size_t max_found,
                                                    std::uint64_t* count = nullptr);

}  // namespace detent::verify
