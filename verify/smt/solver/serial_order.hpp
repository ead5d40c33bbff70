// The serial order of a Desc: topological, lowest id first. Told from the tables alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <detent/desc.h>

namespace detent::verify::smt {

/// The ids of a slice.
/// @throws std::invalid_argument  the slice lies outside its table, or an id is not below `limit`
std::span<const std::uint32_t> row_of(const detent_slice& slice, std::span<const std::uint32_t> table,
                                      std::uint32_t limit);

/// Fewer than all ops where the edges close a cycle.
/// @throws std::invalid_argument  successors lie outside their table or are no ops
std::vector<std::uint32_t> serial_order(const detent_desc& desc);

}  // namespace detent::verify::smt
