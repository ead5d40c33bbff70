// Buffers -> parts that share no moment, on a grid of sections and units.
#pragma once

#include <cstdint>
#include <vector>

#include "models/plan/problem/problem.hpp"

namespace detent::models::packing {

/// A buffer as the search sees it.
struct Item {
  std::uint32_t buffer = 0;          ///< index in the problem
  std::uint32_t first_section = 0;   ///< it lives in these,
  std::uint32_t end_section = 0;     ///< not in this one
  std::int64_t size = 0, align = 1;  ///< units
  std::int64_t lifetime = 0;         ///< upper less lower
};

/// Buffers that are connected by overlapping lifetimes. A section is a set of buffers that live at one moment and that
/// is part of no other such set: two buffers live at once exactly if they have a section in common (the maximal cliques
/// of an interval graph, in the order of time).
struct Part {
  std::vector<Item> items{};
  std::uint32_t sections = 0;
};

struct Parts {
  std::uint64_t unit_bytes = 1;  ///< divides every size, and every alignment that it is no multiple of
  std::vector<Part> parts{};     ///< in the order of time
};

Parts cut_into_parts(const std::vector<Buffer>& buffers);

/// The least multiple of `align` that is not below `offset`.
inline std::int64_t aligned(std::int64_t offset, std::int64_t align) { return (offset + align - 1) & -align; }

inline bool live_at_once(const Item& a, const Item& b) {
  return a.first_section < b.end_section && b.first_section < a.end_section;
}

}  // namespace detent::models::packing
