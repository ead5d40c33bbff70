// AccessRecheck: keep, run again on replaced bytes, compare, put back.
#include "harness/access/recheck.hpp"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

namespace detent::harness {
namespace {

constexpr std::uint64_t kBesideBytes = 4096;  // no guard zone is smaller
constexpr std::uint8_t kFlip = 0xa5;          // no byte stays what it is

ByteRanges regions_and_beside(const ProbedMemory& memory) {
  std::vector<ByteRange> ranges;
  for (std::uint32_t i = 0; i < memory.desc().region_count; ++i) {
    const std::uint64_t begin = memory.region_begin(i);
    const std::uint64_t end = begin + memory.desc().regions[i].size_bytes + kBesideBytes;
    ranges.push_back({begin - kBesideBytes, std::min(end, memory.block_bytes())});
  }
  return make_ranges(std::move(ranges));
}

}  // namespace

AccessRecheck::AccessRecheck(const ProbedMemory& memory)
    : memory_(memory),
      compared_(regions_and_beside(memory)),
      before_(memory.block_bytes()),
      after_(memory.block_bytes()),
      replaced_(memory.block_bytes()) {}

void AccessRecheck::begin() { copy(compared_, memory_.block(), before_.as<std::uint8_t>()); }

ByteRanges AccessRecheck::changed() const {
  return changed_bytes(compared_, before_.as<std::uint8_t>(), memory_.block());
}

bool AccessRecheck::agrees(const detent_entity& entity, std::int32_t code, const ByteRanges& early,
                           const ByteRanges& writes) {
  const auto* const before = before_.as<std::uint8_t>();
  auto* const after = after_.as<std::uint8_t>();
  auto* const replaced = replaced_.as<std::uint8_t>();
  copy(compared_, memory_.block(), after);
  for (const ByteRange& range : compared_) {
    for (std::uint64_t i = range.begin; i < range.end; ++i) replaced[i] = before[i] ^ kFlip;
  }
  copy(intersection(early, compared_), before, replaced);
  copy(compared_, replaced, memory_.block());
  const bool same_code = entity.run(&entity.args) == code;
  const bool same_bytes = same(intersection(compared_, writes), after) && same(difference(compared_, writes), replaced);
  copy(compared_, after, memory_.block());
  return same_code && same_bytes;
}

void AccessRecheck::copy(const ByteRanges& ranges, const std::uint8_t* from, std::uint8_t* to) const {
  for (const ByteRange& range : ranges) std::memcpy(to + range.begin, from + range.begin, range.end - range.begin);
}

bool AccessRecheck::same(const ByteRanges& ranges, const std::uint8_t* expected) const {
  return std::ranges::all_of(ranges, [&](const ByteRange& range) {
    return std::memcmp(memory_.block() + range.begin, expected + range.begin, range.end - range.begin) == 0;
  });
}

}  // namespace detent::harness
