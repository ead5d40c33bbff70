// Active waiting under every schedule: workers that are woken before there is an op, and ops that are taken back.
#include <gtest/gtest.h>

#include "tests/verify/random_graph.hpp"
#include "verify/explore/threads/threads.hpp"

namespace detent::verify::explore {
namespace {

using verify::testing::DescTables;
using verify::testing::GraphSpec;

/// n ops that write 8 bytes each, read what their predecessors wrote and are long enough to be handed over.
GraphSpec graph_for_waiting(std::uint32_t count, const std::vector<support::Edge>& edges) {
  GraphSpec spec = verify::testing::make_ops(count);
  for (support::OpSpec& op : spec.ops) op.best_ps = op.worst_ps = 1'000'000'000;
  spec.edges = edges;
  support::add_dataflow(spec);
  return spec;
}

/// No law is broken.
ThreadResult draw_waiting(const GraphSpec& spec, const ThreadOptions& options) {
  const DescTables tables(spec);
  ThreadResult result = explore_threads(tables.desc, options);
  EXPECT_EQ(result.failure ? result.failure->law + ": " + result.failure->text : "", "");
  return result;
}

ThreadResult exhaust_waiting(const GraphSpec& spec, const ThreadOptions& options) {
  ThreadResult result = draw_waiting(spec, options);
  EXPECT_TRUE(result.complete);
  return result;
}

ThreadOptions waiting_actively(detent_scheduler scheduler = DETENT_SCHEDULER_ROLE) {
  return {.engine = {.workers = 2, .scheduler = scheduler, .spin_limit = 1}, .active_spin_limit = 2};
}

/// Worker 1 is woken before there is an op; what it was given and has not begun, slot 0 takes back.
TEST(ActiveWaiting, EveryScheduleOfTwoOps) {
  const ThreadResult result = exhaust_waiting(graph_for_waiting(2, {}), waiting_actively());
  EXPECT_GT(result.statistics.distinct, 10'000U);
  EXPECT_GT(result.statistics.sync.wait_asleep, 0U);
  EXPECT_GT(result.statistics.sync.wait_awake, 0U);
}

/// Ops that are late, cancelled or fail, and several runs, whose ops are measured.
TEST(ActiveWaiting, DrawnSchedulesOfMore) {
  const GraphSpec spec = graph_for_waiting(6, {{0, 1}, {0, 2}, {0, 3}, {1, 4}, {2, 4}, {3, 5}});
  for (const detent_scheduler scheduler : {DETENT_SCHEDULER_ROLE, DETENT_SCHEDULER_THREAD}) {
    ThreadOptions plain = waiting_actively(scheduler);
    plain.search = Search::kPos;
    plain.max_executions = 500;
    plain.spurious_wakeups = 1;
    ThreadOptions cancelled = plain, repeated = plain, late = plain, failing = plain;
    cancelled.cancel = true;
    repeated.runs = 4;
    late.op_deadline_ps = 1000;
    late.early_timeouts = 1;
    failing.failing_ops = {2};
    failing.whole_life = true;
    for (const ThreadOptions& options : {cancelled, repeated, late, failing}) draw_waiting(spec, options);
  }
}

}  // namespace
}  // namespace detent::verify::explore
