// Guards of ops and of the ops that decide -> conditions, and what follows from them.
#include "verify/graph/guards.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace detent::verify {
namespace {

constexpr std::size_t kMaxConditionGuards = 64;
constexpr std::uint32_t kMaxCases = 100'000;

const Condition& empty_condition() {
  static const Condition kEmpty;
  return kEmpty;
}

/// What is left of a case where a decision has come out so. @return false: nothing, the case does not hold
bool reduce(const Condition& from, const Guard& known, Condition& to) {
  for (const Guard& guard : from) {
    if (guard.decision != known.decision) {
      to.push_back(guard);
    } else if (guard.outcome != known.outcome) {
      return false;
    }
  }
  return true;
}

}  // namespace

Guards::Guards(const ValueTables* tables, std::uint32_t op_count) {
  if (tables == nullptr || !tables->has_guards()) return;
  for (const Decision& decision : tables->decisions) {
    outcome_counts_.push_back(std::max<std::uint32_t>(2, static_cast<std::uint32_t>(decision.outcomes.size())));
  }
  conditions_.resize(op_count);
  never_.resize(op_count);
  for (OpId op = 0; op < op_count && op < tables->guards.size(); ++op) close(*tables, op);
}

void Guards::close(const ValueTables& tables, OpId op) {
  if (tables.guards[op].empty()) return;
  Condition& condition = conditions_[op];
  std::vector<Guard> waiting = tables.guards[op];
  while (!waiting.empty()) {
    const Guard guard = waiting.back();
    waiting.pop_back();
    if (guard.decision >= tables.decisions.size()) {
      throw std::invalid_argument("op " + std::to_string(op) + ": a guard names a decision that does not exist");
    }
    const auto known = std::ranges::find(condition, guard.decision, &Guard::decision);
    if (known != condition.end()) {
      if (known->outcome != guard.outcome) never_[op] = true;
      continue;
    }
    condition.push_back(guard);
    if (condition.size() > kMaxConditionGuards) {
      throw std::invalid_argument("op " + std::to_string(op) + " depends on more than " +
                                  std::to_string(kMaxConditionGuards) + " decisions; nest fewer");
    }
    const std::uint32_t decider = tables.decisions[guard.decision].op;
    if (decider >= tables.guards.size()) continue;
    waiting.insert(waiting.end(), tables.guards[decider].begin(), tables.guards[decider].end());
  }
  std::ranges::sort(condition, {}, &Guard::decision);
}

const Condition& Guards::of(std::uint32_t op) const {
  return op < conditions_.size() ? conditions_[op] : empty_condition();
}

bool Guards::join(std::span<const std::uint32_t> ops, Condition& joined) const {
  for (const std::uint32_t op : ops) {
    if (never_runs(op)) return false;
    for (const Guard& guard : of(op)) {
      const auto known = std::ranges::find(joined, guard.decision, &Guard::decision);
      if (known == joined.end()) {
        joined.push_back(guard);
      } else if (known->outcome != guard.outcome) {
        return false;
      }
    }
  }
  return true;
}

bool Guards::contradict(std::span<const std::uint32_t> ops) const {
  if (!any()) return false;
  Condition joined;
  return !join(ops, joined);
}

bool Guards::imply_one_of(std::span<const std::uint32_t> ops, std::span<const std::uint32_t> others,
                          const std::optional<Guard>& given) const {
  if (!any()) return !others.empty();
  Condition known;
  if (!join(ops, known)) return true;
  if (given) {
    const auto at = std::ranges::find(known, given->decision, &Guard::decision);
    if (at != known.end() && at->outcome != given->outcome) return true;
    known.push_back(*given);
  }
  std::vector<Condition> cases;
  for (const std::uint32_t other : others) {
    if (never_runs(other)) continue;
    Condition rest = of(other);
    bool holds = true;
    for (const Guard& guard : known) {
      Condition next;
      holds = holds && reduce(rest, guard, next);
      rest = std::move(next);
    }
    if (holds) cases.push_back(std::move(rest));
  }
  std::uint32_t budget = kMaxCases;
  return covered(cases, budget);
}

bool Guards::covered(const std::vector<Condition>& cases, std::uint32_t& budget) const {
  if (std::ranges::any_of(cases, [](const Condition& one) { return one.empty(); })) return true;
  if (cases.empty()) return false;
  const std::uint32_t decision = cases.front().front().decision;
  for (std::uint32_t outcome = 0; outcome < outcome_counts_[decision]; ++outcome) {
    if (budget-- == 0) throw std::invalid_argument("too many combinations of outcomes; name fewer values in one read");
    std::vector<Condition> left;
    for (const Condition& one : cases) {
      Condition rest;
      if (reduce(one, {decision, outcome}, rest)) left.push_back(std::move(rest));
    }
    if (!covered(left, budget)) return false;
  }
  return true;
}

void ExclusionBlock::load(std::uint32_t first, std::uint32_t count) {
  entries_.clear();
  never_columns_.clear();
  column_count_ = count;
  if (!guards_.any()) return;
  for (std::uint32_t column = 0; column < count; ++column) {
    const OpId op = order_.op_at(first + column);
    if (guards_.never_runs(op)) never_columns_.push_back(column);
    for (const Guard& guard : guards_.of(op)) entries_.push_back({guard.decision, column, guard.outcome});
  }
  std::ranges::sort(entries_, [](const Entry& x, const Entry& y) {
    return x.decision != y.decision ? x.decision < y.decision : x.column < y.column;
  });
}

void ExclusionBlock::add_excluded(Position row, Word* bits) const {
  const OpId op = order_.op_at(row);
  const auto add = [&](std::uint32_t column) { bits[column / 64] |= Word{1} << (column % 64); };
  for (const std::uint32_t column : never_columns_) add(column);
  if (guards_.never_runs(op)) {
    for (std::uint32_t column = 0; column < column_count_; ++column) add(column);
  }
  for (const Guard& guard : guards_.of(op)) {
    auto entry = std::ranges::lower_bound(entries_, guard.decision, {}, &Entry::decision);
    for (; entry != entries_.end() && entry->decision == guard.decision; ++entry) {
      if (entry->outcome != guard.outcome) add(entry->column);
    }
  }
}

}  // namespace detent::verify
