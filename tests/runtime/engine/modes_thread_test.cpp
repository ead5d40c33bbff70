// Every mode on real threads: each op once, after its predecessors, one digest.
#include <gtest/gtest.h>

#include "tests/runtime/engine/graph.hpp"

namespace detent::test {
namespace {

struct ThreadCase {
  detent_mode mode;
  detent_scheduler scheduler;
};

constexpr ThreadCase kCases[] = {{DETENT_MODE_SERIAL, DETENT_SCHEDULER_ROLE},
                                 {DETENT_MODE_LAYERED, DETENT_SCHEDULER_ROLE},
                                 {DETENT_MODE_CLOSED_LOOP, DETENT_SCHEDULER_ROLE},
                                 {DETENT_MODE_CLOSED_LOOP, DETENT_SCHEDULER_THREAD},
                                 {DETENT_MODE_STATIC, DETENT_SCHEDULER_ROLE}};
constexpr std::uint32_t kWorkers[] = {0, 1, 2, 3, 8};

std::vector<Graph> graphs() {
  std::vector<Graph> all;
  all.push_back(diamond());
  all.push_back(chain(40));
  all.push_back(wide(70));
  all.push_back(layered(8, 12, 7));
  return all;
}

std::uint64_t serial_digest(Graph& graph) {
  Bound bound(graph, {.mode = DETENT_MODE_SERIAL, .worker_count = 0, .single_port = true});
  EXPECT_EQ(bound.run().error.status, DETENT_OK);
  return bound.digest();
}

void expect_good_runs(Graph& graph, const EngineSetup& setup, std::uint64_t digest) {
  Bound bound(graph, setup);
  ASSERT_EQ(bound.status(), DETENT_OK);
  for (int run = 0; run < 3; ++run) {
    graph.witness().clear();
    bound.wipe();
    const detent_result result = bound.run();
    ASSERT_EQ(result.error.status, DETENT_OK);
    ASSERT_EQ(result.ops_run, graph.op_count());
    ASSERT_EQ(graph.violation(), "");
    ASSERT_EQ(bound.digest(), digest);
  }
}

void expect_good_for_all_modes(Graph& graph, const detent_policy& policy) {
  const std::uint64_t digest = serial_digest(graph);
  for (const ThreadCase& entry : kCases) {
    for (const std::uint32_t workers : kWorkers) {
      for (const std::uint32_t spins : {0u, 64u}) {
        SCOPED_TRACE("mode " + std::to_string(entry.mode) + " scheduler " + std::to_string(entry.scheduler) +
                     " workers " + std::to_string(workers) + " spins " + std::to_string(spins) + " policy " +
                     policy.name);
        expect_good_runs(graph,
                         {.mode = entry.mode,
                          .scheduler = entry.scheduler,
                          .worker_count = workers,
                          .policy = policy,
                          .spin_limit = spins},
                         digest);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST(EngineThreads, EveryModeRunsEachOpOnceAfterItsPredecessorsById) {
  for (Graph& graph : graphs()) expect_good_for_all_modes(graph, detent_policy_id());
}

TEST(EngineThreads, EveryModeIsRightUnderPriorities) {
  for (Graph& graph : graphs()) {
    for (std::uint32_t op = 0; op < graph.op_count(); ++op) {
      graph.priorities.push_back(-static_cast<std::int32_t>(op));
    }
    expect_good_for_all_modes(graph, detent_policy_priority());
  }
}

TEST(EngineThreads, EveryModeIsRightUnderTheCriticalPath) {
  for (Graph& graph : graphs()) expect_good_for_all_modes(graph, detent_policy_critical_path());
}

TEST(EngineThreads, EveryModeIsRightInRandomOrder) {
  detent_random_state state{42};
  for (Graph& graph : graphs()) expect_good_for_all_modes(graph, detent_policy_random(&state));
}

}  // namespace
}  // namespace detent::test
