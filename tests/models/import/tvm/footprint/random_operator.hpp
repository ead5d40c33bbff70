// Random operator functions as TVM writes them, in C, for checks of the footprint analysis.
#pragma once

#include <cstdint>
#include <string>

namespace detent::models::tvm {

/// int32_t op(float* p0, int32_t* p1, int8_t* p2, float* out, uint8_t* workspace): loop nests with affine, divided,
/// guarded and clamped indices, scratch in the workspace, helpers, stepping pointers. Loops are short.
/// The same seed gives the same text.
std::string random_operator(std::uint64_t seed);

}  // namespace detent::models::tvm
