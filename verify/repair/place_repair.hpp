// Place repair: values at other places, so that no two that live at once share a byte.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <detent/desc.h>

#include "base/value_tables.hpp"
#include "verify/graph/extended_desc.hpp"

namespace detent::verify {

/// A value, with everything that reads or writes it, at another place.
struct PlaceChange {
  std::string value;        ///< name of the value, or of the tensor
  std::vector<Move> moves;  ///< base tensors, or ranges; all by the same number of bytes
  std::uint32_t region = 0;
  std::uint64_t from_bytes = 0;  ///< first byte within the region
  std::uint64_t to_bytes = 0;
  std::uint64_t size_bytes = 0;  ///< from the first byte to the last
};

struct PlaceRepair {
  std::vector<PlaceChange> changes;
  std::uint64_t cost_bytes = 0;       ///< by which regions grow, together
  bool mends = false;                 ///< found out anew with the changes: no race and no value violation is left
  bool is_one_enough = false;         ///< a single value was moved, the one of least cost
  std::uint64_t left_races = 0;       ///< pairs, with the changes
  std::uint64_t left_violations = 0;  ///< with the changes: of order, not of place, or of bytes without a name
};

/// Move one of the values of the faults to the lowest place at which nothing lives at the same time on any schedule,
/// the region's end where there is none; of several that mend everything the one of least cost, and where none does,
/// the one that leaves the fewest faults, and so on. Tensors move with their views. Bare ranges move where they name
/// their values: without names nobody knows what belongs together. Only workspaces are moved in.
/// Time: find_races and find_value_violations for each of up to 16 values per round.
/// @throws std::invalid_argument  a cycle, or tables that check_structure or check_memory_plan refuse
PlaceRepair find_place_repair(const detent_desc& desc, const ValueTables* values);

}  // namespace detent::verify
