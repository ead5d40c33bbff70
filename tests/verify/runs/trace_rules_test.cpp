// Trace rules: a good trace, and one broken trace per rule.
#include "verify/runs/trace_rules.hpp"

#include <gtest/gtest.h>

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

TEST(TraceRules, DroppedRecordsMakeTheVerdictUnknown) {
  harness::Trace trace = good_trace();
  trace.spans.pop_back();
  trace.dropped = 2;
  const DescTables tables(join());
  EXPECT_EQ(check_trace(tables.desc, trace, 2, 30).outcome, Outcome::kUnknown);
}

}  // namespace
}  // namespace detent::verify
