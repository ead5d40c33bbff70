#include "models/plan/problem/solution_check.hpp"

namespace detent::models::packing {
namespace {

std::string text_of(const Buffer& buffer, std::uint64_t offset) {
  return buffer.id + " (lives [" + std::to_string(buffer.lower) + ", " + std::to_string(buffer.upper) + "), bytes [" +
         std::to_string(offset) + ", +" + std::to_string(buffer.size_bytes) + "))";
}

}  // namespace

std::vector<std::string> find_placement_faults(const std::vector<Buffer>& buffers,
                                               const std::vector<std::uint64_t>& offsets_bytes,
                                               std::uint64_t capacity_bytes, std::size_t limit) {
  if (offsets_bytes.size() != buffers.size())
    return {std::to_string(offsets_bytes.size()) + " offsets for " + std::to_string(buffers.size()) + " buffers"};
  std::vector<std::string> faults;
  for (std::size_t a = 0; a < buffers.size(); ++a) {
    const std::uint64_t begin = offsets_bytes[a];
    const std::uint64_t size = buffers[a].size_bytes;
    if (begin % buffers[a].align_bytes != 0)
      faults.push_back(text_of(buffers[a], begin) + " is not at a multiple of its alignment " +
                       std::to_string(buffers[a].align_bytes));
    if (capacity_bytes != 0 && (size > capacity_bytes || begin > capacity_bytes - size))
      faults.push_back(text_of(buffers[a], begin) + " does not end within " + std::to_string(capacity_bytes) +
                       " bytes");
    for (std::size_t b = 0; b < a && faults.size() < limit; ++b) {
      const bool meet_in_time = buffers[a].lower < buffers[b].upper && buffers[b].lower < buffers[a].upper;
      const bool is_above = begin >= offsets_bytes[b] && begin - offsets_bytes[b] >= buffers[b].size_bytes;
      const bool is_below = offsets_bytes[b] >= begin && offsets_bytes[b] - begin >= size;
      if (meet_in_time && !is_above && !is_below)
        faults.push_back(text_of(buffers[a], begin) + " and " + text_of(buffers[b], offsets_bytes[b]) +
                         " live at once and share bytes");
    }
    if (faults.size() >= limit) break;
  }
  return faults;
}

}  // namespace detent::models::packing
