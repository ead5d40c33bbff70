// Where INPUT and OUTPUT regions stand, changed between runs: every binding is checked before one takes effect.
#include "runtime/bind/bind.h"

namespace detent {

namespace {

/// [begin, end) of addresses.
struct Extent {
  std::uintptr_t begin;
  std::uintptr_t end;
};

bool are_apart(const Extent &a, const Extent &b) { return a.end <= b.begin || b.end <= a.begin; }

Extent extent_of(const detent_context &c, void *const *bases, std::uint32_t region) {
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(bases[region]);
  return {begin, begin + static_cast<std::uintptr_t>(c.graph.desc->regions[region].size_bytes)};
}

/// A binding by itself.
detent_error check_binding(const detent_context &c, const detent_binding &binding) {
  if (binding.region >= c.graph.desc->region_count) return make_error(DETENT_TABLE_RANGE);
  const detent_region &region = c.graph.desc->regions[binding.region];
  const Place place{.region = binding.region};
  if (region.kind != DETENT_REGION_INPUT && region.kind != DETENT_REGION_OUTPUT) {
    return make_error(DETENT_INVALID_ARGUMENT, place);
  }
  if (binding.data == nullptr) return make_error(DETENT_OK);
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(binding.data);
  if (binding.size_bytes < region.size_bytes) {
    const bool is_output = region.kind == DETENT_REGION_OUTPUT;
    return make_error(is_output ? DETENT_INSUFFICIENT_SIZE : DETENT_OUT_OF_REGION, place);
  }
  if (begin % region.align_bytes != 0) return make_error(DETENT_ALIGNMENT, place);
  if (binding.size_bytes > UINTPTR_MAX - begin) return make_error(DETENT_OFFSET_WRAP, place);
  const Extent wanted{begin, begin + static_cast<std::uintptr_t>(region.size_bytes)};
  const Extent arena{c.graph.arena_begin, c.graph.arena_end};
  return make_error(are_apart(wanted, arena) ? DETENT_OK : DETENT_OVERLAP, place);
}

/// The bases that the regions would have, in c.graph.wanted_bases.
detent_error collect(detent_context &c, const detent_binding *bindings, std::uint32_t count) {
  for (std::uint32_t i = 0; i < c.graph.desc->region_count; ++i) c.graph.wanted_bases[i] = c.graph.region_bases[i];
  for (std::uint32_t i = 0; i < count; ++i) {
    const detent_error error = check_binding(c, bindings[i]);
    if (error.status != DETENT_OK) return error;
    const std::uint32_t region = bindings[i].region;
    for (std::uint32_t before = 0; before < i; ++before) {
      if (bindings[before].region == region) return make_error(DETENT_INVALID_ARGUMENT, {.region = region});
    }
    c.graph.wanted_bases[region] = bindings[i].data != nullptr ? bindings[i].data : c.graph.first_bases[region];
  }
  return make_error(DETENT_OK);
}

/// A bound region against every other one.
detent_error check_apart(const detent_context &c, std::uint32_t region) {
  const Extent own = extent_of(c, c.graph.wanted_bases, region);
  for (std::uint32_t other = 0; other < c.graph.desc->region_count; ++other) {
    if (other == region || are_apart(own, extent_of(c, c.graph.wanted_bases, other))) continue;
    return make_error(DETENT_OVERLAP, {.region = region});
  }
  return make_error(DETENT_OK);
}

}  // namespace

detent_error bind_regions(detent_context &c, const detent_binding *bindings, std::uint32_t count) {
  detent_error error = collect(c, bindings, count);
  for (std::uint32_t i = 0; i < count && error.status == DETENT_OK; ++i) error = check_apart(c, bindings[i].region);
  if (error.status != DETENT_OK) return error;
  for (std::uint32_t i = 0; i < count; ++i) {
    c.graph.region_bases[bindings[i].region] = c.graph.wanted_bases[bindings[i].region];
  }
  fill_buffers(c);
  return error;
}

}  // namespace detent
