// Independent check of a placement of buffers; shares no code with the search.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/plan/problem/problem.hpp"

namespace detent::models::packing {

/// Each buffer has an offset at its alignment and lies within the capacity (0: any); no two that live at one time share
/// a byte. Every pair is looked at.
/// @param limit  stop after so many findings
/// @return  one line per finding, buffers by id; empty: the placement is valid
/// @note    O(buffers^2)
[[nodiscard]] std::vector<std::string> find_placement_faults(const std::vector<Buffer>& buffers,
                                                             const std::vector<std::uint64_t>& offsets_bytes,
                                                             std::uint64_t capacity_bytes, std::size_t limit = 16);

}  // namespace detent::models::packing
