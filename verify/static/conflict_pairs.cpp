// Accesses by address -> conflicting pairs; accesses in serial order -> those that follow one another on some byte.
#include "verify/static/conflict_pairs.hpp"

#include <algorithm>
#include <tuple>

#include "verify/static/byte_history.hpp"

namespace detent::verify {
namespace {

struct Placed {
  std::uint64_t begin, end;
  const Access* access;
  std::uint32_t position;
  bool writes;
};

/// Goes through the accesses by their first bytes and keeps those that have not ended.
class PairSweep {
 public:
  PairSweep(const AccessTable& table, std::uint64_t max_pairs) : table_(table), max_pairs_(max_pairs) {}

  /// @return  false: too many pairs
  bool add(const Placed& placed) {
    if (!meet(placed, writes_)) return false;
    if (placed.writes && !meet(placed, reads_)) return false;
    (placed.writes ? writes_ : reads_).push_back(placed);
    return true;
  }

  std::vector<PositionPair> finish() {
    const auto key = [](const PositionPair& pair) { return std::tuple(pair.from, pair.to); };
    std::ranges::sort(pairs_, {}, key);
    const auto rest = std::ranges::unique(pairs_);
    pairs_.erase(rest.begin(), rest.end());
    return std::move(pairs_);
  }

 private:
  bool meet(const Placed& placed, std::vector<Placed>& open) {
    std::erase_if(open, [&](const Placed& other) { return other.end <= placed.begin; });
    met_ += open.size();
    if (met_ > max_pairs_) return false;
    for (const Placed& other : open) {
      if (other.position == placed.position || !share_a_byte(*other.access, *placed.access)) continue;
      pairs_.push_back({std::min(other.position, placed.position), std::max(other.position, placed.position)});
    }
    return true;
  }

  [[nodiscard]] bool share_a_byte(const Access& a, const Access& b) const {
    const bool are_dense = a.strided == DETENT_NONE && b.strided == DETENT_NONE;
    return are_dense || table_.share_a_byte(a, b);
  }

  const AccessTable& table_;
  const std::uint64_t max_pairs_;
  std::uint64_t met_ = 0;
  std::vector<Placed> reads_, writes_;
  std::vector<PositionPair> pairs_;
};

/// Goes through the ops in serial order.
class AdjacentSearch {
 public:
  AdjacentSearch(const AccessTable& table, std::uint32_t op_count) : table_(table), op_count_(op_count) {}

  std::optional<std::vector<PositionPair>> run() {
    for (std::uint32_t p = 0; p < op_count_; ++p) {
      before_.clear();
      for (const Access& access : table_.reads(p)) {
        if (!visit(access, &ByteHistory::read, p)) return std::nullopt;
      }
      for (const Access& access : table_.writes(p)) {
        if (!visit(access, &ByteHistory::write, p)) return std::nullopt;
      }
      keep_each_once(p);
    }
    return std::move(pairs_);
  }

 private:
  using Note = void (ByteHistory::*)(std::uint64_t, std::uint64_t, std::uint32_t, std::vector<std::uint32_t>&);

  bool visit(const Access& access, Note note, std::uint32_t position) {
    const ByteSet bytes = table_.bytes_of_access(access);
    if (!bytes.dense()) blocks_ += bytes.count;
    if (blocks_ > kMostStridedBlocks) return false;
    for (std::uint64_t k = 0; k < bytes.count; ++k) {
      const std::uint64_t begin = bytes.begin + k * bytes.stride_bytes;
      (history_.*note)(begin, begin + bytes.block_bytes, position, before_);
    }
    return true;
  }

  void keep_each_once(std::uint32_t position) {
    std::ranges::sort(before_);
    const auto rest = std::ranges::unique(before_);
    before_.erase(rest.begin(), rest.end());
    for (const std::uint32_t from : before_) {
      if (from != position) pairs_.push_back({from, position});
    }
  }

  const AccessTable& table_;
  const std::uint32_t op_count_;
  ByteHistory history_;
  std::uint64_t blocks_ = 0;
  std::vector<std::uint32_t> before_;
  std::vector<PositionPair> pairs_;
};

}  // namespace

std::optional<std::vector<PositionPair>> find_conflicting_pairs(const AccessTable& table, std::uint32_t op_count,
                                                                std::uint64_t max_pairs) {
  std::vector<Placed> all;
  for (std::uint32_t p = 0; p < op_count; ++p) {
    for (const Access& access : table.reads(p)) all.push_back({access.begin, access.end, &access, p, false});
    for (const Access& access : table.writes(p)) all.push_back({access.begin, access.end, &access, p, true});
  }
  std::ranges::sort(all, {}, [](const Placed& one) { return std::tuple(one.begin, one.position, one.writes); });
  PairSweep sweep(table, max_pairs);
  for (const Placed& placed : all) {
    if (!sweep.add(placed)) return std::nullopt;
  }
  return sweep.finish();
}

std::optional<std::vector<PositionPair>> find_adjacent_conflicts(const AccessTable& table, std::uint32_t op_count) {
  return AdjacentSearch(table, op_count).run();
}

bool have_paths(const Order& order, const std::vector<PositionPair>& pairs) {
  const std::vector<bool> has_path = find_paths(order, pairs);
  return std::ranges::all_of(has_path, [](bool one) { return one; });
}

}  // namespace detent::verify
