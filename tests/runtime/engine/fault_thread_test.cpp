// Faults F01 to F12 on real threads, in every mode, and the known faults of earlier prototypes by name.
#include <gtest/gtest.h>

#include <thread>

#include "tests/runtime/engine/graph.hpp"
#include "tests/runtime/engine/ports.hpp"

namespace detent::test {
namespace {

struct Case {
  const char* name;
  detent_mode mode;
  detent_scheduler scheduler;
  std::uint32_t workers;
};

class Faults : public testing::TestWithParam<Case> {
 protected:
  static EngineSetup setup() {
    return {.mode = GetParam().mode, .scheduler = GetParam().scheduler, .worker_count = GetParam().workers};
  }
};

INSTANTIATE_TEST_SUITE_P(Engine, Faults,
                         testing::Values(Case{"serial", DETENT_MODE_SERIAL, DETENT_SCHEDULER_ROLE, 0},
                                         Case{"layered1", DETENT_MODE_LAYERED, DETENT_SCHEDULER_ROLE, 1},
                                         Case{"layered3", DETENT_MODE_LAYERED, DETENT_SCHEDULER_ROLE, 3},
                                         Case{"role1", DETENT_MODE_CLOSED_LOOP, DETENT_SCHEDULER_ROLE, 1},
                                         Case{"role3", DETENT_MODE_CLOSED_LOOP, DETENT_SCHEDULER_ROLE, 3},
                                         Case{"thread1", DETENT_MODE_CLOSED_LOOP, DETENT_SCHEDULER_THREAD, 1},
                                         Case{"thread3", DETENT_MODE_CLOSED_LOOP, DETENT_SCHEDULER_THREAD, 3},
                                         Case{"static1", DETENT_MODE_STATIC, DETENT_SCHEDULER_ROLE, 1},
                                         Case{"static3", DETENT_MODE_STATIC, DETENT_SCHEDULER_ROLE, 3}),
                         [](const auto& tested) { return std::string(tested.param.name); });

std::vector<bool> descendants(const Graph& graph, std::uint32_t op) {
  std::vector<bool> after(graph.op_count());
  for (const Edge& edge : graph.edges()) {
    if (edge.from == op || after[edge.from]) after[edge.to] = true;  // edges ascend
  }
  return after;
}

void expect_reset_and_good_run(Graph& graph, Bound& bound) {
  detent_result result{};
  EXPECT_EQ(detent_run(bound.context(), &result), DETENT_BAD_STATE);
  ASSERT_EQ(detent_reset(bound.context()), DETENT_OK);
  graph.witness().clear();
  ASSERT_EQ(bound.run().error.status, DETENT_OK);
  ASSERT_EQ(graph.violation(), "");
}

// Known fault: successors of a failed op still ran.
TEST_P(Faults, F01_NoSuccessorOfAFailedOpRuns) {
  Graph graph = layered(6, 8, 3);
  Bound bound(graph, setup());
  ASSERT_EQ(bound.status(), DETENT_OK);
  for (const std::uint32_t failing : {0u, 13u, 47u}) {
    graph.witness().clear();
    graph.witness().codes[failing] = 77;
    const detent_result result = bound.run();
    EXPECT_EQ(result.error.status, DETENT_KERNEL_FAILED);
    EXPECT_EQ(result.error.op, failing);
    EXPECT_EQ(result.error.code, 77);
    EXPECT_LT(result.ops_run, graph.op_count());
    const std::vector<bool> after = descendants(graph, failing);
    for (std::uint32_t op = 0; op < graph.op_count(); ++op) {
      EXPECT_TRUE(!after[op] || graph.witness().runs[op] == 0) << op;
    }
    graph.witness().codes[failing] = 0;
    expect_reset_and_good_run(graph, bound);
  }
}

// Known fault: the error word was a plain int that several workers wrote.
TEST_P(Faults, F01_TheErrorIsOneFaultAndNotAMixture) {
  Graph graph = wide(24);
  Bound bound(graph, setup());
  for (std::uint32_t op = 0; op < 24; ++op) graph.witness().codes[op] = 100 + static_cast<std::int32_t>(op);
  for (int run = 0; run < 20; ++run) {
    const detent_error error = bound.run().error;
    ASSERT_EQ(error.status, DETENT_KERNEL_FAILED);
    ASSERT_EQ(error.code, 100 + static_cast<std::int32_t>(error.op));
    ASSERT_EQ(detent_reset(bound.context()), DETENT_OK);
  }
}

TEST_P(Faults, F06_ARunningContextIsBusy) {
  Graph graph = diamond();
  Bound bound(graph, setup());
  detent_status run = DETENT_OK, reset = DETENT_OK, deinit = DETENT_OK, policy = DETENT_OK;
  detent_result result{};
  graph.witness().hook = [&](std::uint32_t op) {
    if (op != 3) return;
    result.error.op = 7;
    run = detent_run(bound.context(), &result);
    reset = detent_reset(bound.context());
    deinit = detent_deinit(bound.context());
    policy = detent_set_policy(bound.context(), nullptr);
  };
  ASSERT_EQ(bound.run().error.status, DETENT_OK);
  EXPECT_EQ(run, DETENT_BUSY);
  EXPECT_EQ(result.error.status, DETENT_BUSY) << "whoever asks the result learns it, too";
  EXPECT_NE(result.error.op, 7U);
  EXPECT_EQ(reset, DETENT_BUSY);
  EXPECT_EQ(deinit, DETENT_BUSY);
  EXPECT_EQ(policy, DETENT_BUSY);
}

TEST_P(Faults, F06_TwoContextsOnOneDescRunAtOnce) {
  Graph graph = layered(5, 6, 1);
  Bound first(graph, setup()), second(graph, setup());
  ASSERT_EQ(first.run().error.status, DETENT_OK);
  ASSERT_EQ(second.run().error.status, DETENT_OK);
  const auto run_often = [](Bound& bound) {
    for (int run = 0; run < 20; ++run) ASSERT_EQ(bound.run().error.status, DETENT_OK);
  };
  std::thread other([&] { run_often(second); });
  run_often(first);
  other.join();
  EXPECT_EQ(first.digest(), second.digest());
}

TEST_P(Faults, F07_CancelStopsDispatchAndDrains) {
  Graph graph = chain(30);
  Bound bound(graph, setup());
  graph.witness().hook = [&](std::uint32_t op) {
    if (op == 10) detent_cancel(bound.context());
  };
  const detent_result result = bound.run();
  EXPECT_EQ(result.error.status, DETENT_CANCELLED);
  EXPECT_EQ(result.ops_run, 11u);
  EXPECT_EQ(graph.witness().runs[11], 0u);
  graph.witness().hook = nullptr;
  expect_reset_and_good_run(graph, bound);
}

TEST_P(Faults, F12_ACompletionForAnOpThatIsNotInFlightIsRejectedAndRecorded) {
  Graph graph = diamond();
  EngineSetup options = setup();
  options.log_records = 64;
  Bound bound(graph, options);
  EXPECT_EQ(detent_complete(bound.context(), 1, 0), DETENT_FOREIGN_COMPLETION);
  EXPECT_EQ(detent_complete(bound.context(), 99, 0), DETENT_FOREIGN_COMPLETION);
  ASSERT_EQ(bound.run().error.status, DETENT_OK);
  const std::uint32_t workers = GetParam().workers == 0 ? 1 : GetParam().workers;
  const detent_log* log = detent_context_log(bound.context(), workers + 1);
  ASSERT_NE(log, nullptr);
  ASSERT_EQ(detent_log_size(log), 2u);
  EXPECT_EQ(detent_log_at(log, 0)->event, DETENT_EVENT_FOREIGN_COMPLETION);
  EXPECT_EQ(detent_log_at(log, 1)->op, 99u);
}

/// Ops 0 and 1 go out at once; the one that is not the caller's hangs.
void expect_timeout_of_a_hanging_op(Graph graph, EngineSetup options) {
  CountingPort port;
  options.port = port.port();
  options.worker_count = 2;
  options.op_deadline_ps = 2000 * CountingPort::kStepPs;
  std::atomic<bool> hanging{true};
  std::atomic<std::uint32_t> begun{0};
  const std::thread::id caller = std::this_thread::get_id();
  const bool caller_works = options.scheduler == DETENT_SCHEDULER_ROLE;
  graph.witness().hook = [&](std::uint32_t op) {
    if (!hanging) return;
    ++begun;
    while (begun < 2) std::this_thread::yield();  // both ops are out, on two slots
    const bool hangs = caller_works ? std::this_thread::get_id() != caller : op == 1;
    if (hangs) port.let_time_pass();
    while (hangs && hanging) std::this_thread::yield();
  };
  Bound bound(graph, options);
  ASSERT_EQ(bound.status(), DETENT_OK);
  const detent_result result = bound.run();
  EXPECT_EQ(result.error.status, DETENT_TIMEOUT);
  EXPECT_LT(result.error.op, 2u);
  EXPECT_EQ(detent_reset(bound.context()), DETENT_BUSY);
  EXPECT_EQ(detent_deinit(bound.context()), DETENT_BUSY);
  hanging = false;
  port.stop_time();
  while (detent_reset(bound.context()) == DETENT_BUSY) std::this_thread::yield();
  graph.witness().clear();
  ASSERT_EQ(bound.run().error.status, DETENT_OK);
  EXPECT_EQ(graph.violation(), "");
}

TEST_P(Faults, F02_AnOpThatHangsOnAnotherSlotEndsTheRun) {
  if (GetParam().workers < 2) GTEST_SKIP() << "needs another slot";
  expect_timeout_of_a_hanging_op(wide(2), setup());
}

TEST_P(Faults, F02_AnOpThatHangsWhileEveryOtherSlotWaitsForItsEndEndsTheRun) {
  if (GetParam().workers < 2) GTEST_SKIP() << "needs another slot";
  expect_timeout_of_a_hanging_op(Graph(4, {{0, 2}, {0, 3}, {1, 2}, {1, 3}}), setup());
}

TEST_P(Faults, F02_AnOpThatIsLateOnTheCallersSlotIsReportedWhenItReturns) {
  CountingPort port;
  Graph graph = chain(3);
  EngineSetup options = setup();
  options.port = port.port();
  options.op_deadline_ps = 5000 * CountingPort::kStepPs;
  graph.witness().hook = [&](std::uint32_t op) {
    if (op == 1) port.advance(20'000);
  };
  Bound bound(graph, options);
  const detent_result result = bound.run();
  EXPECT_EQ(result.error.status, DETENT_TIMEOUT);
  EXPECT_EQ(result.error.op, 1u);
  EXPECT_EQ(graph.witness().runs[2], 0u);
  graph.witness().hook = nullptr;
  while (detent_reset(bound.context()) == DETENT_BUSY) std::this_thread::yield();
  graph.witness().clear();
  EXPECT_EQ(bound.run().error.status, DETENT_OK);
}

TEST(FaultThreads, F04_AStartThatFailsJoinsTheOthers) {
  Graph graph = diamond();
  for (const std::uint32_t failing : {1u, 2u, 3u}) {
    CountingPort port(failing);
    Bound bound(graph, {.worker_count = 4, .port = port.port()});
    EXPECT_EQ(bound.status(), DETENT_WORKER_FAILED);
    EXPECT_EQ(bound.context(), nullptr);
    EXPECT_EQ(port.started, failing - 1);
    EXPECT_EQ(port.joined, failing - 1);
  }
}

TEST(FaultThreads, F04_APortWithTooFewSlotsIsRefused) {
  Graph graph = diamond();
  Bound bound(graph, {.worker_count = 4, .max_slots = 3});
  EXPECT_EQ(bound.status(), DETENT_WORKER_FAILED);
}

// Known fault: workers went on spinning after the tasks were claimed.
TEST(FaultThreads, IdleWorkersParkAfterTheSpinLimit) {
  CountingPort port;
  port.settings().spin_limit = 8;
  Graph graph = chain(50);
  {
    Bound bound(graph, {.worker_count = 3, .port = port.port()});
    while (port.waits < 2) std::this_thread::yield();  // both started slots sleep before the first run
    const std::uint32_t pauses = port.pauses;
    EXPECT_LE(pauses, 16u);
    ASSERT_EQ(bound.run().error.status, DETENT_OK);
  }
  EXPECT_LE(port.pauses, 16u + 8u * 3u * 51u);
}

// Known fault: stop sentinels were pushed twice. Stopping is a word of its own, so any number of workers ends.
TEST(FaultThreads, EveryWorkerEndsOnceWhetherOrNotItEverWorked) {
  Graph graph = diamond();
  for (const std::uint32_t workers : {1u, 2u, 5u, 9u}) {
    CountingPort port;
    {
      Bound bound(graph, {.worker_count = workers, .port = port.port()});
      ASSERT_EQ(bound.run().error.status, DETENT_OK);
    }
    EXPECT_EQ(port.joined, workers - 1);
  }
}

}  // namespace
}  // namespace detent::test
