// ProbedMemory: all regions of a Desc in one block of memory, with guard zones between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <detent/desc.h>

#include "base/ids.hpp"
#include "harness/access/report.hpp"

namespace detent::harness {

/// Zeroed pages from the system, not backed before they are touched.
class ZeroPages {
 public:
  /// @throws std::invalid_argument  the system does not give so many
  explicit ZeroPages(std::uint64_t bytes);
  ~ZeroPages();
  ZeroPages(const ZeroPages&) = delete;
  ZeroPages& operator=(const ZeroPages&) = delete;
  template <typename T>
  [[nodiscard]] T* as() const {
    return static_cast<T*>(memory_);
  }

 private:
  void* memory_;
  std::uint64_t bytes_;
};

/// Positions in the block are counted from its first byte. WEIGHTS regions are copied into it, so that writes to them
/// are seen too.
class ProbedMemory {
 public:
  /// @param desc         has passed detent_check; outlives this
  /// @param guard_bytes  least distance between regions, a multiple of 4096; 0: chosen, up to 1 MiB
  ProbedMemory(const detent_desc& desc, std::uint64_t guard_bytes);
  ProbedMemory(const ProbedMemory&) = delete;
  ProbedMemory& operator=(const ProbedMemory&) = delete;

  /// The Desc over this memory; the same but for the addresses of weights.
  [[nodiscard]] const detent_desc& desc() const { return desc_; }
  /// For detent_config.region_bases.
  [[nodiscard]] void* const* region_bases() const { return bases_.data(); }
  [[nodiscard]] std::uint8_t* block() const { return block_; }
  [[nodiscard]] std::uint64_t block_bytes() const { return block_bytes_; }
  /// Position of a region's first byte.
  [[nodiscard]] std::uint64_t region_begin(RegionId region) const { return begins_[region]; }

  /// Positions that an op declares in one role.
  [[nodiscard]] ByteRanges declared(const detent_slice& slice) const;
  /// Sets of positions -> sets by region, and what lies in guard zones.
  [[nodiscard]] OpAccess by_region(const ByteRanges& reads, const ByteRanges& writes, const ByteRanges& early,
                                   AccessMethod method) const;

 private:
  void place_regions(std::uint64_t guard_bytes);
  void split(const ByteRanges& from, ByteRanges RegionAccess::*member, bool is_write, OpAccess& to) const;
  static void add_piece(ByteRange piece, ByteRanges RegionAccess::*member, RegionId region, OpAccess& to);
  [[nodiscard]] std::uint64_t zone_end(RegionId region) const;

  detent_desc desc_;
  std::vector<detent_region> regions_;
  std::vector<std::uint64_t> begins_;
  std::vector<void*> bases_;
  std::uint64_t block_bytes_ = 0;
  std::uint64_t align_bytes_ = 1;
  std::unique_ptr<ZeroPages> pages_;
  std::uint8_t* block_ = nullptr;
};

}  // namespace detent::harness
