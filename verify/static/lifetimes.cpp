// Values in the order in which they begin, each compared with those whose bytes it takes over.
//
// Being in order is transitive, so on each byte only values that follow one another need be compared: a map from bytes
// to the value that had them last gives these pairs, about three per value.
#include "verify/static/lifetimes.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "verify/graph/order.hpp"
#include "verify/graph/precedence.hpp"
#include "verify/graph/schedule.hpp"
#include "verify/graph/values.hpp"
#include "verify/static/access_table.hpp"
#include "verify/static/range_map.hpp"
#include "verify/verdict/findings.hpp"

namespace detent::verify {
namespace {

constexpr std::uint64_t kMostBlocks = 4096;  ///< of one value in the map
constexpr std::uint64_t kMostBlocksInAll = 4'000'000;
constexpr std::size_t kPairsAtOnce = 1'000'000;

/// Which value had each byte last, linear over all regions.
class LastHolders {
 public:
  /// Appends the holders of [begin, end) and makes `value` the holder.
  void take(std::uint64_t begin, std::uint64_t end, std::uint32_t value, std::vector<std::uint32_t>& holders) {
    values_.update(begin, end, [&](std::vector<RangeMap<std::uint32_t>::Range>& known) {
      for (const auto& range : known) holders.push_back(range.entry);
      known.assign(1, {begin, end, value});
    });
  }

 private:
  RangeMap<std::uint32_t> values_;
};

class OverlapSearch {
 public:
  OverlapSearch(const detent_desc& desc, const Order& order, std::size_t max_found)
      : max_found_(max_found), order_(order), values_(desc, order) {}

  std::vector<LifetimeOverlap> run(std::uint64_t* count) {
    take_over_bytes();
    compare_sparse();
    judge();
    if (found_.empty() && excused_) compare_all();
    if (count != nullptr) *count = count_;
    return std::move(found_);
  }

 private:
  [[nodiscard]] const Value& value(std::uint32_t index) const { return values_.all()[index]; }

  void take_over_bytes() {
    LastHolders last;
    std::uint64_t blocks = 0;
    std::vector<std::uint32_t> holders;
    for (std::uint32_t i = 0; i < values_.all().size(); ++i) {
      std::uint64_t own_blocks = 0;
      bool is_dense = true;
      for (const ByteSet& part : value(i).parts) {
        own_blocks += part.count;
        is_dense = is_dense && part.dense();
      }
      if (!is_dense && (own_blocks > kMostBlocks || blocks + own_blocks > kMostBlocksInAll)) {
        sparse_.push_back(i);
        continue;
      }
      blocks += own_blocks;
      holders.clear();
      for (const ByteSet& part : value(i).parts) {
        for (std::uint64_t k = 0; k < part.count; ++k) {
          const std::uint64_t begin = kRegionSpacing * value(i).region + part.begin + k * part.stride_bytes;
          last.take(begin, begin + part.block_bytes, i, holders);
        }
      }
      std::sort(holders.begin(), holders.end());
      holders.erase(std::unique(holders.begin(), holders.end()), holders.end());
      for (const std::uint32_t holder : holders) {
        if (holder != i) pairs_.push_back({holder, i});
      }
    }
  }

  /// Values of too many blocks for the map, against all others.
  void compare_sparse() {
    for (const std::uint32_t i : sparse_) {
      for (std::uint32_t j = 0; j < values_.all().size(); ++j) {
        const bool is_met_again = j < i && std::binary_search(sparse_.begin(), sparse_.end(), j);
        if (j != i && !is_met_again && shared_bytes(i, j)) add_pair({std::min(i, j), std::max(i, j)});
      }
    }
  }

  void compare_all() {
    for (std::uint32_t j = 1; j < values_.all().size() && found_.empty(); ++j) {
      for (std::uint32_t i = 0; i < j; ++i) {
        if (shared_bytes(i, j)) add_pair({i, j});
      }
    }
    judge();
  }

  [[nodiscard]] std::optional<ByteRange> shared_bytes(std::uint32_t i, std::uint32_t j) const {
    if (value(i).region != value(j).region) return std::nullopt;
    return Values::first_shared(value(i), value(j));
  }

  void add_pair(const ValuePair& pair) {
    pairs_.push_back(pair);
    if (pairs_.size() >= kPairsAtOnce) judge();
  }

  void judge() {
    for (const Disorder& disorder : find_disorder(order_, values_, pairs_)) {
      const ValuePair& pair = pairs_[disorder.pair];
      if (values_.kept_apart_by_mutex(value(pair.before), value(pair.after))) {
        excused_ = true;
        continue;
      }
      ++count_;
      if (found_.size() < max_found_) found_.push_back(describe(pair, disorder));
    }
    pairs_.clear();
  }

  /// Where the first value is still in use when the second begins, in the topological order, both live there; else two
  /// users without a path between them can be turned round.
  LifetimeOverlap describe(const ValuePair& pair, const Disorder& disorder) {
    const Value& a = value(pair.before);
    const Value& b = value(pair.after);
    LifetimeOverlap overlap{a.tensor, b.tensor, *shared_bytes(pair.before, pair.after), DETENT_NONE, DETENT_NONE, {}};
    if (a.last() >= b.first() && !values_.handed_over_at(a, b)) {
      overlap.op = values_.op_of(b.first());
      overlap.unordered_op = find_unordered_user(a, b.first());
      if (may_schedule()) overlap.schedule = order_.ops();
    } else {
      overlap.op = values_.op_of(disorder.user_after);
      overlap.unordered_op = values_.op_of(disorder.user_before);
      if (may_schedule()) overlap.schedule = make_adjacent_schedule(order_, overlap.op, overlap.unordered_op);
    }
    return overlap;
  }

  bool may_schedule() {
    scheduled_ += order_.op_count();
    return scheduled_ <= kScheduledOps || found_.empty();
  }

  /// DETENT_NONE where every schedule begins to use the value before the step ends and is not done when it begins;
  /// else a user that no path orders against the step.
  [[nodiscard]] std::uint32_t find_unordered_user(const Value& a, std::uint32_t step) const {
    if (values_.op_of(step) == DETENT_NONE) return DETENT_NONE;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    bool before = a.first() == 0;
    bool after = a.last() == values_.step_after_run();
    for (const std::uint32_t user : a.users) {
      if (user == step) return DETENT_NONE;
      if (values_.op_of(user) != DETENT_NONE) pairs.emplace_back(values_.op_of(user), values_.op_of(step));
    }
    std::uint32_t unordered = DETENT_NONE;
    const std::vector<Relation> relations = relate_pairs(order_, pairs);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      before = before || relations[i] == Relation::kBefore;
      after = after || relations[i] == Relation::kAfter;
      if (relations[i] == Relation::kUnordered && unordered == DETENT_NONE) unordered = pairs[i].first;
    }
    return before && after ? DETENT_NONE : unordered;
  }

  const std::size_t max_found_;
  const Order& order_;
  const Values values_;
  std::vector<ValuePair> pairs_;
  std::vector<std::uint32_t> sparse_;  ///< ascending
  std::vector<LifetimeOverlap> found_;
  std::uint64_t count_ = 0;  ///< of them, kept or not
  std::uint64_t scheduled_ = 0;
  bool excused_ = false;
};

}  // namespace

std::vector<LifetimeOverlap> find_lifetime_overlaps(const detent_desc& desc, const Order& order, std::size_t max_found,
                                                    std::uint64_t* count) {
  return OverlapSearch(desc, order, max_found).run(count);
}

std::vector<LifetimeOverlap> find_lifetime_overlaps(const detent_desc& desc, std::size_t max_found,
                                                    std::uint64_t* count) {
  return find_lifetime_overlaps(desc, Order(desc), max_found, count);
}

}  // namespace detent::verify
