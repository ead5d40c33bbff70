// Faults in simulated time, on a fork of three ops with times by hand: 100 ps, then 200 and 300 ps side by side.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/simulate.hpp"
#include "tests/sim/graph.hpp"

namespace detent::sim::test {
namespace {

using harness::CancelAt;
using harness::FaultRecord;
using Ops = std::vector<std::uint32_t>;

struct Told {
  FaultRecord record;
  std::uint64_t makespan_ps = 0;
};

Told run_with(const harness::Faults& faults) {
  const GraphDesc graph({{100, 100, kCpu, 0, {1, 2}, {}}, {200, 200, kCpu, 0, {}, {}}, {300, 300, kCpu, 0, {}, {}}});
  SimOptions options;
  options.jitter.kind = Jitter::Kind::kWorst;
  options.faults = faults;
  Told told;
  options.on_faults = [&](std::uint64_t, const FaultRecord& record) { told.record = record; };
  const SimResult result = simulate(graph.desc(), plain_platform({{"cpu", 2}}), options);
  EXPECT_FALSE(result.failure.has_value()) << *result.failure;
  told.makespan_ps = result.max_ps;
  EXPECT_TRUE(told.record.exact_times);
  EXPECT_EQ(told.record.again->status, DETENT_OK);
  EXPECT_EQ(told.record.again->ops_ended, 3U);
  return told;
}

TEST(SimulatedFaults, AFailingKernelTakesItsTimeAndNothingFollowsIt) {
  const Told told = run_with({.failing_ops = {{.op = 0, .code = 9}}});
  EXPECT_EQ(told.record.error.status, DETENT_KERNEL_FAILED);
  EXPECT_EQ(told.record.error.code, 9);
  EXPECT_EQ(told.record.began(), Ops{0});
  EXPECT_EQ(told.makespan_ps, 100U);
}

TEST(SimulatedFaults, LatenessIsAddedToTheOpsTime) {
  const Told told = run_with({.late_ops = {{1, 150}}});
  EXPECT_EQ(told.record.error.status, DETENT_OK);
  EXPECT_EQ(told.makespan_ps, 450U);
}

TEST(SimulatedFaults, ADeadlineIsMissedByOnePicosecond) {
  EXPECT_EQ(run_with({.late_ops = {{1, 100}}, .op_deadline_ps = 300}).record.error.status, DETENT_OK);
  const Told late = run_with({.late_ops = {{1, 101}}, .op_deadline_ps = 300});
  EXPECT_EQ(late.record.error.status, DETENT_TIMEOUT);
  EXPECT_EQ(late.record.error.op, 1U);
}

TEST(SimulatedFaults, AnOpThatHangsIsLeftInFlight) {
  const Told told = run_with({.late_ops = {{.op = 2}}, .op_deadline_ps = 400});
  EXPECT_EQ(told.record.error.status, DETENT_TIMEOUT);
  EXPECT_EQ(told.record.in_flight(), Ops{2});
  EXPECT_GT(told.makespan_ps, 500U);
}

TEST(SimulatedFaults, ACancellationAtATimeComesBeforeAllElseOfItsInstant) {
  const Told at_the_end_of_0 = run_with({.cancel_at = {{.moment = CancelAt::Moment::kTime, .time_ps = 100}}});
  EXPECT_EQ(at_the_end_of_0.record.error.status, DETENT_CANCELLED);
  EXPECT_EQ(at_the_end_of_0.record.began(), Ops{0});
  const Told later = run_with({.cancel_at = {{.moment = CancelAt::Moment::kTime, .time_ps = 101}}});
  EXPECT_EQ(later.record.began(), (Ops{0, 1, 2}));
  EXPECT_EQ(later.makespan_ps, 400U) << "what is in flight drains";
}

/// Two runs of an op on a core, and after it two on an accelerator that takes them one by one.
std::vector<FaultRecord> records_with(const harness::Faults& faults, bool is_async) {
  const std::uint32_t device = is_async ? kDelay : kNpu;
  const GraphDesc graph(
      {{100, 100, kCpu, 0, {1, 2}, {}}, {200, 200, device, 0, {}, {}}, {300, 300, device, 0, {}, {}}});
  SimOptions options;
  options.jitter.kind = Jitter::Kind::kWorst;
  options.runs = 2;
  options.faults = faults;
  std::vector<FaultRecord> records;
  options.on_faults = [&](std::uint64_t, const FaultRecord& record) { records.push_back(record); };
  const SimResult result = simulate(graph.desc(), plain_platform({{"cpu", 1}, {"npu", 1}}), options);
  EXPECT_FALSE(result.failure.has_value()) << *result.failure;
  EXPECT_EQ(records.size(), 2U);
  return records;
}

TEST(SimulatedFaults, CallsOfADeviceAreCountedOverTheRuns) {
  const std::vector<FaultRecord> records =
      records_with({.failing_devices = {{.device = "npu", .calls = {.first = 3}, .code = 9}}}, false);
  EXPECT_EQ(records[0].error.status, DETENT_OK);
  EXPECT_TRUE(records[0].device_faults().empty());
  EXPECT_EQ(records[1].error.status, DETENT_KERNEL_FAILED);
  EXPECT_EQ(records[1].error.code, 9);
  ASSERT_EQ(records[1].device_faults().size(), 1U);
  EXPECT_EQ(records[1].device_faults()[0].op, records[1].error.op);
  EXPECT_EQ(records[1].device_faults()[0].device_call, 3U);
}

TEST(SimulatedFaults, DeviceThatIsLateOrHangsIsSoWhoeverDispatchesItsOps) {
  for (const bool is_async : {false, true}) {
    const std::string device = is_async ? "delay" : "npu";
    const std::uint64_t alone_ps = records_with({.op_deadline_ps = 1'000}, is_async)[0].returned_ps;
    const std::vector<FaultRecord> late =
        records_with({.late_devices = {{.device = device, .calls = {.first = 2}, .delay_ps = 400}}}, is_async);
    EXPECT_EQ(late[0].error.status, DETENT_OK);
    EXPECT_EQ(late[0].device_faults().size(), 1U);
    EXPECT_EQ(late[0].returned_ps, alone_ps + 400) << device;
    EXPECT_EQ(late[1].returned_ps, alone_ps) << device;
    const std::vector<FaultRecord> hung = records_with(
        {.late_devices = {{.device = device, .calls = {.first = 3, .onward = true}}}, .op_deadline_ps = 500}, is_async);
    EXPECT_EQ(hung[0].error.status, DETENT_OK);
    EXPECT_EQ(hung[1].error.status, DETENT_TIMEOUT);
    EXPECT_EQ(hung[1].in_flight().front(), hung[1].device_faults().front().op);
  }
}

TEST(SimulatedFaults, SecondAnswersAreRefused) {
  const Told told = run_with({.answered_twice = {0, 2}});
  EXPECT_EQ(told.record.error.status, DETENT_OK);
  EXPECT_EQ(told.record.second_answers, 2U);
  EXPECT_EQ(told.record.accepted_second, 0U);
  EXPECT_EQ(told.makespan_ps, 400U);
}

TEST(SimulatedFaults, AStartThatFails) {
  const Told told = run_with({.failing_start = 1});
  EXPECT_EQ(told.record.error.status, DETENT_WORKER_FAILED);
  EXPECT_TRUE(told.record.began().empty());
}

TEST(SimulatedFaults, FaultsThatTheModelCannotHaveAreRefused) {
  EXPECT_THROW(run_with({.failing_ops = {{.op = 3}}}), std::invalid_argument);
  EXPECT_THROW(run_with({.late_ops = {{.op = 0}}}), std::invalid_argument);
}

}  // namespace
}  // namespace detent::sim::test
