// The engine's rules on one thread, where every order is known: policies, strict orders, mutexes, async ops, logs.
#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <cstdlib>

#include "tests/runtime/engine/graph.hpp"
#include "tests/runtime/engine/ports.hpp"

namespace detent::test {
namespace {

std::vector<std::uint32_t> start_order(Graph& graph) {
  std::vector<std::uint32_t> order(graph.op_count());
  for (std::uint32_t op = 0; op < graph.op_count(); ++op) order[op] = op;
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return graph.witness().begin[a] < graph.witness().begin[b]; });
  return order;
}

std::vector<std::uint32_t> order_of_run(Graph& graph, const EngineSetup& setup) {
  Bound bound(graph, setup);
  EXPECT_EQ(bound.status(), DETENT_OK);
  EXPECT_EQ(bound.run().error.status, DETENT_OK);
  EXPECT_EQ(graph.violation(), "");
  std::vector<std::uint32_t> order = start_order(graph);
  graph.witness().clear();
  return order;
}

/// What the rules say for one worker: among the ready ops always the one of lowest rank.
std::vector<std::uint32_t> order_by_the_rules(const Graph& graph, const std::vector<std::uint32_t>& rank) {
  std::vector<std::uint32_t> order;
  std::vector<bool> done(graph.op_count());
  const auto ready = [&](std::uint32_t op) {
    for (const Edge& edge : graph.edges()) {
      if (edge.to == op && !done[edge.from]) return false;
    }
    return !done[op];
  };
  while (order.size() < graph.op_count()) {
    std::uint32_t best = DETENT_NONE;
    for (std::uint32_t op = 0; op < graph.op_count(); ++op) {
      if (ready(op) && (best == DETENT_NONE || rank[op] < rank[best])) best = op;
    }
    done[best] = true;
    order.push_back(best);
  }
  return order;
}

constexpr detent_mode kModes[] = {DETENT_MODE_SERIAL, DETENT_MODE_LAYERED, DETENT_MODE_CLOSED_LOOP, DETENT_MODE_STATIC};

TEST(Engine, OneWorkerAlwaysTakesTheReadyOpOfLowestRank) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    Graph graph = layered(6, 9, seed);
    for (std::uint32_t op = 0; op < graph.op_count(); ++op) {
      graph.priorities.push_back(static_cast<std::int32_t>((op * 37) % 54));
    }
    std::vector<std::uint32_t> by_id, by_priority;
    for (std::uint32_t op = 0; op < graph.op_count(); ++op) {
      by_id.push_back(op);
      by_priority.push_back(static_cast<std::uint32_t>(graph.priorities[op]));
    }
    // With and without a log: the streak's shortest path and the general one choose alike.
    for (const std::uint32_t records : {0u, 1024u}) {
      for (const detent_mode mode : {DETENT_MODE_SERIAL, DETENT_MODE_CLOSED_LOOP, DETENT_MODE_STATIC}) {
        const auto run = [&](const detent_policy& policy) {
          return order_of_run(graph, {.mode = mode, .policy = policy, .log_records = records, .single_port = true});
        };
        EXPECT_EQ(run(detent_policy_id()), order_by_the_rules(graph, by_id));
        EXPECT_EQ(run(detent_policy_priority()), order_by_the_rules(graph, by_priority));
      }
    }
  }
}

TEST(Engine, AGivenOrderIsFollowedToTheLetter) {
  Graph graph = wide(6);
  const std::vector<std::uint32_t> wanted = {4, 0, 5, 2, 1, 3};
  const detent_given_order given{wanted.data(), 6};
  for (const detent_mode mode : kModes) {
    EXPECT_EQ(order_of_run(graph, {.mode = mode, .policy = detent_policy_given(&given), .single_port = true}), wanted);
  }
}

TEST(Engine, AStrictOrderAgainstTheEdgesStalls) {
  Graph graph = chain(3);
  detent_policy backwards = detent_policy_id();
  backwards.strict = true;
  backwards.rank = [](void*, const detent_desc* desc, std::uint32_t* rank, std::uint64_t*) {
    for (std::uint32_t op = 0; op < desc->op_count; ++op) rank[op] = desc->op_count - 1 - op;
    return DETENT_OK;
  };
  Bound loop(graph, {.policy = backwards, .single_port = true});
  ASSERT_EQ(loop.status(), DETENT_OK);
  EXPECT_EQ(loop.run().error.status, DETENT_STALLED);
  for (const detent_mode mode : {DETENT_MODE_SERIAL, DETENT_MODE_LAYERED, DETENT_MODE_STATIC}) {
    EXPECT_EQ(Bound(graph, {.mode = mode, .policy = backwards, .single_port = true}).status(), DETENT_STALLED);
  }
}

TEST(Engine, ArrivalIsRefusedWithRanksThatDoNotPutReadyOpsFirstAndInAStrictOrder) {
  Graph graph = chain(3);
  EXPECT_EQ(Bound(graph, {.policy = detent_policy_fifo(), .single_port = true}).status(), DETENT_OK);
  detent_policy backwards = detent_policy_fifo();
  backwards.rank = [](void*, const detent_desc* desc, std::uint32_t* rank, std::uint64_t*) {
    for (std::uint32_t op = 0; op < desc->op_count; ++op) rank[op] = desc->op_count - 1 - op;
    return DETENT_OK;
  };
  EXPECT_EQ(Bound(graph, {.policy = backwards, .single_port = true}).status(), DETENT_INVALID_ARGUMENT);
  detent_policy strict = detent_policy_fifo();
  strict.strict = true;
  EXPECT_EQ(Bound(graph, {.policy = strict, .single_port = true}).status(), DETENT_INVALID_ARGUMENT);
}

TEST(Engine, AnOpThatNoWorkerMayExecuteIsRefused) {
  Graph graph = chain(3);
  graph.workers = {0, 2, 0};  // worker 1, and there is only worker 0
  for (const detent_mode mode : {DETENT_MODE_CLOSED_LOOP, DETENT_MODE_STATIC}) {
    const Bound bound(graph, {.mode = mode, .single_port = true});
    EXPECT_EQ(bound.status(), DETENT_UNKNOWN_KERNEL);
    EXPECT_EQ(bound.error().op, 1U);
  }
  EXPECT_EQ(Bound(graph, {.mode = DETENT_MODE_SERIAL, .single_port = true}).run().error.status, DETENT_OK);

  Graph allowed = chain(3);
  allowed.workers = {0, 3, 1};
  EXPECT_EQ(Bound(allowed, {.single_port = true}).run().error.status, DETENT_OK);
  const Bound layered(allowed, {.mode = DETENT_MODE_LAYERED, .single_port = true});
  EXPECT_EQ(layered.status(), DETENT_UNSUPPORTED);
  EXPECT_EQ(layered.error().op, 1U);

  Graph classed = chain(2);  // worker 0 is of the other class
  classed.class_table = {{"cpu", DETENT_CLASS_WORKERS}, {"npu", DETENT_CLASS_WORKERS}};
  classed.classes = {0, 1};
  classed.workers = {0, 1};
  EXPECT_EQ(Bound(classed, {.worker_count = 2, .worker_classes = {0, 1}}).error().op, 1U);

  Graph async = chain(2);
  async.class_table = {{"cpu", DETENT_CLASS_WORKERS}, {"delay", DETENT_CLASS_ASYNC}};
  async.classes = {0, 1};
  async.workers = {0, 1};
  EXPECT_EQ(Bound(async, {.single_port = true}).status(), DETENT_UNKNOWN_KERNEL);
}

TEST(Engine, AGivenListThatAnOpIsNotForIsRefused) {
  Graph graph = chain(2);
  graph.workers = {0, 2};
  graph.schedules = {{{0, 1}, {}}};
  const Bound bound(graph, {.mode = DETENT_MODE_STATIC, .worker_count = 2});
  EXPECT_EQ(bound.status(), DETENT_UNKNOWN_KERNEL);
  EXPECT_EQ(bound.error().op, 1U);
}

TEST(Engine, RankThatIsNotAPermutationIsRefused) {
  Graph graph = chain(3);
  detent_policy twice = detent_policy_id();
  twice.rank = [](void*, const detent_desc* desc, std::uint32_t* rank, std::uint64_t*) {
    for (std::uint32_t op = 0; op < desc->op_count; ++op) rank[op] = 0;
    return DETENT_OK;
  };
  EXPECT_EQ(Bound(graph, {.policy = twice, .single_port = true}).status(), DETENT_INVALID_ARGUMENT);
  Bound bound(graph, {.single_port = true});
  EXPECT_EQ(detent_set_policy(bound.context(), &twice), DETENT_INVALID_ARGUMENT);
  EXPECT_EQ(bound.run().error.status, DETENT_OK);  // under the former policy
}

TEST(Engine, RandomOrdersDifferFromRunToRunAndRepeatFromTheirSeed) {
  const auto orders = [] {
    Graph graph = wide(20);
    detent_random_state state{7};
    Bound bound(graph, {.policy = detent_policy_random(&state), .single_port = true});
    std::vector<std::vector<std::uint32_t>> all;
    for (int run = 0; run < 3; ++run) {
      EXPECT_EQ(bound.run().error.status, DETENT_OK);
      all.push_back(start_order(graph));
    }
    return all;
  };
  const auto first = orders();
  EXPECT_EQ(first, orders());
  EXPECT_NE(first[0], first[1]);
}

Graph delayed_chain() {
  Graph graph = chain(5);
  graph.class_table = {{"cpu", DETENT_CLASS_WORKERS}, {"delay", DETENT_CLASS_ASYNC}};
  graph.classes = {0, 1, 1, 0, 1};
  return graph;
}

TEST(Engine, AsyncOpsOfADirectKernelEndAtOnce) {
  Graph graph = delayed_chain();
  for (const detent_mode mode : kModes) {
    EXPECT_EQ(order_of_run(graph, {.mode = mode, .single_port = true}).size(), 5u);
  }
}

class LaterModes : public testing::TestWithParam<std::tuple<detent_mode, const char*, bool>> {};
INSTANTIATE_TEST_SUITE_P(Engine, LaterModes,
                         testing::Combine(testing::ValuesIn(kModes), testing::Values("cpu", "delay"), testing::Bool()));

TEST_P(LaterModes, BackEndsMayAnswerLater) {
  const auto [mode, class_name, inside_dispatch] = GetParam();
  LaterBackend later(class_name);
  later.answers_inside_dispatch = inside_dispatch;
  Graph graph = delayed_chain();
  Bound bound(graph, {.mode = mode, .backends = {later.backend()}, .log_records = 64, .port = later.port()});
  ASSERT_EQ(bound.status(), DETENT_OK);
  for (int run = 0; run < 3; ++run) {
    graph.witness().clear();
    ASSERT_EQ(bound.run().error.status, DETENT_OK);
    ASSERT_EQ(graph.violation(), "");
  }
  const bool cpu = std::string(class_name) == "cpu";
  EXPECT_EQ(later.dispatched.size(), cpu ? 6u : 9u);
}

TEST_P(LaterModes, F02_ABackEndThatNeverAnswersEndsTheRunAndIsQuarantined) {
  const auto [mode, class_name, inside_dispatch] = GetParam();
  if (inside_dispatch) GTEST_SKIP() << "always answers";
  LaterBackend later(class_name);
  later.answers_on_wait = false;
  Graph graph = delayed_chain();
  Bound bound(graph, {.mode = mode, .backends = {later.backend()}, .op_deadline_ps = 50'000, .port = later.port()});
  const detent_result result = bound.run();
  EXPECT_EQ(result.error.status, DETENT_TIMEOUT);
  EXPECT_EQ(result.error.op, std::string(class_name) == "cpu" ? 0u : 1u);
  EXPECT_EQ(detent_reset(bound.context()), DETENT_BUSY);
  EXPECT_TRUE(later.answer_one());
  EXPECT_EQ(detent_reset(bound.context()), DETENT_OK);
  later.answers_on_wait = true;
  graph.witness().clear();
  EXPECT_EQ(bound.run().error.status, DETENT_OK);
  EXPECT_EQ(graph.violation(), "");
}

TEST_P(LaterModes, F01_AnErrorThatIsAnsweredLaterStopsDispatch) {
  const auto [mode, class_name, inside_dispatch] = GetParam();
  static_cast<void>(inside_dispatch);
  LaterBackend later(class_name);
  later.answers_on_wait = false;
  detent_port port = *later.port();
  static LaterBackend* failing;
  failing = &later;
  port.wait = [](void*, std::uint32_t, std::uint64_t) { failing->answer_one(9); };
  Graph graph = delayed_chain();
  Bound bound(graph, {.mode = mode, .backends = {later.backend()}, .port = &port});
  const detent_result result = bound.run();
  EXPECT_EQ(result.error.status, DETENT_KERNEL_FAILED);
  EXPECT_EQ(result.error.code, 9);
  EXPECT_EQ(graph.witness().runs[3], 0u);
}

/// The answer and the look at the deadline come at one wake-up, at which it is past.
TEST_P(LaterModes, F02_WhatIsAnsweredTooLateReleasesNothing) {
  const auto [mode, class_name, inside_dispatch] = GetParam();
  static_cast<void>(inside_dispatch);
  LaterBackend later(class_name);
  later.answers_on_wait = false;
  detent_port port = *later.port();
  static LaterBackend* tardy;
  tardy = &later;
  port.wait = [](void*, std::uint32_t, std::uint64_t) {
    tardy->now_ps += 50'001;
    tardy->answer_one(0);
  };
  Graph graph = delayed_chain();
  Bound bound(graph, {.mode = mode, .backends = {later.backend()}, .op_deadline_ps = 50'000, .port = &port});
  const detent_result result = bound.run();
  EXPECT_EQ(result.error.status, DETENT_TIMEOUT);
  EXPECT_EQ(result.error.op, std::string(class_name) == "cpu" ? 0u : 1u);
  EXPECT_EQ(graph.witness().runs[3], 0u);
}

TEST_P(LaterModes, F12_ASecondCompletionIsRejected) {
  const auto [mode, class_name, inside_dispatch] = GetParam();
  static_cast<void>(inside_dispatch);
  static LaterBackend* later;
  static detent_context* context;
  static detent_status second;
  LaterBackend backend(class_name);
  later = &backend;
  detent_port port = *backend.port();
  port.wait = [](void*, std::uint32_t, std::uint64_t) {
    const std::uint32_t op = later->dispatched.back();
    if (later->answer_one()) second = detent_complete(context, op, 0);
  };
  Graph graph = delayed_chain();
  Bound bound(graph, {.mode = mode, .backends = {backend.backend()}, .port = &port});
  context = bound.context();
  second = DETENT_OK;
  EXPECT_EQ(bound.run().error.status, DETENT_OK);
  EXPECT_EQ(second, DETENT_FOREIGN_COMPLETION);
  EXPECT_EQ(graph.violation(), "");
}

TEST(Engine, AClassWithOpsButNoWorkerIsRefusedB29) {
  Graph graph = diamond();
  graph.class_table = {{"cpu", DETENT_CLASS_WORKERS}, {"npu", DETENT_CLASS_WORKERS}};
  graph.classes = {0, 0, 1, 0};
  Bound bound(graph, {.worker_classes = {0}, .single_port = true});
  EXPECT_EQ(bound.status(), DETENT_UNKNOWN_KERNEL);
  EXPECT_EQ(bound.error().op, 2u);
  EXPECT_EQ(Bound(graph, {.worker_classes = {7}, .single_port = true}).status(), DETENT_INVALID_ARGUMENT);
}

TEST(Engine, StaticSchedulesOfTheDescAreFollowedOrRefused) {
  const auto bind = [](std::vector<std::uint32_t> list) {
    Graph graph = diamond();
    graph.schedules = {{std::move(list)}};
    Bound bound(graph, {.mode = DETENT_MODE_STATIC, .single_port = true});
    EXPECT_TRUE(bound.status() != DETENT_OK || bound.run().error.status == DETENT_OK);
    return std::pair(bound.status(), start_order(graph));
  };
  EXPECT_EQ(bind({0, 2, 1, 3}).second, (std::vector<std::uint32_t>{0, 2, 1, 3}));
  EXPECT_NE(bind({0, 2, 1}).first, DETENT_OK);     // misses an op
  EXPECT_NE(bind({0, 2, 2, 3}).first, DETENT_OK);  // one twice
  EXPECT_NE(bind({3, 0, 1, 2}).first, DETENT_OK);  // would deadlock
}

TEST(Engine, TheLogHoldsEveryOpAndTheOrderOfStarts) {
  Graph graph = layered(4, 5, 9);
  Bound bound(graph, {.log_records = 4096, .single_port = true});
  ASSERT_EQ(bound.run().error.status, DETENT_OK);
  const detent_log* log = detent_context_log(bound.context(), 0);
  ASSERT_NE(log, nullptr);
  EXPECT_EQ(log->dropped, 0u);
  std::uint32_t begins = 0, ends = 0, ready = 0;
  std::uint64_t sequence = 0;
  for (std::uint32_t i = 0; i < detent_log_size(log); ++i) {
    const detent_log_record& record = *detent_log_at(log, i);
    if (record.event == DETENT_EVENT_OP_END) ++ends;
    if (record.event == DETENT_EVENT_READY) ++ready;
    if (record.event != DETENT_EVENT_OP_BEGIN) continue;
    ++begins;
    EXPECT_GT(record.sequence, sequence);
    sequence = record.sequence;
  }
  EXPECT_EQ(begins, 20u);
  EXPECT_EQ(ends, 20u);
  EXPECT_EQ(ready, 15u);  // the five of the first layer are ready when the run begins
  EXPECT_EQ(detent_log_at(log, 0)->event, DETENT_EVENT_RUN_BEGIN);
  EXPECT_EQ(detent_log_at(log, detent_log_size(log) - 1)->event, DETENT_EVENT_RUN_END);
  detent_clear_log(bound.context());
  EXPECT_EQ(detent_log_size(log), 0u);
}

TEST(Engine, WithoutALogOrDeadlineTheClockIsReadTwicePerRun) {
  static std::uint32_t readings;
  detent_port port = detent_port_single();
  port.now_ps = [](void*) -> std::uint64_t { return ++readings; };
  Graph graph = chain(100);
  Bound bound(graph, {.port = &port});
  readings = 0;
  ASSERT_EQ(bound.run().error.status, DETENT_OK);
  EXPECT_EQ(readings, 2u);
}

TEST(Engine, CheckpointsComeInTheOrderOfTheSteps) {
  static std::vector<detent_checkpoint> seen;
  seen.clear();
  detent_port port = detent_port_single();
  port.checkpoint_mask =
      DETENT_CP_LOCK | DETENT_CP_QUEUE | DETENT_CP_DISPATCH | DETENT_CP_OP_BEGIN | DETENT_CP_OP_END | DETENT_CP_UNLOCK;
  port.checkpoint = [](void*, detent_checkpoint kind, std::uint32_t, std::uint32_t) { seen.push_back(kind); };
  Graph graph = chain(2);
  Bound bound(graph, {.port = &port});
  ASSERT_EQ(bound.run().error.status, DETENT_OK);
  const std::vector<detent_checkpoint> expected = {
      DETENT_CP_LOCK,     DETENT_CP_QUEUE,    DETENT_CP_UNLOCK,                    // first op taken
      DETENT_CP_DISPATCH, DETENT_CP_OP_BEGIN, DETENT_CP_OP_END,                    // executed
      DETENT_CP_LOCK,     DETENT_CP_QUEUE,    DETENT_CP_QUEUE,  DETENT_CP_UNLOCK,  // its successor put and taken
      DETENT_CP_DISPATCH, DETENT_CP_OP_BEGIN, DETENT_CP_OP_END, DETENT_CP_LOCK,   DETENT_CP_UNLOCK};
  EXPECT_EQ(seen, expected);
}

/// Lets the calling thread run on so many cores of those it may run on, and gives them back.
class Cores {
 public:
  Cores() { sched_getaffinity(0, sizeof all_, &all_); }
  ~Cores() { sched_setaffinity(0, sizeof all_, &all_); }
  Cores(const Cores&) = delete;
  Cores& operator=(const Cores&) = delete;
  [[nodiscard]] int count() const { return CPU_COUNT(&all_); }
  void keep(int count) const {
    cpu_set_t some;
    CPU_ZERO(&some);
    for (int core = 0; core < CPU_SETSIZE && CPU_COUNT(&some) < count; ++core) {
      if (CPU_ISSET(core, &all_)) CPU_SET(core, &some);
    }
    ASSERT_EQ(sched_setaffinity(0, sizeof some, &some), 0);
  }

 private:
  cpu_set_t all_{};
};

TEST(Engine, DefaultWorkerCountIsTheCoresThatTheProcessMayRunOnAtMostThree) {
  unsetenv("TVMRT_NUM_WORKERS");
  unsetenv("OMP_NUM_THREADS");
  const Cores cores;
  for (int count = 1; count <= cores.count(); ++count) {
    cores.keep(count);
    EXPECT_EQ(detent_default_worker_count(), static_cast<std::uint32_t>(std::min(count, 3)));
  }
}

// Known fault: the default number of workers differed between code and document.
TEST(Engine, TheEnvironmentSaysTheNumberOfWorkersWhereItHoldsOne) {
  unsetenv("TVMRT_NUM_WORKERS");
  unsetenv("OMP_NUM_THREADS");
  const std::uint32_t by_cores = detent_default_worker_count();
  EXPECT_EQ(detent_worker_count_or(17), 17u);
  setenv("TVMRT_NUM_WORKERS", "0", 1);
  EXPECT_EQ(detent_default_worker_count(), 0u);
  EXPECT_EQ(detent_worker_count_or(17), 0u);
  setenv("TVMRT_NUM_WORKERS", "64", 1);
  EXPECT_EQ(detent_default_worker_count(), 64u);
  for (const char* bad : {"", "65", "-1", "two", "3x", "99999999999999999999"}) {
    setenv("TVMRT_NUM_WORKERS", bad, 1);
    EXPECT_EQ(detent_default_worker_count(), by_cores) << bad;
    EXPECT_EQ(detent_worker_count_or(17), 17u) << bad;
  }
  unsetenv("TVMRT_NUM_WORKERS");
}

TEST(Engine, OpenMPSaysTheNumberOfWorkersWhereOurOwnVariableSaysNone) {
  setenv("TVMRT_NUM_WORKERS", "2", 1);
  setenv("OMP_NUM_THREADS", "5", 1);
  EXPECT_EQ(detent_default_worker_count(), 2u);
  setenv("TVMRT_NUM_WORKERS", "two", 1);
  EXPECT_EQ(detent_default_worker_count(), 5u);
  unsetenv("TVMRT_NUM_WORKERS");
  EXPECT_EQ(detent_default_worker_count(), 5u);
  setenv("OMP_NUM_THREADS", "4,3,2", 1);
  EXPECT_EQ(detent_worker_count_or(17), 4u);
  for (const char* bad : {"", "0", "65", "-1", "dynamic", "3x", ",4"}) {
    setenv("OMP_NUM_THREADS", bad, 1);
    EXPECT_EQ(detent_worker_count_or(17), 17u) << bad;
  }
  unsetenv("OMP_NUM_THREADS");
}

TEST(Engine, VariablesThatHoldNoNumberAreNamed) {
  unsetenv("TVMRT_NUM_WORKERS");
  unsetenv("OMP_NUM_THREADS");
  EXPECT_EQ(detent_ignored_variables(), 0u);
  for (const char* good : {"", "0", "64"}) {
    setenv("TVMRT_NUM_WORKERS", good, 1);
    EXPECT_EQ(detent_ignored_variables(), 0u) << good;
  }
  setenv("TVMRT_NUM_WORKERS", "two", 1);
  EXPECT_EQ(detent_ignored_variables(), DETENT_VARIABLE_NUM_WORKERS + 0u);
  setenv("OMP_NUM_THREADS", "0", 1);
  EXPECT_EQ(detent_ignored_variables(), DETENT_VARIABLE_NUM_WORKERS + DETENT_VARIABLE_OPENMP_THREADS + 0u);
  unsetenv("TVMRT_NUM_WORKERS");
  EXPECT_EQ(detent_ignored_variables(), DETENT_VARIABLE_OPENMP_THREADS + 0u);
  setenv("OMP_NUM_THREADS", "4,two", 1);
  EXPECT_EQ(detent_ignored_variables(), 0u);
  unsetenv("OMP_NUM_THREADS");
}

TEST(Engine, TheFirstRunLogsWhatTheEnvironmentSaidInVain) {
  Graph graph = diamond();
  EngineSetup setup;
  setup.single_port = true;
  setup.log_records = 64;
  setup.ignored_variables = DETENT_VARIABLE_NUM_WORKERS | DETENT_VARIABLE_OPENMP_THREADS;
  Bound bound(graph, setup);
  ASSERT_EQ(bound.status(), DETENT_OK);
  std::vector<std::int32_t> values;
  for (int run = 0; run < 2; ++run) {
    ASSERT_EQ(bound.run().error.status, DETENT_OK);
    const detent_log* log = detent_context_log(bound.context(), 0);
    for (std::uint32_t i = 0; i < detent_log_size(log); ++i) {
      const detent_log_record& record = *detent_log_at(log, i);
      if (record.event != DETENT_EVENT_VARIABLE_IGNORED) continue;
      EXPECT_EQ(record.run, 1u);
      EXPECT_EQ(record.op, DETENT_NONE);
      values.push_back(record.value);
    }
    detent_clear_log(bound.context());
  }
  EXPECT_EQ(values, (std::vector<std::int32_t>{DETENT_VARIABLE_NUM_WORKERS, DETENT_VARIABLE_OPENMP_THREADS}));
  setup.ignored_variables = 4;
  EXPECT_EQ(Bound(graph, setup).status(), DETENT_INVALID_ARGUMENT);
}

TEST(Engine, ARunThatDoesNotBeginLeavesWhatIsToBeLoggedToTheNext) {
  Graph graph = diamond();
  std::uint32_t calls = 0;
  EngineSetup setup;
  setup.single_port = true;
  setup.log_records = 64;
  setup.ignored_variables = DETENT_VARIABLE_NUM_WORKERS;
  setup.policy.self = &calls;
  setup.policy.per_run = true;
  setup.policy.rank = [](void* self, const detent_desc* desc, std::uint32_t* rank, std::uint64_t* work) {
    const std::uint32_t call = ++*static_cast<std::uint32_t*>(self);
    if (call == 2) return DETENT_STALLED;  // that of the first run; the one before it is that of detent_init
    return detent_policy_id().rank(nullptr, desc, rank, work);
  };
  Bound bound(graph, setup);
  ASSERT_EQ(bound.status(), DETENT_OK);
  EXPECT_EQ(bound.run().error.status, DETENT_STALLED);
  ASSERT_EQ(bound.run().error.status, DETENT_OK);
  const detent_log* log = detent_context_log(bound.context(), 0);
  ASSERT_GE(detent_log_size(log), 2u);
  EXPECT_EQ(detent_log_at(log, 0)->event, DETENT_EVENT_RUN_BEGIN);
  EXPECT_EQ(detent_log_at(log, 1)->event, DETENT_EVENT_VARIABLE_IGNORED);
}

}  // namespace
}  // namespace detent::test
