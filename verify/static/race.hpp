// Race: two ops that may touch a common byte in either order, and what they do to it.
#pragma once

#include <cstdint>

#include "base/ids.hpp"

namespace detent::verify {

/// What op_a and op_b do to the common bytes, with op_a < op_b by id: kRaw a writes and b reads, kWar a reads and b
/// writes, kWaw both write.
enum class HazardKind : std::uint8_t { kRaw, kWar, kWaw };

/// "raw", "war", "waw".
const char* hazard_name(HazardKind kind);

/// One (pair, kind, region) of a conflict.
struct Race {
  OpId op_a = 0;  ///< op_a < op_b
  OpId op_b = 0;
  HazardKind kind = HazardKind::kRaw;
  RegionId region = 0;
  std::uint64_t offset_bytes = 0;  ///< first shared run of bytes, within the region
  std::uint64_t size_bytes = 0;
  TensorId tensor_a = 0;  ///< tensors of op_a and op_b that share it
  TensorId tensor_b = 0;
};

}  // namespace detent::verify
