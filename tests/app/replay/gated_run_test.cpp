#include "app/replay/gated_run.hpp"

#include <gtest/gtest.h>

#include "app/replay/oriented_run.hpp"
#include "tests/app/answers.hpp"
#include "verify/explore/ops/oriented.hpp"

namespace detent::app {
namespace {

namespace explore = verify::explore;

constexpr std::uint64_t kWatchdogMs = 10'000;

/// Ops 1 and 2 of the diamond lie side by side.
ReplayLine constrained(std::uint32_t first, std::uint32_t then) {
  ReplayLine line;
  line.model = "diamond";
  line.engine.workers = 2;
  line.before = {{first, then}};
  return line;
}

explore::GateReplay gated(const ReplayLine& line, std::uint64_t runs = 2) {
  const LoadedModel loaded = load(line.model, {});
  return run_behind_gates(explore::OpSpace(loaded.desc()), loaded, line, runs, kWatchdogMs);
}

std::string refused(const ReplayLine& line) {
  return refusal_of([&] { return gated(line).runs; });
}

TEST(GatedRun, EachConstraintHoldsInEveryRun) {
  for (const auto& [first, then] : {std::pair{1U, 2U}, std::pair{2U, 1U}}) {
    const explore::GateReplay replay = gated(constrained(first, then));
    EXPECT_EQ(replay.error.status, DETENT_OK);
    EXPECT_EQ(replay.runs, 2U);
    EXPECT_EQ(replay.reproduced, 2U);
    EXPECT_EQ(replay.expired, 0U);
    EXPECT_EQ(replay.digests.size(), 1U);
  }
}

TEST(GatedRun, OpsBeyondTheModelAreRefused) {
  ReplayLine line = constrained(1, 2);
  line.ops = {1, 2, 9};
  EXPECT_EQ(refused(line), "replay line: ops=1-2,9: the model has 4 ops");
  EXPECT_EQ(refused(constrained(1, 9)), "replay line: before=1<9: name two different ops; the model has 4");
  EXPECT_EQ(refused(constrained(2, 2)), "replay line: before=2<2: name two different ops; the model has 4");
}

TEST(GatedRun, ConstraintsThatCloseACycleWithTheGraphAreRefused) {
  EXPECT_EQ(refused(constrained(3, 0)),
            "replay line: before=: with the edges of the graph the constraints close a cycle");
}

TEST(GatedRun, LineWithoutAScheduleIsRefused) {
  ReplayLine line = constrained(1, 2);
  line.before.clear();
  EXPECT_EQ(refused(line),
            "replay line: it has no order=, before= or choices=, so there is no schedule to repeat under the explorer "
            "or behind gates; lines of detent explore have one");
}

TEST(GatedRun, OrderOfAnotherModelIsRefused) {
  ReplayLine line = constrained(1, 2);
  line.engine.order = {0, 2, 1};
  EXPECT_EQ(
      refused(line),
      "replay line: order=: does not hold every op once with every edge pointing forward; it belongs to another model");
}

TEST(GatedRun, OneWorkerCannotHoldAnOpAndGoOn) {
  ReplayLine line = constrained(1, 2);
  line.engine.workers = 1;
  EXPECT_NE(refused(line), "");
}

TEST(OrientedRun, DecisionsAreEdgesOfTheSimulatedRun) {
  const LoadedModel loaded = load("bad_reuse_war", {});
  const explore::OpSpace space(loaded.desc());
  const sim::Platform cores = sim::plain_platform({{"cpu", 2}});
  std::vector<std::uint32_t> order(loaded.desc().op_count);
  for (std::uint32_t op = 0; op < order.size(); ++op) order[op] = op;
  const std::vector<explore::Constraint> decisions = explore::decisions_of(space, order);
  ASSERT_FALSE(decisions.empty());
  std::string why;
  const auto result =
      simulate_oriented(loaded.desc(), cores, {.engine = {.workers = 2}, .timing_only = true}, decisions, why);
  ASSERT_TRUE(result) << why;
  for (const explore::Constraint& decision : decisions) {
    std::uint64_t end_ps = 0, begin_ps = 0;
    for (const harness::Span& span : result->worst.trace.spans) {
      if (span.op == decision.first) end_ps = span.end_ps;
      if (span.op == decision.then) begin_ps = span.begin_ps;
    }
    EXPECT_LE(end_ps, begin_ps) << decision.first << " before " << decision.then;
  }
}

TEST(OrientedRun, RunThatFailsSaysWhy) {
  const LoadedModel loaded = load("diamond", {});
  sim::Platform cores = sim::plain_platform({{"cpu", 2}});
  cores.memory_bytes = 1;
  std::string why;
  EXPECT_FALSE(simulate_oriented(loaded.desc(), cores, {.engine = {.workers = 2}}, {}, why));
  EXPECT_FALSE(why.empty());
}

}  // namespace
}  // namespace detent::app
