// Fill: a seed -> the bytes a run starts from.
#pragma once

#include <cstdint>

#include <detent/detent.h>

namespace detent::harness {

/// Byte that WORKSPACE and OUTPUT regions hold before a run: a read of a byte nobody wrote is repeatable.
inline constexpr int kUnwrittenByte = 0xa5;

/// Fill INPUT regions from `seed`: F32 tensors with floats in [-1, 1) (padding channels of C16 with 0), BOOL tensors
/// with 0 and 1, all other bytes at random. Fill WORKSPACE and OUTPUT regions with kUnwrittenByte. Equal seeds give
/// equal bytes wherever the regions lie. Between runs only.
void fill_regions(const detent_desc& desc, const detent_context& context, std::uint64_t seed);

}  // namespace detent::harness
