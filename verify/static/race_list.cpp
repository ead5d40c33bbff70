// Bounded, sorted collection of races.
#include "verify/static/race_list.hpp"

#include <algorithm>
#include <tuple>

#include "verify/graph/byte_set.hpp"

namespace detent::verify {
namespace {

bool comes_first(const Race& x, const Race& y) {
  return std::tie(x.op_a, x.op_b, x.kind, x.region) < std::tie(y.op_a, y.op_b, y.kind, y.region);
}

/// Tensors of one op in one role (read, or written) in one region.
std::vector<std::uint32_t> tensors_of(const detent_desc& desc, OpId op, bool written, RegionId region) {
  const detent_op& entry = desc.ops[op];
  std::vector<std::uint32_t> tensors;
  for (const detent_slice* slice :
       {written ? &entry.outputs : &entry.inputs, written ? &entry.scratch : &entry.weights}) {
    for (std::uint32_t k = 0; k < slice->count; ++k) {
      const std::uint32_t id = desc.tensor_refs[slice->first + k];
      if (desc.tensors[id].region == region) tensors.push_back(id);
    }
  }
  return tensors;
}

/// The lowest shared run of bytes, the longest where several begin there, the first tensors where several have it.
void fill_bytes(const detent_desc& desc, Race& race) {
  const bool a_writes = race.kind != HazardKind::kWar;
  const bool b_writes = race.kind != HazardKind::kRaw;
  const std::vector<std::uint32_t> others = tensors_of(desc, race.op_b, b_writes, race.region);
  for (const std::uint32_t a : tensors_of(desc, race.op_a, a_writes, race.region)) {
    for (const std::uint32_t b : others) {
      const auto shared = first_shared_bytes(bytes_of(desc.tensors[a]), bytes_of(desc.tensors[b]));
      if (!shared) continue;
      const std::uint64_t size = shared->end - shared->begin;
      const bool better = race.size_bytes == 0 || shared->begin < race.offset_bytes ||
                          (shared->begin == race.offset_bytes && size > race.size_bytes);
      if (!better) continue;
      race.offset_bytes = shared->begin;
      race.size_bytes = size;
      race.tensor_a = a;
      race.tensor_b = b;
    }
  }
}

}  // namespace

void RaceCollector::add(std::uint32_t x, bool x_writes, std::uint32_t y, bool y_writes, RegionId region) {
  Race race;
  race.op_a = std::min(x, y);
  race.op_b = std::max(x, y);
  const bool a_writes = x < y ? x_writes : y_writes;
  const bool b_writes = x < y ? y_writes : x_writes;
  race.kind = a_writes && b_writes ? HazardKind::kWaw : a_writes ? HazardKind::kRaw : HazardKind::kWar;
  race.region = region;
  if (race.op_a > last_wanted_) return;
  kept_.push_back(race);
  if (kept_.size() >= 2 * max_listed_ + 1024) prune();
}

void RaceCollector::prune() {
  if (kept_.size() <= max_listed_) return;
  const auto cut = kept_.begin() + static_cast<std::ptrdiff_t>(max_listed_);
  std::nth_element(kept_.begin(), cut, kept_.end(), comes_first);
  last_wanted_ = cut->op_a;
  kept_.erase(cut, kept_.end());
}

std::vector<Race> RaceCollector::finish(const detent_desc& desc) {
  prune();
  std::sort(kept_.begin(), kept_.end(), comes_first);
  for (Race& race : kept_) fill_bytes(desc, race);
  return std::move(kept_);
}

}  // namespace detent::verify
