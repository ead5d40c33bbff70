// Desc -> conflicting pairs -> those without a path -> RaceReport.
#include "verify/static/pairwise_races.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "verify/graph/guards.hpp"
#include "verify/graph/paths.hpp"
#include "verify/static/access_table.hpp"
#include "verify/static/conflict_pairs.hpp"
#include "verify/static/race_list.hpp"
#include "verify/static/sharing_block.hpp"

namespace detent::verify {
namespace {

std::uint32_t region_with(const Access& access) { return static_cast<std::uint32_t>(access.begin / kRegionSpacing); }

class PairJudge {
 public:
  PairJudge(const detent_desc& desc, const Order& order, const AccessTable& table, const RaceOptions& options)
      : desc_(desc),
        order_(order),
        table_(table),
        mutexes_(mutexes_by_position(desc, order)),
        commutes_(commute_groups_by_position(desc, order)),
        races_{{}, RaceCollector(options.max_listed)},
        order_dependent_{{}, RaceCollector(options.max_listed)} {}

  /// A conflicting pair that no path orders.
  void judge(const PositionPair& pair) {
    if (!share_a_group(mutexes_, pair)) return record(pair, races_);
    if (!share_a_group(commutes_, pair)) record(pair, order_dependent_);
  }

  void finish(RaceReport& report) {
    races_.list.listed = races_.collector.finish(desc_);
    order_dependent_.list.listed = order_dependent_.collector.finish(desc_);
    report.races = std::move(races_.list);
    report.order_dependent = std::move(order_dependent_.list);
  }

 private:
  struct Output {
    RaceList list;
    RaceCollector collector;
  };

  static bool share_a_group(const Memberships& memberships, const PositionPair& pair) {
    const auto groups = memberships.of(pair.to);
    return std::ranges::any_of(memberships.of(pair.from),
                               [&](std::uint32_t group) { return std::ranges::find(groups, group) != groups.end(); });
  }

  void record(const PositionPair& pair, Output& output) {
    ++output.list.pairs;
    for (const auto& [from_writes, to_writes] : {std::pair(true, true), std::pair(true, false), std::pair(false, true)})
      record_kind(pair, from_writes, to_writes, output);
  }

  /// One race per region.
  void record_kind(const PositionPair& pair, bool from_writes, bool to_writes, Output& output) {
    regions_.clear();
    for (const Access& x : from_writes ? table_.writes(pair.from) : table_.reads(pair.from)) {
      for (const Access& y : to_writes ? table_.writes(pair.to) : table_.reads(pair.to)) {
        if (x.begin < y.end && y.begin < x.end && table_.share_a_byte(x, y)) regions_.push_back(region_with(x));
      }
    }
    std::ranges::sort(regions_);
    const auto rest = std::ranges::unique(regions_);
    regions_.erase(rest.begin(), rest.end());
    output.list.count += regions_.size();
    for (const RegionId region : regions_) {
      output.collector.add(order_.op_at(pair.from), from_writes, order_.op_at(pair.to), to_writes, region);
    }
  }

  const detent_desc& desc_;
  const Order& order_;
  const AccessTable& table_;
  const Memberships mutexes_, commutes_;
  Output races_, order_dependent_;
  std::vector<std::uint32_t> regions_;
};

/// Conflicting pairs, so many at a time that the questions about them stay small.
class PairChunks {
 public:
  PairChunks(const detent_desc& desc, const Order& order, const RaceOptions& options)
      : order_(order), guards_(options.values, desc.op_count) {}

  /// `visit(pairs)` of those that some run has, by the later op, and counts them and the others.
  template <typename Visit>
  void for_each(const Rows<std::uint32_t>& conflicts, RaceReport& report, const Visit& visit) const {
    constexpr std::size_t kPairsOfChunk = std::size_t{1} << 22;
    std::vector<PositionPair> pairs;
    report.conflicting_pairs = 0;
    for (std::uint32_t to = 0; to < conflicts.size(); ++to) {
      for (const std::uint32_t from : conflicts[to]) {
        if (never_meet({from, to})) {
          ++report.exclusive_pairs;
        } else {
          pairs.push_back({from, to});
        }
      }
      if (pairs.size() < kPairsOfChunk && to + 1 < conflicts.size()) continue;
      *report.conflicting_pairs += pairs.size();
      visit(pairs);
      pairs.clear();
    }
  }

 private:
  [[nodiscard]] bool never_meet(const PositionPair& pair) const {
    return guards_.any() &&
           guards_.contradict(std::array<std::uint32_t, 2>{order_.op_at(pair.from), order_.op_at(pair.to)});
  }

  const Order& order_;
  const Guards guards_;
};

/// All pairs that no path orders.
void judge_unordered(const PairChunks& chunks, const Rows<std::uint32_t>& conflicts, const Order& order,
                     PairJudge& judge, RaceReport& report) {
  PathFinder paths(order);
  chunks.for_each(conflicts, report, [&](const std::vector<PositionPair>& pairs) {
    const std::vector<bool> has_path = paths.find(pairs);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (!has_path[i]) judge.judge(pairs[i]);
    }
  });
}

}  // namespace

std::optional<RaceReport> find_races_pairwise(const detent_desc& desc, const RaceOptions& options) {
  const Order order(desc);
  const AccessTable table(desc, order, {}, AccessTable::Ranks::kLeftOut);
  const bool has_guards = Guards(options.values, desc.op_count).any();
  const auto adjacent = find_adjacent_conflicts(table, desc.op_count);
  const bool are_ordered = adjacent && have_paths(order, *adjacent);
  const std::uint64_t counted = std::uint64_t{options.max_conflicts_per_op} * desc.op_count;
  const std::uint64_t decided = options.max_decided_pairs.value_or(most_decided_pairs(desc.op_count));
  const auto conflicts = find_conflicting_pairs(table, desc.op_count, are_ordered && !has_guards ? counted : decided);
  if (!conflicts && (!are_ordered || has_guards)) return std::nullopt;
  RaceReport report;
  report.are_all_ordered = are_ordered;
  PairJudge judge(desc, order, table, options);
  const PairChunks chunks(desc, order, options);
  if (are_ordered) {
    if (conflicts) chunks.for_each(*conflicts, report, [](const std::vector<PositionPair>&) {});
  } else {
    judge_unordered(chunks, *conflicts, order, judge, report);
  }
  judge.finish(report);
  return report;
}

}  // namespace detent::verify
