#include "models/plan/problem/parts.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace detent::models::packing {
namespace {

std::uint64_t common_unit(const std::vector<Buffer>& buffers) {
  std::uint64_t unit = 0;
  for (const Buffer& buffer : buffers) unit = std::gcd(unit, buffer.size_bytes);
  for (bool is_settled = false; !is_settled;) {
    is_settled = true;
    for (const Buffer& buffer : buffers) {
      const std::uint64_t align = buffer.align_bytes;
      if (unit % align == 0 || align % unit == 0) continue;
      unit = std::gcd(unit, align);
      is_settled = false;
    }
  }
  return unit;
}

/// The latest beginning of each run of beginnings that an end follows: the moments of the maximal cliques.
std::vector<std::int64_t> section_moments(const std::vector<Buffer>& buffers) {
  std::vector<std::pair<std::int64_t, bool>> events;  // at one moment ends come first
  for (const Buffer& buffer : buffers) {
    events.emplace_back(buffer.lower, true);
    events.emplace_back(buffer.upper, false);
  }
  std::sort(events.begin(), events.end());
  std::vector<std::int64_t> moments;
  for (std::size_t i = 0; i + 1 < events.size(); ++i) {
    if (events[i].second && !events[i + 1].second) moments.push_back(events[i].first);
  }
  return moments;
}

}  // namespace

Parts cut_into_parts(const std::vector<Buffer>& buffers) {
  Parts result;
  result.unit_bytes = common_unit(buffers);
  const auto unit = static_cast<std::int64_t>(result.unit_bytes);
  const std::vector<std::int64_t> moments = section_moments(buffers);
  const auto section_of = [&](std::int64_t moment) {
    return static_cast<std::uint32_t>(std::lower_bound(moments.begin(), moments.end(), moment) - moments.begin());
  };
  std::vector<Item> items;
  for (std::uint32_t i = 0; i < buffers.size(); ++i) {
    const Buffer& buffer = buffers[i];
    items.push_back({.buffer = i,
                     .first_section = section_of(buffer.lower),
                     .end_section = section_of(buffer.upper),
                     .size = static_cast<std::int64_t>(buffer.size_bytes) / unit,
                     .align = std::max<std::int64_t>(1, static_cast<std::int64_t>(buffer.align_bytes) / unit),
                     .lifetime = buffer.upper - buffer.lower});
  }
  std::stable_sort(items.begin(), items.end(),
                   [](const Item& a, const Item& b) { return a.first_section < b.first_section; });
  std::uint32_t first = 0;
  std::uint32_t end = 0;
  for (Item& item : items) {
    if (item.first_section >= end) {
      result.parts.emplace_back();
      first = item.first_section;
    }
    end = std::max(end, item.end_section);
    Part& part = result.parts.back();
    part.sections = end - first;
    item.first_section -= first;
    item.end_section -= first;
    part.items.push_back(item);
  }
  return result;
}

}  // namespace detent::models::packing
