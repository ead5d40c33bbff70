// Desc -> RaceReport. Per block of columns: closure, conflicts and shared groups as bits; races are what is left over.
#include "verify/static/buffer_race.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "base/counted.hpp"
#include "base/ids.hpp"
#include "verify/graph/guards.hpp"
#include "verify/graph/schedule.hpp"
#include "verify/static/access_table.hpp"
#include "verify/static/conflict_block.hpp"
#include "verify/static/pairwise_races.hpp"
#include "verify/static/race_list.hpp"
#include "verify/static/sharing_block.hpp"
#include "verify/verdict/findings.hpp"
#include "verify/verdict/names.hpp"

namespace detent::verify {
namespace {

using Bits = std::vector<Word>;

std::uint64_t count_bits(const Bits& bits) {
  std::uint64_t count = 0;
  for (const Word word : bits) count += static_cast<std::uint64_t>(std::popcount(word));
  return count;
}

bool any_bit(const Bits& bits) {
  return std::any_of(bits.begin(), bits.end(), [](Word word) { return word != 0; });
}

template <typename Visit>
void for_each_bit(const Bits& bits, Visit visit) {
  for (std::uint32_t w = 0; w < bits.size(); ++w) {
    for (Word rest = bits[w]; rest != 0; rest &= rest - 1) {
      visit(w * 64 + static_cast<std::uint32_t>(std::countr_zero(rest)));
    }
  }
}

std::uint32_t region_of(const Access& access) { return static_cast<std::uint32_t>(access.begin / kRegionSpacing); }

/// Narrows the blocks of op graphs with very many accesses per op, so that ConflictBlock stays within 256 MiB a side.
std::uint32_t choose_width(const AccessTable& table, const Order& order) {
  constexpr std::uint64_t kMaxBytes = std::uint64_t{256} << 20;
  std::uint32_t width = block_width(order.op_count());
  for (; width > 64; width = std::max(64U, width / 2 / 64 * 64)) {
    std::uint64_t most = 0;
    for (std::uint32_t first = 0; first < order.op_count(); first += width) {
      std::uint64_t accesses = 0;
      for (std::uint32_t p = first; p < std::min(first + width, order.op_count()); ++p) {
        accesses += std::max(table.reads(p).size(), table.writes(p).size());
      }
      most = std::max(most, accesses);
    }
    if (most * width / 4 <= kMaxBytes) break;
  }
  return width;
}

class RaceFinder {
 public:
  RaceFinder(const detent_desc& desc, const RaceOptions& options)
      : desc_(desc),
        order_(desc),
        table_(desc, order_),
        mutexes_(mutexes_by_position(desc, order_)),
        commutes_(commute_groups_by_position(desc, order_)),
        guards_(options.values, desc.op_count),
        width_(options.block_columns != 0 ? options.block_columns : choose_width(table_, order_)),
        reach_(order_, width_),
        conflicts_(table_, width_),
        mutex_block_(mutexes_, width_),
        commute_block_(commutes_, width_),
        exclusions_(guards_, order_),
        races_{{}, RaceCollector(options.max_listed)},
        order_dependent_{{}, RaceCollector(options.max_listed)} {
    for (Bits* bits : {&real_, &row_, &shared_, &racing_, &kind_, &wanted_}) bits->resize(width_ / 64);
  }

  RaceReport find() {
    report_.are_all_ordered = true;
    for (std::uint32_t first = 0; first < order_.op_count(); first += width_) judge_block(first);
    const std::uint64_t pairs = real_count_ == 0 ? 0 : real_count_ * (real_count_ - 1) / 2;
    report_.unordered_pairs = pairs - ordered_pairs_;
    report_.conflicting_pairs = conflicting_pairs_;
    races_.list.listed = races_.collector.finish(desc_);
    order_dependent_.list.listed = order_dependent_.collector.finish(desc_);
    report_.races = std::move(races_.list);
    report_.order_dependent = std::move(order_dependent_.list);
    return std::move(report_);
  }

 private:
  struct Output {
    RaceList list;
    RaceCollector collector;
  };

  void judge_block(std::uint32_t first) {
    reach_.compute(first);
    conflicts_.load(first, reach_.column_count());
    mutex_block_.load(first, reach_.column_count());
    commute_block_.load(first, reach_.column_count());
    exclusions_.load(first, reach_.column_count());
    mark_real_columns();
    for (std::uint32_t p = 0; p < first + reach_.column_count(); ++p) {
      if (is_real(p)) count_ordered(p);
      judge_row(p);
    }
  }

  [[nodiscard]] bool is_real(Position position) const {
    return (desc_.ops[order_.op_at(position)].flags & DETENT_OP_DELAY) == 0;
  }

  void mark_real_columns() {
    std::fill(real_.begin(), real_.end(), Word{0});
    for (std::uint32_t c = 0; c < reach_.column_count(); ++c) {
      if (is_real(reach_.first() + c)) real_[c / 64] |= Word{1} << (c % 64);
    }
    real_count_ += count_bits(real_);
  }

  void count_ordered(Position position) {
    const Word* const reach = reach_.row(position);
    for (std::uint32_t w = 0; w < reach_.words(); ++w) {
      ordered_pairs_ += static_cast<std::uint64_t>(std::popcount(reach[w] & real_[w]));
    }
  }

  void judge_row(Position position) {
    std::fill(row_.begin(), row_.end(), Word{0});
    for (const Access& access : table_.writes(position)) {
      conflicts_.add_writers(access, row_.data());
      conflicts_.add_readers(access, row_.data());
    }
    for (const Access& access : table_.reads(position)) conflicts_.add_writers(access, row_.data());
    keep_later_columns(position);
    if (guards_.any()) drop_excluded(position);
    conflicting_pairs_ += count_bits(row_);
    const Word* const reach = reach_.row(position);
    for (std::uint32_t w = 0; w < row_.size(); ++w) row_[w] &= ~reach[w];
    if (!any_bit(row_)) return;
    report_.are_all_ordered = false;
    judge_unordered_conflicts(position);
  }

  /// Ops whose guards contradict never both run.
  void drop_excluded(Position position) {
    std::fill(shared_.begin(), shared_.end(), Word{0});
    exclusions_.add_excluded(position, shared_.data());
    const std::uint64_t before = count_bits(row_);
    for (std::uint32_t w = 0; w < row_.size(); ++w) row_[w] &= ~shared_[w];
    report_.exclusive_pairs += before - count_bits(row_);
    if (before != count_bits(row_)) report_.are_all_ordered = false;
  }

  /// Each pair is judged in the row of its earlier op.
  void keep_later_columns(Position position) {
    if (position < reach_.first()) return;
    const std::uint32_t column = position - reach_.first();
    for (std::uint32_t w = 0; w < column / 64; ++w) row_[w] = 0;
    row_[column / 64] &= column % 64 == 63 ? Word{0} : ~Word{0} << (column % 64 + 1);
  }

  void judge_unordered_conflicts(Position position) {
    std::fill(shared_.begin(), shared_.end(), Word{0});
    mutex_block_.add_sharers(position, shared_.data());
    for (std::uint32_t w = 0; w < row_.size(); ++w) racing_[w] = row_[w] & ~shared_[w];
    if (any_bit(racing_)) record(position, races_);
    for (std::uint32_t w = 0; w < row_.size(); ++w) racing_[w] = row_[w] & shared_[w];
    if (!any_bit(racing_)) return;
    std::fill(shared_.begin(), shared_.end(), Word{0});
    commute_block_.add_sharers(position, shared_.data());
    for (std::uint32_t w = 0; w < row_.size(); ++w) racing_[w] &= ~shared_[w];
    if (any_bit(racing_)) record(position, order_dependent_);
  }

  /// Count and list what the columns of racing_ do to the bytes of this row.
  void record(Position position, Output& output) {
    output.list.pairs += count_bits(racing_);
    record_accesses(position, true, output);
    record_accesses(position, false, output);
  }

  /// One pass per region: accesses of a row are sorted by address, dense ones before strided ones.
  void record_accesses(Position position, bool row_writes, Output& output) {
    const std::span<const Access> row = row_writes ? table_.writes(position) : table_.reads(position);
    for (RegionId region = 0; region < desc_.region_count; ++region) {
      if (std::none_of(row.begin(), row.end(), [&](const Access& x) { return region_of(x) == region; })) continue;
      record_kind(position, region, row, {row_writes, true}, output);
      if (row_writes) record_kind(position, region, row, {row_writes, false}, output);
    }
  }

  struct Roles {
    bool row_writes;
    bool column_writes;
  };

  void record_kind(Position position, RegionId region, std::span<const Access> row, Roles roles, Output& output) {
    std::fill(kind_.begin(), kind_.end(), Word{0});
    for (const Access& access : row) {
      if (region_of(access) != region) continue;
      if (roles.column_writes) {
        conflicts_.add_writers(access, kind_.data());
      } else {
        conflicts_.add_readers(access, kind_.data());
      }
    }
    for (std::uint32_t w = 0; w < kind_.size(); ++w) kind_[w] &= racing_[w];
    output.list.count += count_bits(kind_);
    list_kind(order_.op_at(position), region, roles, output.collector);
  }

  void list_kind(std::uint32_t row_op, RegionId region, Roles roles, RaceCollector& collector) {
    if (row_op > collector.last_wanted_op()) keep_columns_up_to(collector.last_wanted_op());
    for_each_bit(kind_, [&](std::uint32_t column) {
      collector.add(row_op, roles.row_writes, order_.op_at(reach_.first() + column), roles.column_writes, region);
    });
  }

  /// Clears the bits of kind_ whose op id is greater than `last_op`.
  void keep_columns_up_to(std::uint32_t last_op) {
    if (wanted_first_ != reach_.first() || wanted_last_op_ != last_op) {
      wanted_first_ = reach_.first();
      wanted_last_op_ = last_op;
      std::fill(wanted_.begin(), wanted_.end(), Word{0});
      for (std::uint32_t c = 0; c < reach_.column_count(); ++c) {
        if (order_.op_at(reach_.first() + c) <= last_op) wanted_[c / 64] |= Word{1} << (c % 64);
      }
    }
    for (std::uint32_t w = 0; w < kind_.size(); ++w) kind_[w] &= wanted_[w];
  }

  const detent_desc& desc_;
  const Order order_;
  const AccessTable table_;
  const Memberships mutexes_, commutes_;
  const Guards guards_;
  const std::uint32_t width_;
  ReachBlock reach_;
  ConflictBlock conflicts_;
  SharingBlock mutex_block_, commute_block_;
  ExclusionBlock exclusions_;
  Bits real_, row_, shared_, racing_, kind_;
  Bits wanted_;  ///< columns of the block at wanted_first_ whose op id is at most wanted_last_op_
  std::uint32_t wanted_first_ = DETENT_NONE, wanted_last_op_ = DETENT_NONE;
  std::uint64_t real_count_ = 0, ordered_pairs_ = 0, conflicting_pairs_ = 0;
  Output races_, order_dependent_;
  RaceReport report_;
};

void add_witnesses(const detent_desc& desc, const RaceReport& report, Verdict& verdict) {
  constexpr std::size_t kListedRaces = 100;
  const Order order(desc);
  std::uint64_t scheduled = 0;
  for (const Race& race : report.races.listed) {
    if (verdict.witnesses.size() >= kListedRaces) break;
    Witness witness{describe_race(desc, race), {race.op_a, race.op_b}, {}};
    scheduled += desc.op_count;
    if (scheduled <= kScheduledOps || verdict.witnesses.empty())
      witness.schedule = make_adjacent_schedule(order, race.op_b, race.op_a);
    verdict.witnesses.push_back(std::move(witness));
  }
}

}  // namespace

RaceReport find_races(const detent_desc& desc, const RaceOptions& options) {
  if (desc.op_count > options.max_counted_ops) {
    if (std::optional<RaceReport> report = find_races_pairwise(desc, options)) return *std::move(report);
  }
  return RaceFinder(desc, options).find();
}

std::string describe_counts(const RaceReport& report) {
  const std::string limit = "above " + std::to_string(kMaxCountedOps) + " ops";
  if (!report.conflicting_pairs) return "pairs not counted " + limit;
  const std::string conflicting = counted(*report.conflicting_pairs, "conflicting pair") + " of ops";
  if (!report.unordered_pairs) return conflicting + " (unordered pairs not counted " + limit + ")";
  return std::to_string(*report.unordered_pairs) + " unordered and " + conflicting;
}

std::string describe_race(const detent_desc& desc, const Race& race) {
  const char* const a_does = race.kind == HazardKind::kWar ? " reads" : " writes";
  const char* const b_does = race.kind == HazardKind::kRaw ? " reads" : " writes";
  return std::string(hazard_name(race.kind)) + ": " + op_name(desc, race.op_a) + a_does + " and " +
         op_name(desc, race.op_b) + b_does + " " +
         byte_range_name(desc, race.region, race.offset_bytes, race.size_bytes) + " (" +
         tensor_name(desc, race.tensor_a) + ", " + tensor_name(desc, race.tensor_b) + "), and no path orders them";
}

Verdict judge_races(const detent_desc& desc, const RaceReport& report) {
  Verdict verdict{Property::kBufferRaces, Outcome::kHolds, "", {}};
  verdict.summary = describe_counts(report) + ": ";
  if (report.races.count == 0) {
    verdict.summary += report.unordered_pairs ? "no pair is both, so" : "no conflicting pair is unordered, so";
    verdict.summary += " on no schedule do two ops meet on a byte that one writes";
    if (report.order_dependent.pairs > 0) {
      verdict.summary += " (" + counted(report.order_dependent.pairs, "pair") + " kept apart by a mutex)";
    }
    if (report.exclusive_pairs > 0) {
      verdict.summary += " (" + counted(report.exclusive_pairs, "further pair") + " of exclusive branches)";
    }
    return verdict;
  }
  verdict.outcome = Outcome::kViolated;
  verdict.summary += counted(report.races.pairs, "racing pair") + ", " + counted(report.races.count, "hazard");
  verdict.total = report.races.count;
  add_witnesses(desc, report, verdict);
  return verdict;
}

Verdict check_buffer_races(const detent_desc& desc) {
  try {
    return judge_races(desc, find_races(desc));
  } catch (const std::invalid_argument& refusal) {
    return {Property::kBufferRaces, Outcome::kUnknown, std::string("not checked: ") + refusal.what(), {}};
  }
}

}  // namespace detent::verify
