// AccessTable: which bytes every op reads and writes, as the race analysis needs them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <detent/desc.h>

#include "base/ids.hpp"
#include "verify/graph/byte_set.hpp"
#include "verify/graph/order.hpp"

namespace detent::verify {

/// Bytes that one op touches. Addresses are linear over all regions, which stand kRegionSpacing apart.
struct Access {
  std::uint64_t begin = 0;  ///< extent
  std::uint64_t end = 0;
  std::uint32_t begin_rank = 0;  ///< rank of begin and of end among all begins and ends of the table
  std::uint32_t end_rank = 0;
  std::uint32_t strided = DETENT_NONE;  ///< index into AccessTable::strided_sets; DETENT_NONE: every byte of the extent
};

/// Larger than any extent of a region, so that accesses of two regions never touch.
inline constexpr std::uint64_t kRegionSpacing = DETENT_MAX_BYTES * 4;

/// Reads and writes of all ops by topological position. Inputs and weights are reads; outputs and scratch are writes.
/// Dense accesses of one op that touch or overlap are one access. Reads of regions that no op writes are left out:
/// they conflict with nothing.
class AccessTable {
 public:
  enum class Ranks : std::uint8_t { kGiven, kLeftOut };

  /// @throws std::invalid_argument  an index lies outside its table or a tensor's bytes wrap (see has_sound_bytes)
  /// @param wanted  rows of further bytes that accesses are compared with, linear over all regions
  /// @param ranks   kLeftOut: for those who do not ask for ranks; they take a sort
  AccessTable(const detent_desc& desc, const Order& order, const std::vector<std::vector<ByteSet>>& wanted = {},
              Ranks ranks = Ranks::kGiven);

  [[nodiscard]] std::span<const Access> reads(Position position) const { return reads_.of(position); }
  [[nodiscard]] std::span<const Access> writes(Position position) const { return writes_.of(position); }
  [[nodiscard]] std::span<const Access> wanted(std::uint32_t row) const { return wanted_.of(row); }
  /// Number of different begins and ends; ranks are below it.
  [[nodiscard]] std::uint32_t rank_count() const { return rank_count_; }
  /// Linear over all regions, as the access.
  [[nodiscard]] ByteSet bytes_of_access(const Access& access) const;
  /// True when the bytes of two accesses whose extents overlap share a byte.
  [[nodiscard]] bool share_a_byte(const Access& a, const Access& b) const;

 private:
  struct Rows {
    std::vector<Access> entries;
    std::vector<std::uint32_t> first{0};
    [[nodiscard]] std::span<const Access> of(std::uint32_t p) const {
      return {entries.data() + first[p], first[p + 1] - first[p]};
    }
    void close_row() { first.push_back(static_cast<std::uint32_t>(entries.size())); }
  };

  void add(const detent_desc& desc, const detent_slice& slice, const std::vector<bool>& wanted_regions, Rows& rows);
  void add_bytes(const ByteSet& bytes, Rows& rows);
  void merge_open_row(Rows& rows);
  void rank_addresses();

  Rows reads_, writes_, wanted_;
  std::vector<ByteSet> strided_sets_;
  std::uint32_t rank_count_ = 0;
};

/// Throws std::invalid_argument unless the tensor slices of every op name existing tensors with sound bytes in
/// existing regions.
void require_sound_accesses(const detent_desc& desc);

}  // namespace detent::verify
