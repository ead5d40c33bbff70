// A record that keeps every promise, and one broken record per rule.
#include "verify/runs/fault_response.hpp"

#include <gtest/gtest.h>

#include "tests/verify/random_graph.hpp"

namespace detent::verify {
namespace {

using harness::FaultEvent;
using harness::FaultRecord;
using harness::Faults;
using Kind = FaultEvent::Kind;

constexpr std::uint64_t kDigest = 7;

/// 0 before 1 before 2; 3 alone.
testing::GraphSpec chain_and_one() {
  testing::GraphSpec spec = testing::make_ops(4);
  spec.edges = {{0, 1}, {1, 2}};
  return spec;
}

detent_error error_of(detent_status status, std::uint32_t op = DETENT_NONE, std::int32_t code = 0) {
  return {status, op, DETENT_NONE, DETENT_NONE, DETENT_NONE, DETENT_NONE, code};
}

FaultRecord record_of(const detent_error& error, const std::vector<FaultEvent>& events) {
  FaultRecord record{.error = error, .events = events};
  record.returned_ps = 100;
  record.exact_times = true;
  record.again = harness::RunAgain{.status = DETENT_OK, .ops_ended = 4, .digest = kDigest};
  return record;
}

FaultEvent begin(std::uint32_t op, std::uint64_t time_ps = 0) { return {Kind::kBegin, op, 0, time_ps}; }
FaultEvent end(std::uint32_t op, std::int32_t code = 0, std::uint64_t time_ps = 0) {
  return {Kind::kEnd, op, code, time_ps};
}

class FaultResponse : public ::testing::Test {
 protected:
  Verdict judge(const Faults& faults, const FaultRecord& record) {
    return check_fault_response(tables_.desc, faults, record, kDigest);
  }
  void expect_violated(const Faults& faults, const FaultRecord& record, const std::string& what) {
    const Verdict verdict = judge(faults, record);
    EXPECT_EQ(verdict.outcome, Outcome::kViolated) << what;
    ASSERT_FALSE(verdict.witnesses.empty()) << what;
    EXPECT_NE(verdict.witnesses.front().text.find(what), std::string::npos) << verdict.witnesses.front().text;
  }

  testing::DescTables tables_{chain_and_one()};
  const Faults failing_{.failing_ops = {{.op = 1, .code = 42}}};
  const Faults hanging_{.late_ops = {{.op = 1}}, .op_deadline_ps = 50};
  const FaultRecord failed_ =
      record_of(error_of(DETENT_KERNEL_FAILED, 1, 42), {begin(0), end(0), begin(1), end(1, 42)});
  const FaultRecord late_ = [] {
    FaultRecord record = record_of(error_of(DETENT_TIMEOUT, 1), {begin(0), end(0), begin(1)});
    record.said_in_flight = 1;
    return record;
  }();
};

TEST_F(FaultResponse, RecordsOfPromisedResponsesHold) {
  EXPECT_EQ(judge(failing_, failed_).outcome, Outcome::kHolds);
  EXPECT_EQ(judge(hanging_, late_).outcome, Outcome::kHolds);
  EXPECT_EQ(judge({.failing_start = 1}, record_of(error_of(DETENT_WORKER_FAILED), {})).outcome, Outcome::kHolds);
}

TEST_F(FaultResponse, FaultThatDidNotTakePlaceMakesTheVerdictUnknown) {
  const std::vector<FaultEvent> all = {begin(0), end(0), begin(1), end(1), begin(2), end(2), begin(3), end(3)};
  const FaultRecord whole = record_of(error_of(DETENT_OK), all);
  EXPECT_EQ(judge({.failing_ops = {{.op = 1, .calls = {.first = 2}}}}, whole).outcome, Outcome::kUnknown);
  EXPECT_EQ(judge({.op_deadline_ps = 5}, whole).outcome, Outcome::kHolds);
}

TEST_F(FaultResponse, DeviceFaultTookPlaceWhereACallMetIt) {
  std::vector<FaultEvent> all = {begin(0), end(0), begin(1), end(1), begin(2), end(2), begin(3), end(3)};
  const Faults late{.late_devices = {{.device = "cpu", .calls = {.first = 3}, .delay_ps = 5}}};
  EXPECT_EQ(judge(late, record_of(error_of(DETENT_OK), all)).outcome, Outcome::kUnknown);
  all[4].is_device_fault = true;
  EXPECT_EQ(judge(late, record_of(error_of(DETENT_OK), all)).outcome, Outcome::kHolds);
}

TEST_F(FaultResponse, ASuccessorThatRunsIsFound) {
  FaultRecord record = failed_;
  record.slots = 2;
  record.events.push_back(begin(2));
  record.events.push_back(end(2));
  expect_violated(failing_, record, "op 2 (op2) began before all its predecessors had ended well");
}

TEST_F(FaultResponse, AnOpThatBeginsAfterTheStopIsFoundOnOneThreadOnly) {
  FaultRecord record = failed_;
  record.events.push_back(begin(3));
  record.events.push_back(end(3));
  expect_violated(failing_, record, "op 3 (op3) began although the run had been stopped");
  record.slots = 2;  // it may have been handed out before
  EXPECT_EQ(judge(failing_, record).outcome, Outcome::kHolds);
}

TEST_F(FaultResponse, AnOpThatBeginsOrEndsTwiceIsFound) {
  FaultRecord record = failed_;
  record.slots = 2;
  record.events.insert(record.events.begin(), {begin(0)});
  expect_violated(failing_, record, "op 0 (op0) began twice");
  record = failed_;
  record.events.push_back(end(0));
  expect_violated(failing_, record, "op 0 (op0) ended without having begun");
}

TEST_F(FaultResponse, StatusWithoutACauseIsAViolation) {
  FaultRecord record = failed_;
  record.error.code = 41;
  expect_violated(failing_, record, "no such code was returned");
  record.error = error_of(DETENT_OK);
  expect_violated(failing_, record, "the status is OK, and op 1 (op1) failed");
  record.error = error_of(DETENT_CANCELLED);
  expect_violated(failing_, record, "nobody cancelled the run");
  record.error = error_of(DETENT_STALLED);
  expect_violated(failing_, record, "STALLED names a fault that did not happen");
  record.error = error_of(DETENT_WORKER_FAILED);
  expect_violated(failing_, record, "every slot could start");
  record.error = error_of(DETENT_TIMEOUT, 1);
  expect_violated(failing_, record, "not past a deadline");
}

TEST_F(FaultResponse, OpInFlightAtTheReturnThatIsNotLateIsAViolation) {
  FaultRecord record = late_;
  record.error = error_of(DETENT_CANCELLED);
  record.said_in_flight = 0;
  record.events.push_back({Kind::kCancel, DETENT_NONE, 0, 10});
  const Verdict verdict = judge(hanging_, record);
  ASSERT_EQ(verdict.witnesses.size(), 2U);
  EXPECT_EQ(verdict.witnesses[1].text, "op 1 (op1) was in flight when the run returned CANCELLED");
  record = late_;
  record.slots = record.said_in_flight = 2;
  record.events.push_back(begin(3, 60));
  expect_violated(hanging_, record,
                  "op 3 (op3) was in flight when the run returned TIMEOUT, and not past its deadline");
}

TEST(FaultResponseOfOneOp, AnOpThatIsLateWithinItsDeadlineIsAFaultThatTookPlace) {
  const testing::DescTables one(testing::make_ops(1));
  FaultRecord record = record_of(error_of(DETENT_OK), {begin(0), end(0, 0, 50)});
  record.again->ops_ended = 1;
  EXPECT_EQ(check_fault_response(one.desc, {.late_ops = {{0, 60}}, .op_deadline_ps = 50}, record, kDigest).outcome,
            Outcome::kHolds);
}

TEST_F(FaultResponse, TheResultMustCountWhatIsInFlight) {
  FaultRecord record = late_;
  record.said_in_flight = 0;
  expect_violated(hanging_, record, "the result reports 0 ops in flight, and 1 were");
  record = failed_;
  record.said_in_flight = 1;
  expect_violated(failing_, record, "the result reports 1 op in flight, and 0 were");
}

TEST_F(FaultResponse, UnreportedLateOpIsAViolation) {
  const Faults late{.late_ops = {{1, 60}}, .op_deadline_ps = 50};
  std::vector<FaultEvent> all = {begin(0), end(0), begin(1), end(1, 0, 51), begin(2), end(2), begin(3), end(3)};
  expect_violated(late, record_of(error_of(DETENT_OK), all), "op 1 (op1) ran past its deadline");
  all[3].time_ps = 50;
  EXPECT_EQ(judge(late, record_of(error_of(DETENT_OK), all)).outcome, Outcome::kHolds);
}

TEST_F(FaultResponse, ASuccessorOfALateOpIsFound) {
  FaultRecord record = late_;
  record.slots = 2;
  record.events.push_back(end(1, 0, 60));
  record.events.push_back(begin(2, 60));
  record.events.push_back(end(2, 0, 60));
  expect_violated(hanging_, record, "op 2 (op2) follows the late op and began");
}

TEST_F(FaultResponse, ASecondAnswerMustBeRefused) {
  FaultRecord record = failed_;
  record.second_answers = record.accepted_second = 1;
  expect_violated(failing_, record, "a second answer was accepted");
}

TEST_F(FaultResponse, TheContextMustRunAgainAndWhole) {
  FaultRecord record = failed_;
  record.again->digest = kDigest + 1;
  expect_violated(failing_, record, "after the reset the digest was");
  record.again->ops_ended = 3;
  expect_violated(failing_, record, "after the reset 3 of 4 ops ran once");
  record.again->status = DETENT_BUSY;
  expect_violated(failing_, record, "after the reset the run gave BUSY");
  record.again.reset();
  expect_violated(failing_, record, "the context was not run again");
}

/// Op 0 of the chain may fail, and 1 is guarded by that.
class FaultResponseOfFallbacks : public FaultResponse {
 protected:
  FaultResponseOfFallbacks() {
    tables_.ops[0].flags = DETENT_OP_FALLIBLE;
    tables_.ops[1].flags = DETENT_OP_GUARDED;
  }
  const Faults failing_first_{.failing_ops = {{.op = 0, .code = 42}}};
};

TEST_F(FaultResponseOfFallbacks, TheRunGoesOnAndMayLeaveGuardedOpsOut) {
  const FaultRecord record = record_of(error_of(DETENT_OK), {begin(0), end(0, 42), begin(2), end(2), begin(3), end(3)});
  EXPECT_EQ(judge(failing_first_, record).outcome, Outcome::kHolds);
  FaultRecord shorter = record;
  shorter.again->ops_ended = 3;  // without the guarded one
  EXPECT_EQ(judge(failing_first_, shorter).outcome, Outcome::kHolds);
  shorter.again->ops_ended = 2;
  expect_violated(failing_first_, shorter, "after the reset 2 of 4 ops ran once");
}

TEST_F(FaultResponseOfFallbacks, WhatIsLeftOutStandsForWhatItWaitsFor) {
  expect_violated(failing_first_, record_of(error_of(DETENT_OK), {begin(2), end(2), begin(0), end(0, 42)}),
                  "op 2 (op2) began before all its predecessors had ended well");
  expect_violated(
      failing_first_,
      record_of(error_of(DETENT_OK), {begin(0), end(0, 42), begin(2), end(2), begin(1), end(1), begin(3), end(3)}),
      "op 2 (op2) began before all its predecessors had ended well");
}

TEST_F(FaultResponseOfFallbacks, AFailureThatDoesNotEndTheRunIsNotNamed) {
  expect_violated(failing_first_, record_of(error_of(DETENT_KERNEL_FAILED, 0, 42), {begin(0), end(0, 42)}),
                  "no such code was returned");
}

/// 0, then levels of two guarded ops that the run leaves out, each after both of the level before, then one more op:
/// 2^40 paths, of which an op is followed back once.
TEST(FaultResponseOfManyPaths, EachOpThatIsLeftOutIsFollowedOnce) {
  constexpr std::uint32_t kLevels = 40, kLast = 2 * kLevels + 1;
  testing::GraphSpec spec = testing::make_ops(kLast + 1);
  spec.edges = {{0, 1}, {0, 2}};
  for (std::uint32_t op = 1; op + 2 < kLast; op += 2) {
    for (const std::uint32_t from : {op, op + 1}) {
      for (const std::uint32_t to : {op + 2, op + 3}) spec.edges.push_back({from, to});
    }
  }
  spec.edges.push_back({kLast - 2, kLast});
  spec.edges.push_back({kLast - 1, kLast});
  testing::DescTables tables(spec);
  for (std::uint32_t op = 1; op < kLast; ++op) tables.ops[op].flags = DETENT_OP_GUARDED;
  FaultRecord record = record_of(error_of(DETENT_OK), {begin(0), end(0), begin(kLast), end(kLast)});
  record.again->ops_ended = 2;
  EXPECT_EQ(check_fault_response(tables.desc, {.op_deadline_ps = 5}, record, kDigest).outcome, Outcome::kHolds);
  record.events = {begin(kLast), end(kLast), begin(0), end(0)};
  EXPECT_EQ(check_fault_response(tables.desc, {.op_deadline_ps = 5}, record, kDigest).outcome, Outcome::kViolated);
}

}  // namespace
}  // namespace detent::verify
