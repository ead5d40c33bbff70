// Races and value violations -> pairs to be ordered -> edges -> the same questions once more.
#include "verify/repair/edge_repair.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "verify/flow/value_flow.hpp"
#include "verify/graph/order.hpp"
#include "verify/repair/program_order.hpp"
#include "verify/static/buffer_race.hpp"

namespace detent::verify {
namespace {

constexpr std::uint64_t kListedPerRound = 1'000'000;

struct PlanFaults {
  RaceReport races;
  ValueFlowReport flow;
};

PlanFaults find_faults(const detent_desc& desc, const ValueTables* values) {
  RaceOptions race_options;
  race_options.max_listed = kListedPerRound;
  race_options.values = values;
  ValueFlowOptions flow_options;
  flow_options.max_listed = kListedPerRound;
  return {find_races(desc, race_options), find_value_violations(desc, values, flow_options)};
}

/// A read that must come after an op, whatever the program order says.
bool must_be_later(const ValueViolation& violation) {
  const bool is_late = violation.fault == FlowFault::kTooEarly || violation.fault == FlowFault::kUndecided;
  return is_late && !violation.always && violation.writer != DETENT_NONE && violation.reader != DETENT_NONE;
}

bool may_be_moved_away(const ValueViolation& violation) {
  return violation.fault == FlowFault::kOverwritten && !violation.always;
}

/// The program order, changed where it lets a read miss its value although the edges do not ask for that.
class OrderFinder {
 public:
  OrderFinder(const detent_desc& desc, const ValueFlowReport& flow) : desc_(desc), order_(*ProgramOrder::make(desc)) {
    for (const ValueViolation& violation : flow.listed) {
      if (must_be_later(violation)) prefer({violation.writer, violation.reader});
    }
    for (const ValueViolation& violation : flow.listed) {
      if (may_be_moved_away(violation)) move_away(violation);
    }
  }

  [[nodiscard]] const ProgramOrder& order() const { return order_; }

 private:
  /// @return  false: it cannot be so
  bool prefer(const OpEdge& pair) {
    if (order_.position_of(pair.from) < order_.position_of(pair.to)) {
      first_.push_back(pair);
      return true;
    }
    if (tries_ == kMaxTries) return false;
    ++tries_;
    first_.push_back(pair);
    if (auto changed = ProgramOrder::make(desc_, first_)) {
      order_ = std::move(*changed);
      return true;
    }
    first_.pop_back();
    return false;
  }

  /// An op in the way belongs before the writer or behind the reader.
  void move_away(const ValueViolation& violation) {
    const std::uint32_t op = order_.position_of(violation.in_the_way);
    const bool has_writer = violation.writer != DETENT_NONE;
    const bool has_reader = violation.reader != DETENT_NONE;
    if (has_writer && op < order_.position_of(violation.writer)) return;
    if (has_reader && op > order_.position_of(violation.reader)) return;
    if (has_writer && prefer({violation.in_the_way, violation.writer})) return;
    if (has_reader) (void)prefer({violation.reader, violation.in_the_way});
  }

  static constexpr std::uint32_t kMaxTries = 1000;
  const detent_desc& desc_;
  ProgramOrder order_;
  std::vector<OpEdge> first_;
  std::uint32_t tries_ = 0;
};

class Repairer {
 public:
  Repairer(const detent_desc& desc, const ValueTables* values, const LeastEdgesOptions& options)
      : desc_(desc), values_(values), options_(options) {}

  EdgeRepair find() {
    PlanFaults faults = find_faults(desc_, values_);
    const OrderFinder finder(desc_, faults.flow);
    order_ = &finder.order();
    repair_.before = repair_.after = critical_path(desc_);
    repair_.is_least = true;
    repair_.is_beyond_edges = faults.flow.always != 0;
    constexpr int kMaxRounds = 100;
    for (int round = 0; round < kMaxRounds && add_pairs(faults); ++round) {
      take(find_least_edges(order_->op_count(), order_->arcs(), wanted_, options_));
      const ExtendedDesc mended(desc_, repair_.edges);
      faults = find_faults(mended.desc(), values_);
      repair_.after = critical_path(mended.desc());
    }
    const bool has_races = faults.races.races.count != 0 || faults.races.order_dependent.count != 0;
    repair_.left_violations = faults.flow.count;
    repair_.mends = !has_races && faults.flow.count == 0;
    repair_.pair_count = wanted_.size();
    return std::move(repair_);
  }

 private:
  /// @return  there are some that were not known
  bool add_pairs(const PlanFaults& faults) {
    const std::size_t known = wanted_.size();
    for (const RaceList* list : {&faults.races.races, &faults.races.order_dependent}) {
      for (const Race& race : list->listed) add(race.op_a, race.op_b);
    }
    for (const ValueViolation& violation : faults.flow.listed) {
      if (must_be_later(violation)) add_as(violation.writer, violation.reader);
      if (may_be_moved_away(violation)) add_as_program(violation);
    }
    std::ranges::sort(wanted_);
    const auto repeated = std::ranges::unique(wanted_);
    wanted_.erase(repeated.begin(), repeated.end());
    return wanted_.size() != known;
  }

  void add_as_program(const ValueViolation& violation) {
    const std::uint32_t op = violation.in_the_way;
    if (violation.writer != DETENT_NONE) add_as(op, violation.writer);
    if (violation.reader != DETENT_NONE) add_as(violation.reader, op);
  }

  void add(OpId a, OpId b) {
    const std::uint32_t x = order_->position_of(a);
    const std::uint32_t y = order_->position_of(b);
    wanted_.push_back({std::min(x, y), std::max(x, y)});
  }

  /// If the program has them in this order.
  void add_as(OpId before, OpId after) {
    if (order_->position_of(before) < order_->position_of(after)) add(before, after);
  }

  void take(const LeastEdges& least) {
    repair_.is_least = least.is_least;
    repair_.edges.clear();
    for (const Arc& arc : least.arcs) repair_.edges.push_back({order_->op_at(arc.from), order_->op_at(arc.to)});
    std::ranges::sort(repair_.edges);
  }

  const detent_desc& desc_;
  const ValueTables* const values_;
  const LeastEdgesOptions options_;
  const ProgramOrder* order_ = nullptr;
  std::vector<Arc> wanted_;
  EdgeRepair repair_;
};

std::uint64_t longest_path(const detent_desc& desc, const Order& order, bool is_time) {
  std::vector<std::uint64_t> ready(order.op_count(), 0);
  std::uint64_t longest = 0;
  for (std::uint32_t position = 0; position < order.op_count(); ++position) {
    const OpId op = order.op_at(position);
    const bool is_pseudo = (desc.ops[op].flags & DETENT_OP_DELAY) != 0;
    const std::uint64_t length = is_time ? desc.costs[op].worst_ps : is_pseudo ? 0U : 1U;
    const std::uint64_t end = ready[position] + length;
    longest = std::max(longest, end);
    for (const std::uint32_t next : order.successors(position)) ready[next] = std::max(ready[next], end);
  }
  return longest;
}

}  // namespace

CriticalPath critical_path(const detent_desc& desc) {
  const Order order(desc);
  bool is_time = desc.costs != nullptr;
  for (OpId op = 0; is_time && op < desc.op_count; ++op) is_time = desc.costs[op].worst_ps != UINT64_MAX;
  const std::uint64_t time = is_time ? longest_path(desc, order, true) : 0;
  if (time != 0) return {time, true};
  return {longest_path(desc, order, false), false};
}

EdgeRepair find_edge_repair(const detent_desc& desc, const ValueTables* values, const LeastEdgesOptions& options) {
  return Repairer(desc, values, options).find();
}

}  // namespace detent::verify
