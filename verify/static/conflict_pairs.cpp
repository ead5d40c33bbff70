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

std::vector<Placed> by_first_byte(const AccessTable& table, std::uint32_t op_count) {
  std::vector<Placed> all;
  for (std::uint32_t p = 0; p < op_count; ++p) {
    for (const Access& access : table.reads(p)) all.push_back({access.begin, access.end, &access, p, false});
    for (const Access& access : table.writes(p)) all.push_back({access.begin, access.end, &access, p, true});
  }
  std::ranges::sort(all, {}, [](const Placed& one) { return std::tuple(one.begin, one.position, one.writes); });
  return all;
}

/// Goes through the accesses by their first bytes and keeps those that have not ended.
class PairSweep {
 public:
  explicit PairSweep(const std::vector<Placed>& all) : all_(all) {}

  /// Pairs of accesses of which one writes and whose extents overlap.
  /// @return  false: they are more than `max_pairs`
  bool are_at_most(std::uint64_t max_pairs) {
    std::uint64_t count = 0;
    for_each_open([&](const Placed&, const std::vector<Placed>& open) {
      count += open.size();
      return count <= max_pairs;
    });
    return count <= max_pairs;
  }

  /// `visit(one, other)` of each of them.
  template <typename Visit>
  void for_each(const Visit& visit) {
    for_each_open([&](const Placed& one, const std::vector<Placed>& open) {
      for (const Placed& other : open) visit(one, other);
      return true;
    });
  }

 private:
  /// `visit(one, open)` with what conflicts with it where they share a byte, until it says false.
  template <typename Visit>
  void for_each_open(const Visit& visit) {
    std::vector<Placed> reads, writes;
    for (const Placed& one : all_) {
      const auto has_ended = [&](const Placed& other) { return other.end <= one.begin; };
      std::erase_if(writes, has_ended);
      if (!visit(one, writes)) return;
      if (one.writes) {
        std::erase_if(reads, has_ended);
        if (!visit(one, reads)) return;
      }
      (one.writes ? writes : reads).push_back(one);
    }
  }

  const std::vector<Placed>& all_;
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

std::uint64_t most_decided_pairs(std::uint32_t op_count) {
  constexpr std::uint64_t kFewPerOp = 16, kOpsPerPair = 1024, kMostInAll = std::uint64_t{1} << 27;
  const std::uint64_t few = kFewPerOp * op_count;
  return std::max(few, std::min(std::uint64_t{op_count} * op_count / kOpsPerPair, kMostInAll));
}

std::optional<Rows<std::uint32_t>> find_conflicting_pairs(const AccessTable& table, std::uint32_t op_count,
                                                          std::uint64_t max_pairs) {
  const std::vector<Placed> all = by_first_byte(table, op_count);
  PairSweep sweep(all);
  if (!sweep.are_at_most(max_pairs)) return std::nullopt;
  const auto share_a_byte = [&](const Access& a, const Access& b) {
    const bool are_dense = a.strided == DETENT_NONE && b.strided == DETENT_NONE;
    return are_dense || table.share_a_byte(a, b);
  };
  Rows<std::uint32_t> pairs(op_count, [&](const auto& put) {
    sweep.for_each([&](const Placed& one, const Placed& other) {
      if (one.position == other.position || !share_a_byte(*one.access, *other.access)) return;
      put(std::max(one.position, other.position), std::min(one.position, other.position));
    });
  });
  pairs.keep_each_once();
  return pairs;
}

std::optional<std::vector<PositionPair>> find_adjacent_conflicts(const AccessTable& table, std::uint32_t op_count) {
  return AdjacentSearch(table, op_count).run();
}

bool have_paths(const Order& order, const std::vector<PositionPair>& pairs) {
  const std::vector<bool> has_path = find_paths(order, pairs);
  return std::ranges::all_of(has_path, [](bool one) { return one; });
}

}  // namespace detent::verify
