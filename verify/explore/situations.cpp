// Runs, schedules and counters -> situations.
#include "verify/explore/situations.hpp"

#include <algorithm>

#include "verify/access_table.hpp"

namespace detent::verify::explore {
namespace {

constexpr std::size_t kMaxConflicts = 1000;
constexpr std::size_t kReuseWindow = 8;  // earlier writes of the same bytes that a write is compared with

std::string op_text(const detent_desc& desc, std::uint32_t op) {
  return "op " + std::to_string(op) + " (" + desc.ops[op].name + ")";
}

Situation model_situation(const char* name, const char* text) {
  return {.name = name, .text = text, .about = "model", .applicable = true, .count = 0, .evidence = ""};
}

void rule_out(Situation& situation, std::string why) {
  situation.applicable = false;
  situation.evidence = std::move(why);
}

void note_first(Situation& situation, std::uint64_t count, const std::string& evidence) {
  if (situation.count == 0 && count != 0) situation.evidence = evidence;
  situation.count += count;
}

bool have_common_mutex(const detent_desc& desc, std::uint32_t a, std::uint32_t b) {
  const detent_slice& first = desc.ops[a].mutexes;
  const detent_slice& second = desc.ops[b].mutexes;
  const std::uint32_t* const refs = desc.mutex_refs;
  if (first.count == 0 || second.count == 0) return false;
  return std::any_of(refs + first.first, refs + first.first + first.count, [&](std::uint32_t mutex) {
    const std::uint32_t* const end = refs + second.first + second.count;
    return std::find(refs + second.first, end, mutex) != end;
  });
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
      if (is_real && !after.test(p, q) && !have_common_mutex(desc, a, b)) return true;
    }
  }
  return false;
}

/// Ops that begin while another one runs. Spans come by begin.
void count_overlaps(const detent_desc& desc, const ObservedRun& run, Situation& situation) {
  const harness::Span* longest = nullptr;
  std::uint64_t count = 0;
  std::string first;
  for (const harness::Span& span : run.trace->spans) {
    if (span.op >= desc.op_count || (desc.ops[span.op].flags & DETENT_OP_DELAY) != 0) continue;
    if (longest != nullptr && span.begin_ps < longest->end_ps && span.end_ps > span.begin_ps) {
      if (count++ == 0) first = op_text(desc, longest->op) + " and " + op_text(desc, span.op) + " in the " + run.how;
    }
    if (longest == nullptr || span.end_ps > longest->end_ps) longest = &span;
  }
  note_first(situation, count, first);
}

Situation ops_at_once(const OpSpace& space, const ModelEvidence& evidence) {
  Situation situation = model_situation("ops_at_once", "two ops that no path orders were under way at the same time");
  if (space.report().unordered_pairs == 0) {
    rule_out(situation, "a path orders every two ops");
  } else if (evidence.workers < 2) {
    rule_out(situation, "one worker");
  } else if (!some_may_overlap(space)) {
    rule_out(situation, "mutexes keep all unordered ops apart");
  }
  if (!situation.applicable) return situation;
  for (const ObservedRun& run : evidence.runs) count_overlaps(space.desc(), run, situation);
  note_first(situation, evidence.engine_together,
             "in no run that was timed, but in thread schedules of the engine on this graph");
  if (situation.never()) situation.evidence = "make more runs (--runs), or take more workers (--workers)";
  return situation;
}

PairCoverage pairs_of(const OpSpace& space, const ModelEvidence& evidence) {
  if (evidence.pairs) return *evidence.pairs;
  OpCoverage coverage(space);
  for (const std::vector<std::uint32_t>& schedule : evidence.schedules) coverage.add(schedule);
  return coverage.pairs();
}

Situation both_orders(const OpSpace& space, const ModelEvidence& evidence) {
  Situation situation = model_situation("both_orders", "two ops that no path orders ran in this order and in that one");
  if (space.report().unordered_pairs == 0) {
    rule_out(situation, "a path orders every two ops");
    return situation;
  }
  const PairCoverage pairs = pairs_of(space, evidence);
  if (!pairs.unordered_known) {
    rule_out(situation, "more than " + std::to_string(kMaxDenseOps) + " ops are not compared pair by pair");
    return situation;
  }
  situation.count = pairs.unordered_both;
  situation.evidence = situation.count != 0 ? std::to_string(pairs.unordered_both) + " of " +
                                                  std::to_string(pairs.unordered_total) + " pairs"
                                            : "run more schedules (--schedules, explore --strategy pairs)";
  return situation;
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

void add_conflicts(const OpSpace& space, const ModelEvidence& evidence, std::vector<Situation>& list) {
  Situation both =
      model_situation("conflict_both_orders", "two conflicting ops that no path orders ran in both orders");
  Situation met = model_situation(
      "conflict_met",
      "two conflicting unordered ops were under way at the same time, or one right after the other in both orders");
  std::vector<ConflictSeen> conflicts = conflicts_of(space);
  std::vector<std::uint32_t> place(space.desc().op_count);
  for (const auto& schedule : evidence.schedules) look_at_schedule(schedule, place, conflicts);
  for (const ObservedRun& run : evidence.runs) look_at_run(spans_by_op(space.desc(), *run.trace), conflicts);
  const auto name_first = [&](Situation& situation, const ConflictSeen& seen) {
    const detent_desc& desc = space.desc();
    note_first(situation, 1, op_text(desc, seen.pair.op_a) + " and " + op_text(desc, seen.pair.op_b));
  };
  for (const ConflictSeen& seen : conflicts) {
    if (seen.both()) name_first(both, seen);
    if (seen.met()) name_first(met, seen);
  }
  for (Situation* const situation : {&both, &met}) {
    if (conflicts.empty()) rule_out(*situation, "no two unordered ops conflict");
    if (situation->never()) situation->evidence = "run more schedules (--schedules, explore --strategy dfs)";
    if (situation->count != 0) {
      situation->evidence = std::to_string(situation->count) + " of " + std::to_string(conflicts.size()) +
                            " pairs, first " + situation->evidence;
    }
    list.push_back(std::move(*situation));
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
    std::uint32_t op;
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

Situation buffer_reuse(const OpSpace& space, const ModelEvidence& evidence) {
  Situation situation =
      model_situation("buffer_reuse", "an op wrote over bytes that another op had written earlier in the same run");
  const std::vector<ReuseSite> sites = find_reuse(space);
  if (sites.empty()) {
    rule_out(situation, "no two ops write the same bytes");
    return situation;
  }
  std::vector<bool> seen(sites.size(), !evidence.schedules.empty());  // one after the other: each op ran
  std::string first = seen.front() ? op_text(space.desc(), sites.front().op_a) + " and " +
                                         op_text(space.desc(), sites.front().op_b) + " in an executed schedule"
                                   : "";
  for (const ObservedRun& run : evidence.runs) {
    const SpanOf spans = spans_by_op(space.desc(), *run.trace);
    for (std::size_t i = 0; i < sites.size(); ++i) {
      const std::uint32_t second = second_writer(spans, sites[i]);
      if (second == DETENT_NONE || seen[i]) continue;
      seen[i] = true;
      const std::uint32_t former = second == sites[i].op_a ? sites[i].op_b : sites[i].op_a;
      if (first.empty()) {
        first = op_text(space.desc(), second) + " over " + op_text(space.desc(), former) + " in the " + run.how;
      }
    }
  }
  situation.count = static_cast<std::uint64_t>(std::count(seen.begin(), seen.end(), true));
  situation.evidence = situation.count != 0 ? std::to_string(situation.count) + " of " + std::to_string(sites.size()) +
                                                  " places, first " + first
                                            : "execute the kernels in a run that ends (--runs, --schedules)";
  return situation;
}

/// A counter of SyncPoints as a situation.
struct SyncRow {
  const char* name;
  const char* text;
  std::uint64_t SyncPoints::*counter;
  std::uint32_t min_workers;
  enum { kAnyMode, kRole, kAsync } needs;
};

constexpr SyncRow kRows[] = {
    {"role_free", "the scheduler role was asked for and free", &SyncPoints::role_free, 1, SyncRow::kRole},
    {"role_held", "the scheduler role was asked for and held by another worker", &SyncPoints::role_held, 2,
     SyncRow::kRole},
    {"ready_empty", "the ready queue was empty", &SyncPoints::ready_empty, 1, SyncRow::kRole},
    {"ready_some", "ops waited in the ready queue", &SyncPoints::ready_some, 1, SyncRow::kRole},
    {"ready_full", "the ready queue held every op that had not begun", &SyncPoints::ready_full, 1, SyncRow::kRole},
    {"complete_empty", "an op ended and no other completion waited", &SyncPoints::complete_empty, 1, SyncRow::kRole},
    {"complete_some", "an op ended while completions of some other workers waited", &SyncPoints::complete_some, 3,
     SyncRow::kRole},
    {"complete_full", "an op ended while completions of all other workers waited: the queue was full",
     &SyncPoints::complete_full, 2, SyncRow::kRole},
    {"wait_asleep", "a worker waited and had to sleep", &SyncPoints::wait_asleep, 2, SyncRow::kAnyMode},
    {"wait_awake", "a worker waited and its notification was there already", &SyncPoints::wait_awake, 2,
     SyncRow::kAnyMode},
    {"ops_together", "two ops ran with no synchronisation between them", &SyncPoints::ops_together, 2,
     SyncRow::kAnyMode},
    {"lock_free", "a back end answered and the port's lock was free", &SyncPoints::lock_free, 1, SyncRow::kAsync},
    {"lock_contended", "a back end answered while another held the port's lock", &SyncPoints::lock_contended, 1,
     SyncRow::kAsync},
};

struct SyncName {
  const char* name;
  std::uint64_t SyncPoints::*counter;
};

constexpr SyncName kCounters[] = {
    {"wait_asleep", &SyncPoints::wait_asleep},     {"wait_awake", &SyncPoints::wait_awake},
    {"lock_free", &SyncPoints::lock_free},         {"lock_contended", &SyncPoints::lock_contended},
    {"role_free", &SyncPoints::role_free},         {"role_held", &SyncPoints::role_held},
    {"ready_empty", &SyncPoints::ready_empty},     {"ready_some", &SyncPoints::ready_some},
    {"ready_full", &SyncPoints::ready_full},       {"complete_empty", &SyncPoints::complete_empty},
    {"complete_some", &SyncPoints::complete_some}, {"complete_full", &SyncPoints::complete_full},
    {"ops_apart", &SyncPoints::ops_apart},         {"ops_together", &SyncPoints::ops_together},
    {"spurious", &SyncPoints::spurious},           {"timeouts", &SyncPoints::timeouts},
    {"failed_starts", &SyncPoints::failed_starts}, {"refused_answers", &SyncPoints::refused_answers}};

/// Why a row means nothing for this engine; empty: it does.
std::string why_not(const SyncRow& row, const EngineShape& shape, std::span<const EngineEvidence> programs) {
  const bool closed_loop = shape.mode == DETENT_MODE_CLOSED_LOOP;
  const bool own_scheduler = closed_loop && shape.scheduler == DETENT_SCHEDULER_THREAD;
  const bool has_async =
      std::any_of(programs.begin(), programs.end(), [](const EngineEvidence& program) { return program.has_async; });
  switch (row.needs) {
    case SyncRow::kAnyMode:
      break;
    case SyncRow::kRole:
      if (!closed_loop) return "only the closed loop has a scheduler and queues";
      break;
    case SyncRow::kAsync:
      if (!has_async) return "no back end completes ops later";
      break;
  }
  const bool is_wait = row.counter == &SyncPoints::wait_asleep || row.counter == &SyncPoints::wait_awake;
  if (own_scheduler && is_wait) return "";
  if (own_scheduler && row.counter == &SyncPoints::role_held) return "the scheduler's thread alone takes the role";
  // In layers of two workers the one that comes last wakes the other, which sleeps by then.
  const bool is_last = shape.mode == DETENT_MODE_LAYERED && row.counter == &SyncPoints::wait_awake;
  const std::uint32_t needed = is_last ? 3 : row.min_workers;
  return shape.workers < needed ? "needs " + std::to_string(needed) + " workers" : "";
}

}  // namespace

std::vector<Situation> model_situations(const OpSpace& space, const ModelEvidence& evidence) {
  std::vector<Situation> list;
  list.push_back(ops_at_once(space, evidence));
  list.push_back(both_orders(space, evidence));
  add_conflicts(space, evidence, list);
  list.push_back(buffer_reuse(space, evidence));
  return list;
}

std::vector<Situation> engine_situations(const EngineShape& shape, std::span<const EngineEvidence> programs) {
  std::vector<Situation> list;
  for (const SyncRow& row : kRows) {
    Situation situation{.name = row.name, .text = row.text, .about = "engine", .evidence = ""};
    const std::string why = why_not(row, shape, programs);
    bool all_complete = !programs.empty();
    for (const EngineEvidence& program : programs) {
      note_first(situation, program.statistics.sync.*row.counter, "on " + program.program);
      all_complete = all_complete && program.complete;
    }
    if (situation.count == 0 && !why.empty()) rule_out(situation, why);
    if (situation.never() && all_complete) rule_out(situation, "every schedule was executed, and in none it happens");
    if (situation.never()) situation.evidence = "execute more schedules, or a wider graph";
    list.push_back(std::move(situation));
  }
  return list;
}

std::vector<SyncCount> sync_counts(std::span<const EngineEvidence> programs) {
  std::vector<SyncCount> counts;
  for (const SyncName& row : kCounters) {
    SyncCount count{row.name, 0};
    for (const EngineEvidence& program : programs) count.count += program.statistics.sync.*row.counter;
    counts.push_back(count);
  }
  return counts;
}

Verdict judge_situations(const std::vector<Situation>& situations) {
  std::uint64_t applicable = 0;
  Verdict verdict{.property = "exercised", .outcome = Outcome::kHolds, .summary = "", .witnesses = {}};
  for (const Situation& situation : situations) {
    if (situation.applicable) ++applicable;
    if (!situation.never()) continue;
    verdict.witnesses.push_back(
        {.text = "never exercised: " + situation.text + " (" + situation.name + "); " + situation.evidence,
         .ops = {},
         .schedule = {}});
  }
  const std::uint64_t never = verdict.witnesses.size();
  if (never != 0) verdict.outcome = Outcome::kUnknown;
  verdict.summary = std::to_string(applicable - never) + " of " + std::to_string(applicable) +
                    " situations that can happen did, " + std::to_string(situations.size() - applicable) +
                    " do not apply";
  return verdict;
}

}  // namespace detent::verify::explore
