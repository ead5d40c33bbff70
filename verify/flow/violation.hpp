// What keeps a read from its value, as reports tell it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <detent/desc.h>

namespace detent::verify {

/// What keeps a read from its value.
enum class FlowFault : std::uint8_t {
  kOverwritten,  ///< the op in the way may write the bytes between writer and reader
  kTooEarly,     ///< the reader may come before the writer
  kAbsent,       ///< there are runs in which the reader runs and the writer does not
  kUndecided,    ///< the reader is a guarded op that may start before its decision is taken; `value` is the decision
  kClash,        ///< the writer puts another value into the same bytes; it is itself the op in the way
  kFailed        ///< there are runs in which the writer fails and the reader runs; the writer is the op in the way
};

/// One (reader, value, op in the way). DETENT_NONE as reader: an output of the model, as writer: an input, as op in the
/// way: none.
struct ValueViolation {
  FlowFault fault = FlowFault::kOverwritten;
  std::uint32_t reader = DETENT_NONE;
  std::uint32_t writer = DETENT_NONE;
  std::uint32_t in_the_way = DETENT_NONE;
  std::string value{};
  std::uint32_t region = DETENT_NONE;  ///< DETENT_NONE: no bytes are concerned
  std::uint64_t offset_bytes = 0;      ///< first run of bytes, within the region
  std::uint64_t size_bytes = 0;
  bool always = false;  ///< by the edges alone: every schedule on which the ops concerned run shows it
  std::vector<std::uint32_t> schedule{};  ///< op ids without pseudo-ops, an order that shows it; empty: left out
};

}  // namespace detent::verify
