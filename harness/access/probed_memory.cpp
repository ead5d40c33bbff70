// ProbedMemory: guard, region, guard, region, ..., guard.
#include "harness/access/probed_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

#include "base/assert.hpp"

namespace detent::harness {
namespace {

constexpr std::uint64_t kPageBytes = 4096;
constexpr std::uint64_t kMaxGuardBytes = std::uint64_t{1} << 20;
constexpr std::uint64_t kAllGuardBytes = std::uint64_t{1} << 30;

std::uint64_t round_up(std::uint64_t value, std::uint64_t align) { return (value + align - 1) / align * align; }

std::uint64_t choose_guard(std::uint32_t region_count) {
  return round_up(std::clamp(kAllGuardBytes / (region_count + 1), kPageBytes, kMaxGuardBytes), kPageBytes);
}

}  // namespace

ZeroPages::ZeroPages(std::uint64_t bytes)
    : memory_(::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)),
      bytes_(bytes) {
  if (memory_ == MAP_FAILED) {
    throw std::invalid_argument("access audit: " + std::to_string(bytes) +
                                " bytes of memory are not to be had; audit a smaller model or raise the limit");
  }
}

ZeroPages::~ZeroPages() { ::munmap(memory_, bytes_); }

ProbedMemory::ProbedMemory(const detent_desc& desc, std::uint64_t guard_bytes)
    : desc_(desc), regions_(desc.regions, desc.regions + desc.region_count) {
  place_regions(guard_bytes != 0 ? guard_bytes : choose_guard(desc.region_count));
  pages_ = std::make_unique<ZeroPages>(block_bytes_ + align_bytes_);
  block_ =
      reinterpret_cast<std::uint8_t*>(round_up(reinterpret_cast<std::uintptr_t>(pages_->as<void>()), align_bytes_));
  for (std::uint32_t i = 0; i < desc.region_count; ++i) {
    bases_.push_back(block_ + begins_[i]);
    if (regions_[i].kind != DETENT_REGION_WEIGHTS) continue;
    std::memcpy(bases_[i], desc.regions[i].data, regions_[i].size_bytes);
    regions_[i].data = bases_[i];
  }
  desc_.regions = regions_.data();
}

void ProbedMemory::place_regions(std::uint64_t guard_bytes) {
  DETENT_ASSERT(guard_bytes % kPageBytes == 0);
  std::uint64_t at = guard_bytes;
  for (const detent_region& region : regions_) {
    const std::uint64_t align = std::max<std::uint64_t>(region.align_bytes, DETENT_CACHE_LINE);
    align_bytes_ = std::max(align_bytes_, align);
    at = round_up(at, align);
    begins_.push_back(at);
    at += region.size_bytes + guard_bytes;
  }
  block_bytes_ = round_up(at, kPageBytes);
}

ByteRanges ProbedMemory::declared(const detent_slice& slice) const {
  std::vector<ByteRange> blocks;
  for (std::uint32_t i = slice.first; i < slice.first + slice.count; ++i) {
    const detent_tensor& tensor = desc_.tensors[desc_.tensor_refs[i]];
    append_blocks(tensor, begins_[tensor.region], blocks);
  }
  return make_ranges(std::move(blocks));
}

OpAccess ProbedMemory::by_region(const ByteRanges& reads, const ByteRanges& writes, const ByteRanges& early,
                                 AccessMethod method) const {
  OpAccess access{.method = method, .regions = {}, .strays = {}};
  split(reads, &RegionAccess::reads, false, access);
  split(writes, &RegionAccess::writes, true, access);
  split(intersection(early, reads), &RegionAccess::early_reads, false, access);
  return access;
}

/// The middle of the guard zone behind a region: from there on, positions count as before the next one.
std::uint64_t ProbedMemory::zone_end(RegionId region) const {
  if (region + 1 == regions_.size()) return block_bytes_;
  const std::uint64_t end = begins_[region] + regions_[region].size_bytes;
  return end + (begins_[region + 1] - end) / 2;
}

void ProbedMemory::split(const ByteRanges& from, ByteRanges RegionAccess::*member, bool is_write, OpAccess& to) const {
  if (regions_.empty()) return;
  for (const ByteRange& range : from) {
    const auto after = std::ranges::upper_bound(begins_, range.begin);
    auto region = static_cast<std::uint32_t>(std::max<std::ptrdiff_t>(after - begins_.begin(), 1) - 1);
    if (range.begin >= zone_end(region)) ++region;
    for (std::uint64_t at = range.begin; at < range.end; ++region) {
      const std::uint64_t begin = begins_[region];
      const std::uint64_t end = begin + regions_[region].size_bytes;
      for (const std::uint64_t stop : {begin, end, zone_end(region)}) {
        const ByteRange piece{at, std::min(stop, range.end)};
        if (piece.begin >= piece.end) continue;
        if (stop == end) {
          add_piece({piece.begin - begin, piece.end - begin}, member, region, to);
        } else if (member != &RegionAccess::early_reads) {
          to.strays.push_back({region, static_cast<std::int64_t>(piece.begin - begin),
                               static_cast<std::int64_t>(piece.end - begin), is_write});
        }
        at = piece.end;
      }
    }
  }
}

void ProbedMemory::add_piece(ByteRange piece, ByteRanges RegionAccess::*member, RegionId region, OpAccess& to) {
  auto place = std::ranges::lower_bound(to.regions, region, {}, &RegionAccess::region);
  if (place == to.regions.end() || place->region != region) {
    place = to.regions.insert(place, {.region = region, .reads = {}, .writes = {}, .early_reads = {}});
  }
  ((*place).*member).push_back(piece);
}

}  // namespace detent::harness
