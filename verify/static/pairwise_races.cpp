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

/// Takes out those that never both run. @return  how many they are
std::uint64_t drop_exclusive(const Guards& guards, const Order& order, std::vector<PositionPair>& pairs) {
  if (!guards.any()) return 0;
  return std::erase_if(pairs, [&](const PositionPair& pair) {
    return guards.contradict(std::array<std::uint32_t, 2>{order.op_at(pair.from), order.op_at(pair.to)});
  });
}

}  // namespace

std::optional<RaceReport> find_races_pairwise(const detent_desc& desc, const RaceOptions& options) {
  const Order order(desc);
  const AccessTable table(desc, order, {}, AccessTable::Ranks::kLeftOut);
  const Guards guards(options.values, desc.op_count);
  const std::uint64_t most = std::uint64_t{options.max_conflicts_per_op} * desc.op_count;
  std::optional<std::vector<PositionPair>> conflicts = find_conflicting_pairs(table, desc.op_count, most);
  const auto adjacent = find_adjacent_conflicts(table, desc.op_count);
  const bool are_ordered = adjacent && have_paths(order, *adjacent);
  if (!conflicts && (!are_ordered || guards.any())) return std::nullopt;
  RaceReport report;
  if (conflicts) {
    report.exclusive_pairs = drop_exclusive(guards, order, *conflicts);
    report.conflicting_pairs = conflicts->size();
  }
  report.are_all_ordered = are_ordered;
  PairJudge pairs(desc, order, table, options);
  if (!are_ordered) {
    const std::vector<bool> has_path = find_paths(order, *conflicts);
    for (std::size_t i = 0; i < conflicts->size(); ++i) {
      if (!has_path[i]) pairs.judge((*conflicts)[i]);
    }
  }
  pairs.finish(report);
  return report;
}

}  // namespace detent::verify
