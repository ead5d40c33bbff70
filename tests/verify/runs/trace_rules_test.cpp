// Trace rules: a good trace, and one broken trace per rule.
#include "verify/runs/trace_rules.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/verify/random_graph.hpp"

namespace detent::verify {
namespace {

using namespace testing;

/// 0 -> 2, 1 -> 2; ops 0 and 1 share a mutex.
GraphSpec join() {
  GraphSpec spec = make_ops(3);
  spec.edges = {{0, 2}, {1, 2}};
  spec.mutex_count = 1;
  spec.ops[0].mutexes = {0};
  spec.ops[1].mutexes = {0};
  return spec;
}

harness::Trace good_trace() {
  harness::Trace trace;
  trace.spans = {{0, 0, 0, 10, 1}, {1, 1, 10, 25, 2}, {2, 0, 25, 30, 3}};
  return trace;
}

void expect_rule(const harness::Trace& trace, const std::string& part, std::uint64_t makespan_ps = 30) {
  const DescTables tables(join());
  const Verdict verdict = check_trace(tables.desc, trace, 2, makespan_ps);
  ASSERT_EQ(verdict.outcome, Outcome::kViolated);
  EXPECT_NE(verdict.witnesses.at(0).text.find(part), std::string::npos) << verdict.witnesses[0].text;
}

TEST(TraceRules, AGoodTraceHolds) {
  const DescTables tables(join());
  const Verdict verdict = check_trace(tables.desc, good_trace(), 2, 30);
  EXPECT_EQ(verdict.property, Property::kTraceRules);
  EXPECT_EQ(verdict.outcome, Outcome::kHolds) << verdict.summary;
}

TEST(TraceRules, AnOpThatListsAMutexTwiceDoesNotExcludeItself) {
  GraphSpec spec = join();
  spec.ops[0].mutexes = {0, 0};
  const DescTables tables(spec);
  EXPECT_EQ(check_trace(tables.desc, good_trace(), 2, 30).outcome, Outcome::kHolds);
}

TEST(TraceRules, AnOpThatDidNotRun) {
  harness::Trace trace = good_trace();
  trace.spans.pop_back();
  expect_rule(trace, "op 2 (op2) did not run");
}

TEST(TraceRules, AnOpThatRanTwice) {
  harness::Trace trace = good_trace();
  trace.spans.push_back({2, 1, 26, 27, 4});
  expect_rule(trace, "op 2 (op2) ran more than once");
}

TEST(TraceRules, AnOpThatDoesNotExist) {
  harness::Trace trace = good_trace();
  trace.spans.push_back({9, 1, 26, 27, 4});
  expect_rule(trace, "op 9, which does not exist");
}

TEST(TraceRules, AnOpBeforeItsPredecessorEnded) {
  harness::Trace trace = good_trace();
  trace.spans[2].begin_ps = 24;
  expect_rule(trace, "op 2 (op2) began at 24 ps, before its predecessor op 1 (op1) ended at 25 ps");
}

TEST(TraceRules, TwoOpsOnOneSlot) {
  GraphSpec spec = make_ops(2);
  const DescTables tables(spec);
  harness::Trace trace;
  trace.spans = {{0, 0, 0, 10, 0}, {1, 0, 9, 20, 0}};
  EXPECT_EQ(check_trace(tables.desc, trace, 1, 20).outcome, Outcome::kViolated);
  trace.spans[1].begin_ps = 10;
  EXPECT_EQ(check_trace(tables.desc, trace, 1, 20).outcome, Outcome::kHolds);
}

TEST(TraceRules, ASpanInsideALongOneAfterAShortOneIsSeen) {
  const DescTables tables(make_ops(3));
  harness::Trace trace;
  trace.spans = {{0, 0, 0, 100, 0}, {1, 1, 5, 6, 0}, {2, 0, 50, 60, 0}};
  EXPECT_EQ(check_trace(tables.desc, trace, 2, 100).outcome, Outcome::kViolated);
}

TEST(TraceRules, AsynchronousOpsOccupyNoSlot) {
  GraphSpec spec = make_ops(2);
  spec.ops[1].core_class = 1;
  const DescTables tables(spec);
  harness::Trace trace;
  trace.spans = {{0, 0, 0, 10, 0}, {1, 0, 5, 20, 0}};
  EXPECT_EQ(check_trace(tables.desc, trace, 1, 20).outcome, Outcome::kHolds);
}

TEST(TraceRules, ASlotThatDoesNotExist) {
  harness::Trace trace = good_trace();
  trace.spans[1].slot = 2;
  expect_rule(trace, "ran on slot 2 of 2");
}

TEST(TraceRules, TwoHoldersOfOneMutex) {
  harness::Trace trace = good_trace();
  trace.spans[1].begin_ps = 9;
  expect_rule(trace, "overlap on mutex m0");
}

TEST(TraceRules, ASpanBeyondTheRun) { expect_rule(good_trace(), "outside the run of 29 ps", 29); }

TEST(TraceRules, ASpanThatEndsBeforeItBegins) {
  harness::Trace trace = good_trace();
  trace.spans[0] = {0, 0, 10, 0, 1};
  expect_rule(trace, "outside the run");
}

/// The rules as they are defined, pair by pair; spans of ops that exist.
bool obeys_the_rules(const GraphSpec& spec, const std::vector<harness::Span>& spans, std::uint32_t slots,
                     std::uint64_t makespan_ps) {
  std::vector<std::uint32_t> times_run(spec.ops.size(), 0);
  for (const harness::Span& span : spans) {
    ++times_run[span.op];
    if (span.begin_ps > span.end_ps || span.end_ps > makespan_ps) return false;
    if (spec.ops[span.op].core_class == 0 && span.slot >= slots) return false;
  }
  if (std::ranges::any_of(times_run, [](std::uint32_t times) { return times != 1; })) return false;
  for (const harness::Span& a : spans) {
    for (const harness::Span& b : spans) {
      if (a.op == b.op) continue;
      const OpSpec &first = spec.ops[a.op], &second = spec.ops[b.op];
      const bool ordered = std::ranges::any_of(
          spec.edges, [&](const support::Edge& edge) { return edge.from == a.op && edge.to == b.op; });
      if (ordered && b.begin_ps < a.end_ps) return false;
      const bool one_core = first.core_class == 0 && second.core_class == 0 && a.slot == b.slot;
      const bool one_mutex = std::ranges::any_of(
          first.mutexes, [&](std::uint32_t mutex) { return std::ranges::count(second.mutexes, mutex) > 0; });
      const bool apart = a.end_ps <= b.begin_ps || b.end_ps <= a.begin_ps;
      if (!apart && (one_core || one_mutex)) return false;
    }
  }
  return true;
}

TEST(TraceRules, RandomTracesAreJudgedAsPairsOfSpansSay) {
  std::uint32_t good = 0, bad = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    Random random{seed};
    const GraphSpec spec = [&] {
      GraphSpec drawn = make_random_spec(seed, {.op_count = 1 + random.below(6), .mutex_count = random.below(3)});
      for (OpSpec& op : drawn.ops) op.core_class = random.below(4) == 0 ? 1 : 0;  // 1: asynchronous
      return drawn;
    }();
    const DescTables tables(spec);
    const auto reach = close_naively(tables.desc);
    std::vector<std::uint32_t> order(spec.ops.size());
    for (std::uint32_t op = 0; op < order.size(); ++op) order[op] = op;
    std::ranges::stable_sort(order, {}, [&](std::uint32_t op) { return std::ranges::count(reach[op], true); });
    std::ranges::reverse(order);  // whoever reaches more comes first
    // One after the other, with lengths of 0 as well; then up to two times are moved, a slot is changed, an op is lost
    // or repeated.
    harness::Trace trace;
    std::uint64_t now = random.below(3);
    for (const std::uint32_t op : order) {
      const std::uint64_t begin = now;
      now += random.below(4);
      trace.spans.push_back({op, random.below(2), begin, now, 0});
      now += random.below(2);
    }
    for (std::uint32_t change = random.below(3); change > 0; --change) {
      harness::Span& span = trace.spans[random.below(static_cast<std::uint32_t>(trace.spans.size()))];
      switch (random.below(8)) {
        case 0:
          span.slot = random.below(3);
          break;
        case 1:
          trace.spans.push_back(span);
          break;
        case 2:
          trace.spans.pop_back();
          break;
        case 3:
          span.end_ps = random.below(16);
          break;
        case 4:
          span.begin_ps = span.end_ps;
          break;
        default:
          span.begin_ps -= std::min<std::uint64_t>(span.begin_ps, random.below(4));
          break;
      }
      if (trace.spans.empty()) break;
    }
    const std::uint64_t makespan_ps = now - std::min<std::uint64_t>(now, random.below(8) == 0 ? 1 : 0);
    const bool expected = obeys_the_rules(spec, trace.spans, 2, makespan_ps);
    const Verdict verdict = check_trace(tables.desc, trace, 2, makespan_ps);
    ASSERT_EQ(verdict.outcome == Outcome::kHolds, expected) << "seed " << seed << ": " << verdict.summary;
    ++(expected ? good : bad);
  }
  EXPECT_GT(good, 1000U);
  EXPECT_GT(bad, 1000U);
}

TEST(TraceRules, DroppedRecordsMakeTheVerdictUnknown) {
  harness::Trace trace = good_trace();
  trace.spans.pop_back();
  trace.dropped = 2;
  const DescTables tables(join());
  EXPECT_EQ(check_trace(tables.desc, trace, 2, 30).outcome, Outcome::kUnknown);
}

}  // namespace
}  // namespace detent::verify
