// Random operators that read one buffer and write another, for checks of which may lie over which.
#pragma once

#include <cstdint>
#include <string>

namespace detent::models::tvm {

/// int32_t op(float* p0, float* out, uint8_t* workspace): nests of short loops that copy, pad, accumulate, go through
/// scratch or helpers, forward and backward, with equal, shifted, scaled and divided indices on both sides. No element
/// lies before a buffer's begin. The same seed gives the same text.
std::string random_overwrite(std::uint64_t seed);

}  // namespace detent::models::tvm
