// The injector by itself: what it says of each op, what it records, which answers it keeps.
#include <gtest/gtest.h>

#include <string>

#include "harness/faults/injector.hpp"
#include "tests/verify/random_graph.hpp"

namespace detent::harness {
namespace {

std::string events_text(const std::vector<FaultEvent>& events) {
  std::string text;
  for (const FaultEvent& event : events) {
    const char* const kinds[] = {"begin", "end", "cancel"};
    text += std::string(text.empty() ? "" : ", ") + kinds[static_cast<int>(event.kind)] + " " +
            std::to_string(static_cast<std::int32_t>(event.op)) + " code " + std::to_string(event.code) + " at " +
            std::to_string(event.time_ps);
  }
  return text;
}

detent_result result_with(std::uint32_t in_flight) {
  detent_result result{};
  result.error.status = DETENT_TIMEOUT;
  result.error.op = 2;
  result.ops_in_flight = in_flight;
  return result;
}

class FaultInjectorTest : public ::testing::Test {
 protected:
  const verify::testing::DescTables ops_{verify::testing::make_ops(5)};  // all of class "cpu"
};

TEST_F(FaultInjectorTest, SaysWhatGoesWrongWithEachOp) {
  FaultInjector injector(
      {.failing_ops = {{.op = 0}, {.op = 1, .calls = {.first = 2}, .code = 7}, {.op = 3, .code = -4}},
       .late_ops = {{2, 500}, {3, LateOp::kNever}},
       .answered_twice = {1, 3}},
      ops_.desc);
  const auto said = [&](std::uint32_t op) {
    const OpFault fault = injector.begin(nullptr, op, 10);
    return std::to_string(fault.code) + " " + std::to_string(fault.delay_ps) + (fault.twice ? " twice" : "");
  };
  injector.begin_run(true, 0);
  EXPECT_EQ(said(0), "1 0");
  EXPECT_EQ(said(0), "1 0");
  EXPECT_EQ(said(1), "0 0 twice");
  EXPECT_EQ(said(1), "7 0 twice");
  EXPECT_EQ(said(1), "0 0 twice");
  EXPECT_EQ(said(2), "0 500");
  EXPECT_EQ(said(3), "-4 18446744073709551615 twice");
  EXPECT_EQ(said(4), "0 0");
  injector.begin_run(false, 0);
  EXPECT_EQ(said(0), "0 0");
  EXPECT_EQ(said(3), "0 0");
  FaultInjector calls({.failing_ops = {{.op = 1, .calls = {.first = 2}, .code = 7}}}, ops_.desc);
  calls.begin_run(true, 0);
  EXPECT_EQ(calls.begin(nullptr, 1, 0).code, 0);
  calls.begin_run(false, 0);
  EXPECT_EQ(calls.begin(nullptr, 1, 0).code, 0);  // calls of runs without faults do not count
  calls.begin_run(true, 0);
  EXPECT_EQ(calls.begin(nullptr, 1, 0).code, 7);
}

/// Code and delay of the op where it has them, else those of its device; calls of the device go on being counted.
TEST_F(FaultInjectorTest, WhatIsSaidOfAnOpCountsBeforeWhatIsSaidOfItsDevice) {
  FaultInjector injector({.failing_ops = {{.op = 1, .calls = {.first = 1}, .code = 7}},
                          .late_ops = {{2, 500}},
                          .failing_devices = {{.device = "cpu", .code = 3}},
                          .late_devices = {{.device = "cpu", .calls = {.first = 2, .onward = true}, .delay_ps = 40}}},
                         ops_.desc);
  injector.begin_run(true, 0);
  const auto said = [&](std::uint32_t op) {
    const OpFault fault = injector.begin(nullptr, op, 10);
    return std::to_string(fault.code) + " " + std::to_string(fault.delay_ps);
  };
  EXPECT_EQ(said(1), "7 0");
  EXPECT_EQ(said(2), "3 500");
  EXPECT_EQ(said(1), "3 40");
  EXPECT_EQ(said(0), "3 40");
  const FaultRecord record = injector.finish(result_with(0), 20);
  std::string calls;
  for (const FaultEvent& event : record.events) {
    calls += std::to_string(event.device_call) + (event.is_device_fault ? " by the device, " : " by the op, ");
  }
  EXPECT_EQ(calls, "1 by the op, 2 by the device, 3 by the device, 4 by the device, ");
  EXPECT_EQ(record.device_faults().size(), 3U);
  EXPECT_EQ(record.device_faults().front().op, 2U);
}

TEST_F(FaultInjectorTest, CallsOfADeviceAreThoseOfRunsInWhichFaultsAreInjected) {
  FaultInjector injector({.failing_devices = {{.device = "cpu", .calls = {.first = 3}, .code = 9}}}, ops_.desc);
  injector.begin_run(true, 0);
  EXPECT_EQ(injector.begin(nullptr, 0, 0).code, 0);
  EXPECT_EQ(injector.begin(nullptr, 1, 0).code, 0);
  static_cast<void>(injector.finish(result_with(0), 1));
  EXPECT_EQ(injector.begin(nullptr, 2, 2).code, 0) << "given out before the run returned";
  injector.begin_run(false, 3);
  EXPECT_EQ(injector.begin(nullptr, 0, 3).code, 0);
  EXPECT_EQ(injector.finish(result_with(0), 4).events.front().device_call, 0U);
  injector.begin_run(true, 5);
  EXPECT_EQ(injector.begin(nullptr, 4, 5).code, 9);
  EXPECT_EQ(injector.begin(nullptr, 4, 6).code, 0);
  EXPECT_EQ(injector.finish(result_with(0), 7).device_faults().front().device_call, 3U);
}

TEST_F(FaultInjectorTest, RecordsEventsSinceTheRunsBegin) {
  FaultInjector injector({.cancel_at = CancelAt{.moment = CancelAt::Moment::kOpBegin, .op = 1}}, ops_.desc);
  injector.begin_run(true, 100);
  injector.begin(nullptr, 0, 110);
  injector.begin(nullptr, 1, 120);
  injector.end(nullptr, 0, 5, 130);
  injector.begin(nullptr, 2, 90);
  injector.cancel_now(nullptr, 140);
  const FaultRecord record = injector.finish(result_with(2), 160);
  EXPECT_EQ(events_text(record.events),
            "begin 0 code 0 at 10, begin 1 code 0 at 20, cancel 1 code 0 at 20, end 0 code 5 at 30, begin 2 code 0 at "
            "0, cancel -1 code 0 at 40");
  EXPECT_EQ(record.error.status, DETENT_TIMEOUT);
  EXPECT_EQ(record.error.op, 2U);
  EXPECT_EQ(record.returned_ps, 60U);
  EXPECT_EQ(record.said_in_flight, 2U);
  EXPECT_EQ(record.second_answers, 0U);
  EXPECT_EQ(record.accepted_second, 0U);
  EXPECT_EQ(record.in_flight(), (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(record.began(), (std::vector<std::uint32_t>{0, 1, 2}));
  // Once the run has returned, nothing goes wrong any more.
  injector.begin(nullptr, 1, 170);
  injector.end(nullptr, 1, 0, 175);
  injector.cancel_now(nullptr, 180);
  EXPECT_EQ(injector.finish(result_with(0), 50).returned_ps, 0U);
  EXPECT_EQ(events_text(injector.finish(result_with(0), 200).events).substr(events_text(record.events).size()),
            ", begin 1 code 0 at 70, end 1 code 0 at 75");
  injector.begin_run(true, 300);
  EXPECT_TRUE(injector.finish(result_with(0), 310).events.empty());
}

TEST_F(FaultInjectorTest, CancelsAtAnOpsEndBeforeItEnds) {
  FaultInjector injector({.cancel_at = CancelAt{.moment = CancelAt::Moment::kOpEnd, .op = 1}}, ops_.desc);
  injector.begin_run(true, 0);
  injector.begin(nullptr, 1, 1);
  injector.end(nullptr, 0, 0, 2);
  injector.end(nullptr, 1, 3, 4);
  EXPECT_EQ(events_text(injector.finish(result_with(0), 5).events),
            "begin 1 code 0 at 1, end 0 code 0 at 2, cancel 1 code 0 at 4, end 1 code 3 at 4");
  injector.begin_run(false, 0);
  injector.end(nullptr, 1, 0, 4);
  injector.cancel_now(nullptr, 5);
  EXPECT_EQ(events_text(injector.finish(result_with(0), 6).events), "end 1 code 0 at 4");
}

TEST_F(FaultInjectorTest, AnswersAreGivenWhenTheyAreDue) {
  FaultInjector injector({.answered_twice = {2}}, ops_.desc);
  injector.begin_run(true, 0);
  EXPECT_EQ(injector.next_due_ps(), UINT64_MAX);
  injector.keep_back(nullptr, 0, 10, 50);
  injector.keep_back(nullptr, 1, 11, 20);
  injector.keep_back(nullptr, 2, 12, 30);
  injector.keep_back(nullptr, 3, 13, UINT64_MAX);
  EXPECT_EQ(injector.next_due_ps(), 20U);
  injector.expire(19);
  EXPECT_EQ(injector.next_due_ps(), 20U);
  injector.expire(30);
  EXPECT_EQ(injector.next_due_ps(), 50U);
  injector.release(60);
  EXPECT_EQ(injector.next_due_ps(), UINT64_MAX);
  injector.release(70);
  const FaultRecord record = injector.finish(result_with(0), 80);
  EXPECT_EQ(events_text(record.events),
            "end 1 code 11 at 30, end 2 code 12 at 30, end 0 code 10 at 60, end 3 code 13 at 60");
  EXPECT_EQ(record.second_answers, 1U);
  EXPECT_EQ(record.accepted_second, 0U);  // there is no context that could accept it
  injector.begin_run(false, 0);
  injector.answer(nullptr, 2, 0);
  EXPECT_EQ(injector.finish(result_with(0), 1).second_answers, 1U);
}

TEST_F(FaultInjectorTest, TheRunAgainCountsOpsThatBeganAndEndedOnce) {
  FaultInjector injector({}, ops_.desc);
  injector.begin_run(false, 100);
  for (const std::uint32_t op : {0U, 1U, 2U, 2U}) injector.begin(nullptr, op, 110 + op);
  injector.end(nullptr, 0, 0, 140);
  injector.end(nullptr, 1, 0, 150);
  injector.end(nullptr, 2, 0, 120);
  RunAgain again = injector.finish_again(DETENT_OK);
  EXPECT_EQ(again.status, DETENT_OK);
  EXPECT_EQ(again.ops_ended, 2U);
  EXPECT_EQ(again.longest_ps, 39U);
  EXPECT_FALSE(again.digest.has_value());
  injector.begin(nullptr, 3, 160);
  again = injector.finish_again(DETENT_STALLED);
  EXPECT_EQ(again.status, DETENT_STALLED);
  EXPECT_EQ(again.ops_ended, 2U);
  EXPECT_EQ(again.longest_ps, UINT64_MAX - 60);
}

TEST_F(FaultInjectorTest, OpsInFlightAscendAndBeginsKeepTheirOrder) {
  using Kind = FaultEvent::Kind;
  const FaultRecord record{.events = {{Kind::kBegin, 3, 0, 1},
                                      {Kind::kBegin, 1, 0, 2},
                                      {Kind::kEnd, 7, 0, 3},
                                      {Kind::kCancel, 3, 0, 3},
                                      {Kind::kBegin, 2, 0, 4},
                                      {Kind::kBegin, 0, 0, 4},
                                      {Kind::kEnd, 1, 0, 5}}};
  EXPECT_EQ(record.in_flight(), (std::vector<std::uint32_t>{0, 2, 3}));
  EXPECT_EQ(record.began(), (std::vector<std::uint32_t>{3, 1, 2, 0}));
}

}  // namespace
}  // namespace detent::harness
