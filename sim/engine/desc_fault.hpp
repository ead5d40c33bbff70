// Why a Desc cannot be executed at all: what everything else in sim relies on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <detent/desc.h>

namespace detent::sim {

/// The first fault of its tables, or of its regions beside the memory that is left.
/// @param memory_left  bytes of the machine's memory, of which those of the regions are taken; null: nothing limits
/// them
std::optional<std::string> find_fault(const detent_desc& desc, std::uint64_t* memory_left);

}  // namespace detent::sim
