// Faults in simulated time, on a fork of three ops with times by hand: 100 ps, then 200 and 300 ps side by side.
#include <gtest/gtest.h>

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
