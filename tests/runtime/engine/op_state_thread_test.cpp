// Where each op stands, read by a thread that has nothing to do with the runs, while they go on on threads of their
// own: nothing that it reads goes back, mixes two runs, or contradicts the edges.
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>

#include "tests/effort.hpp"
#include "tests/runtime/engine/graph.hpp"
#include "tests/runtime/engine/ports.hpp"

namespace detent::test {
namespace {

struct WatchedEngine {
  const char* name;
  detent_mode mode;
  detent_scheduler scheduler;
  std::uint32_t workers;
};
constexpr WatchedEngine kWatchedEngines[] = {{"serial", DETENT_MODE_SERIAL, DETENT_SCHEDULER_ROLE, 0},
                                             {"layered", DETENT_MODE_LAYERED, DETENT_SCHEDULER_ROLE, 3},
                                             {"role", DETENT_MODE_CLOSED_LOOP, DETENT_SCHEDULER_ROLE, 3},
                                             {"thread", DETENT_MODE_CLOSED_LOOP, DETENT_SCHEDULER_THREAD, 3},
                                             {"lists", DETENT_MODE_STATIC, DETENT_SCHEDULER_ROLE, 3}};

/// Reads every op of a context, again and again, on a thread of its own.
class Watcher {
 public:
  Watcher(const detent_context* context, const Graph& graph)
      : context_(context), before_(graph.op_count()), predecessors_(graph.op_count()) {
    for (const support::Edge& edge : graph.edges()) predecessors_[edge.to].push_back(edge.from);
    thread_ = std::thread([this] {
      while (!stops_) watch();
    });
  }
  ~Watcher() { stop(); }
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;
  void stop() {
    stops_ = true;
    if (thread_.joinable()) thread_.join();
  }
  [[nodiscard]] const std::string& complaint() const { return complaint_; }
  /// Readings by state.
  [[nodiscard]] const std::uint64_t* met() const { return met_; }

 private:
  void watch() {
    // From the last op to the first: what came before an op had happened when the op was read.
    for (auto op = static_cast<std::uint32_t>(before_.size()); op-- > 0;) look(op);
  }

  void look(std::uint32_t op) {
    detent_op_record record{};
    if (detent_context_op_state(context_, op, &record) != DETENT_OK) return complain(op, record, "has no state");
    ++met_[record.state];
    const detent_op_record before = std::exchange(before_[op], record);
    if (record.run < before.run) complain(op, record, "is of an earlier run");
    if (record.run == before.run && record.run != 0) compare(op, before, record);
    const bool is_given = record.begin_ps != UINT64_MAX;
    if (is_given != (record.state >= DETENT_OP_RUNNING && record.state <= DETENT_OP_FAILED))
      complain(op, record, "has a begin that does not fit its state");
    if (is_given && (record.begin_ps < record.ready_ps || record.attempts == 0 || record.worker > 3))
      complain(op, record, "was given out before it was ready, or to nobody");
    if ((record.state >= DETENT_OP_DONE) != (record.end_ps != UINT64_MAX))
      complain(op, record, "has an end that does not fit its state");
    if (is_given && record.end_ps < record.begin_ps) complain(op, record, "ends before it begins");
    if (record.ready_ps == UINT64_MAX) return;
    for (const std::uint32_t other : predecessors_[op]) {
      detent_op_record earlier{};
      if (detent_context_op_state(context_, other, &earlier) != DETENT_OK || earlier.run != record.run) continue;
      if (earlier.state != DETENT_OP_DONE || earlier.end_ps > record.ready_ps)
        complain(op, record, "was ready before op " + std::to_string(other) + " was done");
    }
  }

  void compare(std::uint32_t op, const detent_op_record& before, const detent_op_record& record) {
    if (record.state < before.state) complain(op, record, "has gone back");
    if (before.ready_ps != UINT64_MAX && record.ready_ps != before.ready_ps) complain(op, record, "is ready twice");
    if (before.begin_ps != UINT64_MAX && (record.begin_ps != before.begin_ps || record.worker != before.worker))
      complain(op, record, "begins twice");
    if (before.end_ps != UINT64_MAX && (record.state != before.state || record.end_ps != before.end_ps))
      complain(op, record, "ends twice");
  }

  void complain(std::uint32_t op, const detent_op_record& record, const std::string& what) {
    if (!complaint_.empty()) return;
    complaint_ = "op " + std::to_string(op) + " in state " + std::to_string(record.state) + " of run " +
                 std::to_string(record.run) + " " + what;
  }

  const detent_context* context_;
  std::vector<detent_op_record> before_;
  std::vector<std::vector<std::uint32_t>> predecessors_;
  std::uint64_t met_[DETENT_OP_CANCELLED + 1] = {};
  std::string complaint_;
  std::atomic<bool> stops_{false};
  std::thread thread_;
};

EngineSetup watched_setup(const WatchedEngine& engine) {
  return {.mode = engine.mode, .scheduler = engine.scheduler, .worker_count = engine.workers, .op_states = true};
}

std::uint32_t count_ops(const Bound& bound, std::uint32_t op_count, detent_op_state state) {
  std::uint32_t found = 0;
  for (std::uint32_t op = 0; op < op_count; ++op) {
    detent_op_record record{};
    EXPECT_EQ(detent_context_op_state(bound.context(), op, &record), DETENT_OK);
    found += record.state == state ? 1 : 0;
  }
  return found;
}

TEST(OpStateThreads, AThreadThatWatchesSeesEachOpGoForward) {
  for (const WatchedEngine& engine : kWatchedEngines) {
    SCOPED_TRACE(engine.name);
    Graph graph = layered(6, 8, 3);
    Bound bound(graph, watched_setup(engine));
    ASSERT_EQ(bound.status(), DETENT_OK);
    Watcher watcher(bound.context(), graph);
    for (std::uint32_t run = 0; run < effort(300U); ++run) {
      ASSERT_EQ(bound.run().error.status, DETENT_OK);
      ASSERT_EQ(count_ops(bound, graph.op_count(), DETENT_OP_DONE), graph.op_count());
    }
    watcher.stop();
    EXPECT_EQ(watcher.complaint(), "");
  }
}

/// Runs that fail, that are cancelled, and that end well, one after another.
TEST(OpStateThreads, RunsThatFailOrAreCancelledShowItToo) {
  for (const WatchedEngine& engine : kWatchedEngines) {
    SCOPED_TRACE(engine.name);
    Graph graph = layered(6, 8, 5);
    Bound bound(graph, watched_setup(engine));
    ASSERT_EQ(bound.status(), DETENT_OK);
    std::atomic<bool> cancels{false};
    const std::uint32_t canceller = graph.edges().front().from;  // something comes after it, and is not given out
    graph.witness().hook = [&](std::uint32_t op) {
      if (cancels && op == canceller) detent_cancel(bound.context());
    };
    Watcher watcher(bound.context(), graph);
    for (std::uint32_t run = 0; run < effort(150U); ++run) {
      graph.witness().codes[13] = run % 3 == 1 ? 7 : 0;
      cancels = run % 3 == 2;
      const detent_result result = bound.run();
      ASSERT_EQ(result.error.status, run % 3 == 0 ? DETENT_OK : run % 3 == 1 ? DETENT_KERNEL_FAILED : DETENT_CANCELLED);
      ASSERT_EQ(count_ops(bound, graph.op_count(), DETENT_OP_DONE), result.ops_run);
      ASSERT_EQ(count_ops(bound, graph.op_count(), DETENT_OP_FAILED), run % 3 == 1 ? 1U : 0U);
      ASSERT_EQ(count_ops(bound, graph.op_count(), DETENT_OP_RUNNING), 0U);
      ASSERT_EQ(count_ops(bound, graph.op_count(), DETENT_OP_CANCELLED),
                run % 3 == 2 ? graph.op_count() - result.ops_run : 0U);
      ASSERT_EQ(detent_reset(bound.context()), DETENT_OK);
    }
    watcher.stop();
    EXPECT_EQ(watcher.complaint(), "");
  }
}

/// An op hangs on a started slot: it runs on after the run has returned, and ends when it is let go.
TEST(OpStateThreads, ALateKernelRunsOnAfterTheRun) {
  for (const WatchedEngine& engine : kWatchedEngines) {
    if (engine.workers == 0) continue;
    SCOPED_TRACE(engine.name);
    Graph graph = chain(2);
    graph.class_table = {{"cpu", DETENT_CLASS_WORKERS}, {"other", DETENT_CLASS_WORKERS}};
    graph.classes = {0, 1};
    CountingPort port;
    EngineSetup setup = watched_setup(engine);
    setup.worker_count = 2;
    setup.worker_classes = {1, 0};  // op 0 is executed by the second worker, which is a started slot
    setup.op_deadline_ps = 100 * CountingPort::kStepPs;
    setup.port = port.port();
    Bound bound(graph, setup);
    ASSERT_EQ(bound.status(), DETENT_OK);
    std::atomic<bool> is_let_go{false};
    graph.witness().hook = [&](std::uint32_t op) {
      if (op != 0) return;
      port.let_time_pass();
      while (!is_let_go) std::this_thread::yield();
    };
    const detent_result result = bound.run();
    ASSERT_EQ(result.error.status, DETENT_TIMEOUT);
    EXPECT_EQ(result.ops_in_flight, 1U);
    EXPECT_EQ(count_ops(bound, 2, DETENT_OP_RUNNING), 1U);
    EXPECT_EQ(count_ops(bound, 2, DETENT_OP_WAITING), 1U);
    is_let_go = true;
    while (detent_reset(bound.context()) == DETENT_BUSY) std::this_thread::yield();
    EXPECT_EQ(count_ops(bound, 2, DETENT_OP_DONE), 1U);
    EXPECT_EQ(count_ops(bound, 2, DETENT_OP_RUNNING), 0U);
  }
}

}  // namespace
}  // namespace detent::test
