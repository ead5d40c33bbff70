// A run with a deadline hung for ever: slot 0 looked at the deadlines, found a completion, gave the next op to itself
// and forgot it. Whatever a holder of the role gives to its own slot must be executed.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/effort.hpp"
#include "tests/runtime/engine/graph.hpp"
#include "tests/runtime/engine/ports.hpp"
#include "tests/verify/random_graph.hpp"
#include "verify/explore/threads/threads.hpp"

namespace detent::test {
namespace {

Graph two_then_two() { return Graph(4, {{1, 2}, {1, 3}}); }

TEST(Regress, AnOpThatTheWatchGivesToItsOwnSlotIsExecuted) {
  using verify::explore::Search;
  using verify::explore::ThreadOptions;
  using verify::explore::ThreadResult;
  verify::testing::GraphSpec spec = verify::testing::make_ops(4);
  spec.edges = {{1, 2}, {1, 3}};
  const verify::testing::DescTables tables(spec);
  for (const detent_mode mode : {DETENT_MODE_CLOSED_LOOP, DETENT_MODE_LAYERED, DETENT_MODE_STATIC}) {
    const ThreadOptions options{.engine = {.workers = 2, .mode = mode},
                                .op_deadline_ps = 1000,
                                .search = Search::kRotate,
                                .max_executions = effort(3000U),
                                .early_timeouts = 1};
    const ThreadResult result = verify::explore::explore_threads(tables.desc, options);
    EXPECT_FALSE(result.failure) << result.failure->law << ": " << result.failure->text;
    EXPECT_GT(result.statistics.sync.timeouts, 0U);
  }
}

/// On real threads, the schedule above by force: slot 0 holds the role and reads the clock while op 1 ends on slot 1,
/// which finds the role held and leaves its completion to slot 0.
class WatchDuringTheEndOfOp1 {
 public:
  WatchDuringTheEndOfOp1() : port_(forwarding_port(this)) {
    port_.spin_limit = 0;
    port_.checkpoint_mask = DETENT_CP_ATOMIC | DETENT_CP_LOCK | DETENT_CP_UNLOCK | DETENT_CP_QUEUE;
    port_.now_ps = [](void* self) { return of(self).now_ps(); };
    port_.wait = [](void* self, std::uint32_t slot, std::uint64_t until_ps) {
      // Timed waits of slot 0 end at once, until the watch has been.
      const bool at_once = until_ps != UINT64_MAX && !of(self).watched_;
      if (at_once) of(self).now_ps_ = until_ps;
      const detent_port& inner = of(self).inner();
      if (!at_once) inner.wait(inner.self, slot, UINT64_MAX);
    };
    port_.checkpoint = [](void* self, detent_checkpoint kind, std::uint32_t slot, std::uint32_t index) {
      of(self).checkpoint(kind, slot, index);
    };
  }
  [[nodiscard]] const detent_port* port() const { return &port_; }
  [[nodiscard]] const detent_port& inner() const { return *counting_.port(); }
  /// Op 1 ends when slot 0 looks at the deadlines.
  void end_op_1() const {
    while (!watching_) std::this_thread::yield();
  }

 private:
  static WatchDuringTheEndOfOp1& of(void* self) { return *static_cast<WatchDuringTheEndOfOp1*>(self); }

  std::uint64_t now_ps() {
    const bool is_watch = std::this_thread::get_id() == caller_ && holds_role_ && op_0_ended_ && !watched_;
    if (is_watch) {
      watching_ = true;
      while (!has_put_) std::this_thread::yield();
      watched_ = true;
    }
    return now_ps_;
  }
  void checkpoint(detent_checkpoint kind, std::uint32_t slot, std::uint32_t index) {
    if (slot == 0 && kind == DETENT_CP_LOCK) holds_role_ = true;
    if (slot == 0 && kind == DETENT_CP_UNLOCK) holds_role_ = false;
    if (slot == 0 && kind == DETENT_CP_UNLOCK && ++releases_ == 2) op_0_ended_ = true;
    if (slot == 1 && kind == DETENT_CP_QUEUE && index == 1) steps_after_queue_ = 1;
    // The ticket, the cell, and before the third access, the role's, the completion stands in the queue.
    if (slot == 1 && kind == DETENT_CP_ATOMIC && steps_after_queue_ != 0 && ++steps_after_queue_ == 4) has_put_ = true;
  }

  CountingPort counting_;
  detent_port port_;
  const std::thread::id caller_ = std::this_thread::get_id();
  std::atomic<std::uint64_t> now_ps_{0};
  std::atomic<bool> watching_{false}, watched_{false}, has_put_{false};
  bool holds_role_ = false, op_0_ended_ = false;  // slot 0's
  std::uint32_t releases_ = 0, steps_after_queue_ = 0;
};

TEST(Regress, AnOpThatTheWatchGivesToItsOwnSlotIsExecutedOnRealThreads) {
  WatchDuringTheEndOfOp1 world;
  Graph graph = two_then_two();
  graph.witness().hook = [&](std::uint32_t op) {
    if (op == 1) world.end_op_1();
  };
  Bound bound(graph, {.worker_count = 2, .op_deadline_ps = 1'000'000, .port = world.port()});
  ASSERT_EQ(bound.status(), DETENT_OK);
  const detent_result result = bound.run();
  EXPECT_EQ(result.error.status, DETENT_OK);
  EXPECT_EQ(result.ops_in_flight, 0U);
  EXPECT_EQ(graph.violation(), "");
}

}  // namespace
}  // namespace detent::test
