// Runs and schedules of a model -> its cover_goals.
#include <algorithm>

#include "base/counted.hpp"
#include "base/ids.hpp"
#include "verify/explore/coverage/cover_goals.hpp"
#include "verify/graph/mutexes.hpp"
#include "verify/static/access_table.hpp"
#include "verify/verdict/names.hpp"

namespace detent::verify::explore {
namespace {

constexpr std::size_t kMaxConflicts = 1000;
constexpr std::size_t kReuseWindow = 8;  // earlier writes of the same bytes that a write is compared with

CoverGoal model_cover_goal(const char* name, const char* text) {
  return {.name = name, .text = text, .about = "model", .applicable = true, .count = 0, .evidence = ""};
}

/// Is there a pair that no path orders and no mutex keeps apart?
bool some_may_overlap(const OpSpace& space) {
  const detent_desc& desc = space.desc();
  if (space.report().unordered_pairs == 0) return false;
  if (desc.mutex_ref_count == 0 || desc.op_count > kMaxDenseOps) return true;
  const BitMatrix after = close_order(space.order());
  for (std::uint32_t p = 0; p < desc.op_count; ++p) {
    for (std::uint32_t q = p + 1; q < desc.op_count; ++q) {
      const std::uint32_t a = space.order().op_at(p);
      const std::uint32_t b = space.order().op_at(q);
      const bool is_real = ((desc.ops[a].flags | desc.ops[b].flags) & DETENT_OP_DELAY) == 0;
      if (is_real && !after.test(p, q) && !share_mutex(desc, a, b)) return true;
    }
  }
  return false;
}

/// Ops that begin while another one runs. Spans come by begin.
void count_overlaps(const detent_desc& desc, const ObservedRun& run, CoverGoal& goal) {
  const harness::Span* longest = nullptr;
  std::uint64_t count = 0;
  std::string first;
  for (const harness::Span& span : run.trace->spans) {
    if (span.op >= desc.op_count || (desc.ops[span.op].flags & DETENT_OP_DELAY) != 0) continue;
    if (longest != nullptr && span.begin_ps < longest->end_ps && span.end_ps > span.begin_ps) {
      if (count++ == 0) first = op_name(desc, longest->op) + " and " + op_name(desc, span.op) + " in the " + run.how;
    }
    if (longest == nullptr || span.end_ps > longest->end_ps) longest = &span;
  }
  goal.note(count, first);
}

CoverGoal ops_at_once(const OpSpace& space, const ModelEvidence& evidence) {
  CoverGoal goal = model_cover_goal("ops_at_once", "two ops that no path orders were under way at the same time");
  if (space.report().unordered_pairs == 0) {
    goal.rule_out("a path orders every two ops");
  } else if (evidence.workers < 2) {
    goal.rule_out("one worker");
  } else if (!some_may_overlap(space)) {
    goal.rule_out("mutexes keep all unordered ops apart");
  }
  if (!goal.applicable) return goal;
  for (const ObservedRun& run : evidence.runs) count_overlaps(space.desc(), run, goal);
  goal.note(evidence.engine_together, "in no run that was timed, but in thread schedules of the engine on this graph");
  if (goal.never()) goal.evidence = "make more runs (--runs), or take more workers (--workers)";
  return goal;
}

PairCoverage pairs_of(const OpSpace& space, const ModelEvidence& evidence) {
  if (evidence.pairs) return *evidence.pairs;
  OpCoverage coverage(space);
  for (const std::vector<std::uint32_t>& schedule : evidence.schedules) coverage.add(schedule);
  return coverage.pairs();
}

CoverGoal both_orders(const OpSpace& space, const ModelEvidence& evidence) {
  CoverGoal goal = model_cover_goal("both_orders", "two ops that no path orders ran in this order and in that one");
  if (space.report().unordered_pairs == 0) {
    goal.rule_out("a path orders every two ops");
    return goal;
  }
  const PairCoverage pairs = pairs_of(space, evidence);
  if (!pairs.unordered_known) {
    goal.rule_out("more than " + std::to_string(kMaxDenseOps) + " ops are not compared pair by pair");
    return goal;
  }
  goal.count = pairs.unordered_both;
  goal.evidence = goal.count != 0
                      ? std::to_string(pairs.unordered_both) + " of " + counted(pairs.unordered_total, "pair")
                      : "run more schedules (--schedules, explore --strategy pairs)";
  return goal;
}

/// A conflicting pair and what was seen of it.
struct ConflictSeen {
  OpPair pair;
  bool a_first = false, b_first = false;  // in this order
  bool a_next = false, b_next = false;    // and with no op in between
  bool overlapped = false;
  [[nodiscard]] bool both() const { return a_first && b_first; }
  [[nodiscard]] bool met() const { return overlapped || (a_next && b_next); }
};

std::vector<ConflictSeen> conflicts_of(const OpSpace& space) {
  std::vector<ConflictSeen> conflicts;
  for (const auto* const list : {&space.pairs(), &space.ignored_pairs()}) {
    for (const OpPair& pair : *list) {
      if (conflicts.size() < kMaxConflicts) conflicts.push_back({.pair = pair});
    }
  }
  return conflicts;
}

void look_at_schedule(const std::vector<std::uint32_t>& schedule, std::vector<std::uint32_t>& place,
                      std::vector<ConflictSeen>& conflicts) {
  for (std::uint32_t i = 0; i < schedule.size(); ++i) place[schedule[i]] = i;
  for (ConflictSeen& seen : conflicts) {
    const std::uint32_t a = place[seen.pair.op_a];
    const std::uint32_t b = place[seen.pair.op_b];
    (a < b ? seen.a_first : seen.b_first) = true;
    seen.a_next = seen.a_next || a + 1 == b;
    seen.b_next = seen.b_next || b + 1 == a;
  }
}

using SpanOf = std::vector<const harness::Span*>;

SpanOf spans_by_op(const detent_desc& desc, const harness::Trace& trace) {
  SpanOf spans(desc.op_count, nullptr);
  for (const harness::Span& span : trace.spans) {
    if (span.op < desc.op_count && spans[span.op] == nullptr) spans[span.op] = &span;
  }
  return spans;
}

void look_at_run(const SpanOf& spans, std::vector<ConflictSeen>& conflicts) {
  for (ConflictSeen& seen : conflicts) {
    const harness::Span* const a = spans[seen.pair.op_a];
    const harness::Span* const b = spans[seen.pair.op_b];
    if (a == nullptr || b == nullptr) continue;
    const bool a_first = a->end_ps <= b->begin_ps && a->begin_ps < b->end_ps;
    const bool b_first = b->end_ps <= a->begin_ps && b->begin_ps < a->end_ps;
    seen.a_first = seen.a_first || a_first;
    seen.b_first = seen.b_first || b_first;
    seen.overlapped = seen.overlapped || (a->begin_ps < b->end_ps && b->begin_ps < a->end_ps);
  }
}

void add_conflicts(const OpSpace& space, const ModelEvidence& evidence, std::vector<CoverGoal>& list) {
  CoverGoal both =
      model_cover_goal("conflict_both_orders", "two conflicting ops that no path orders ran in both orders");
  CoverGoal met = model_cover_goal(
      "conflict_met",
      "two conflicting unordered ops were under way at the same time, or one right after the other in both orders");
  std::vector<ConflictSeen> conflicts = conflicts_of(space);
  std::vector<std::uint32_t> place(space.desc().op_count);
  for (const auto& schedule : evidence.schedules) look_at_schedule(schedule, place, conflicts);
  for (const ObservedRun& run : evidence.runs) look_at_run(spans_by_op(space.desc(), *run.trace), conflicts);
  const auto name_first = [&](CoverGoal& goal, const ConflictSeen& seen) {
    const detent_desc& desc = space.desc();
    goal.note(1, op_name(desc, seen.pair.op_a) + " and " + op_name(desc, seen.pair.op_b));
  };
  for (const ConflictSeen& seen : conflicts) {
    if (seen.both()) name_first(both, seen);
    if (seen.met()) name_first(met, seen);
  }
  for (CoverGoal* const goal : {&both, &met}) {
    if (conflicts.empty()) goal->rule_out("no two unordered ops conflict");
    if (goal->never()) goal->evidence = "run more schedules (--schedules, explore --strategy dfs)";
    if (goal->count != 0) {
      goal->evidence =
          std::to_string(goal->count) + " of " + counted(conflicts.size(), "pair") + ", first " + goal->evidence;
    }
    list.push_back(std::move(*goal));
  }
}

/// Two ops that write a common byte.
struct ReuseSite {
  std::uint32_t op_a = 0, op_b = 0;
};

/// For each write one earlier write (by address) of another op that shares a byte with it: places, not all pairs.
std::vector<ReuseSite> find_reuse(const OpSpace& space) {
  const Order& order = space.order();
  const AccessTable table(space.desc(), order);
  struct Write {
    Access access;
    OpId op;
  };
  std::vector<Write> writes;
  for (std::uint32_t p = 0; p < order.op_count(); ++p) {
    for (const Access& access : table.writes(p)) writes.push_back({access, order.op_at(p)});
  }
  std::stable_sort(writes.begin(), writes.end(),
                   [](const Write& x, const Write& y) { return x.access.begin < y.access.begin; });
  std::vector<ReuseSite> sites;
  std::vector<Write> open;  // reach furthest
  for (const Write& write : writes) {
    std::erase_if(open, [&](const Write& other) { return other.access.end <= write.access.begin; });
    const auto shared = std::find_if(open.begin(), open.end(), [&](const Write& other) {
      return other.op != write.op && table.share_a_byte(other.access, write.access);
    });
    if (shared != open.end()) sites.push_back({shared->op, write.op});
    open.push_back(write);
    if (open.size() <= kReuseWindow) continue;
    open.erase(std::min_element(open.begin(), open.end(),
                                [](const Write& x, const Write& y) { return x.access.end < y.access.end; }));
  }
  return sites;
}

/// Which of the two wrote second, if both ran and did not overlap; else DETENT_NONE.
std::uint32_t second_writer(const SpanOf& spans, const ReuseSite& site) {
  const harness::Span* const a = spans[site.op_a];
  const harness::Span* const b = spans[site.op_b];
  if (a == nullptr || b == nullptr) return DETENT_NONE;
  if (a->end_ps <= b->begin_ps) return site.op_b;
  return b->end_ps <= a->begin_ps ? site.op_a : DETENT_NONE;
}

CoverGoal buffer_reuse(const OpSpace& space, const ModelEvidence& evidence) {
  CoverGoal goal =
      model_cover_goal("buffer_reuse", "an op wrote over bytes that another op had written earlier in the same run");
  const std::vector<ReuseSite> sites = find_reuse(space);
  if (sites.empty()) {
    goal.rule_out("no two ops write the same bytes");
    return goal;
  }
  std::vector<bool> seen(sites.size(), !evidence.schedules.empty());  // one after the other: each op ran
  std::string first = seen.front() ? op_name(space.desc(), sites.front().op_a) + " and " +
                                         op_name(space.desc(), sites.front().op_b) + " in an executed schedule"
                                   : "";
  for (const ObservedRun& run : evidence.runs) {
    const SpanOf spans = spans_by_op(space.desc(), *run.trace);
    for (std::size_t i = 0; i < sites.size(); ++i) {
      const std::uint32_t second = second_writer(spans, sites[i]);
      if (second == DETENT_NONE || seen[i]) continue;
      seen[i] = true;
      const std::uint32_t former = second == sites[i].op_a ? sites[i].op_b : sites[i].op_a;
      if (first.empty()) {
        first = op_name(space.desc(), second) + " over " + op_name(space.desc(), former) + " in the " + run.how;
      }
    }
  }
  goal.count = static_cast<std::uint64_t>(std::count(seen.begin(), seen.end(), true));
  goal.evidence = goal.count != 0
                      ? std::to_string(goal.count) + " of " + std::to_string(sites.size()) + " places, first " + first
                      : "execute the kernels in a run that ends (--runs, --schedules)";
  return goal;
}

}  // namespace

std::vector<CoverGoal> model_cover_goals(const OpSpace& space, const ModelEvidence& evidence) {
  std::vector<CoverGoal> list;
  list.push_back(ops_at_once(space, evidence));
  list.push_back(both_orders(space, evidence));
  add_conflicts(space, evidence, list);
  list.push_back(buffer_reuse(space, evidence));
  return list;
}

}  // namespace detent::verify::explore
