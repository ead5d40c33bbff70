#include "sim/engine/desc_fault.hpp"

#include "harness/instance.hpp"

namespace detent::sim {

std::optional<std::string> find_fault(const detent_desc& desc, std::uint64_t* memory_left) {
  detent_error error = harness::check_desc(desc);
  if (error.status != DETENT_OK) return harness::describe_error(desc, error);
  for (std::uint32_t i = 0; memory_left != nullptr && i < desc.region_count; ++i) {
    if (desc.regions[i].size_bytes > *memory_left) {
      error = {DETENT_MEMORY_LIMIT, DETENT_NONE, DETENT_NONE, DETENT_NONE, DETENT_NONE, i, 0};
      return harness::describe_error(desc, error);
    }
    *memory_left -= desc.regions[i].size_bytes;
  }
  return std::nullopt;
}

}  // namespace detent::sim
