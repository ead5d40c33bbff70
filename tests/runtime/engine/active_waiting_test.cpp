// Active waiting on one thread: which contexts have it, ops that are taken back, times that become costs, and when one
// worker runs alone. The port pretends to start threads, and its clock goes on in kernels only.
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <vector>

#include "runtime/bind/bind.h"
#include "tests/runtime/engine/graph.hpp"

namespace detent::test {
namespace {

constexpr std::uint64_t kMicrosecondPs = 1'000'000;

/// A port whose started threads never run, so that only the caller executes.
class LonelyPort {
 public:
  LonelyPort() : table_(detent_port_single()) {
    table_.self = this;
    table_.max_slots = DETENT_MAX_WORKERS + 1;
    table_.spin_limit = 4;
    table_.active_spin_limit = 8;
    table_.processors = 2;
    table_.now_ps = [](void* self) { return static_cast<LonelyPort*>(self)->now_ps; };
    table_.start = [](void*, std::uint32_t, void (*)(void*), void*) { return DETENT_OK; };
    table_.join = [](void*, std::uint32_t) {};
    table_.wait = [](void*, std::uint32_t, std::uint64_t) { std::abort(); };  // for ever: nobody else is there
    table_.notify = [](void* self, std::uint32_t slot) {
      if (slot != 0) ++static_cast<LonelyPort*>(self)->notified;
    };
  }
  LonelyPort(const LonelyPort&) = delete;
  LonelyPort& operator=(const LonelyPort&) = delete;
  [[nodiscard]] detent_port& table() { return table_; }

  std::uint64_t now_ps = 0;
  std::uint32_t notified = 0;

 private:
  detent_port table_;
};

/// One op, then `width` side by side.
Graph fan(std::uint32_t width) {
  std::vector<Edge> edges;
  for (std::uint32_t op = 1; op <= width; ++op) edges.emplace_back(0, op);
  return {width + 1, edges};
}

bool waits_actively(Graph graph, const EngineSetup& setup) {
  const Bound bound(graph, setup);
  EXPECT_EQ(bound.status(), DETENT_OK);
  return bound.context()->loop.is_active;
}

TEST(ActiveWaiting, IsForSlotsThatHaveAProcessorEach) {
  LonelyPort lonely;
  detent_port& port = lonely.table();
  const EngineSetup two{.worker_count = 2, .port = &port};
  EXPECT_TRUE(waits_actively(fan(3), two));
  EXPECT_FALSE(waits_actively(fan(3), {.worker_count = 1, .port = &port}));
  EXPECT_FALSE(waits_actively(fan(3), {.worker_count = 3, .port = &port})) << "three slots on two processors";
  EXPECT_FALSE(waits_actively(fan(3), {.scheduler = DETENT_SCHEDULER_THREAD, .worker_count = 2, .port = &port}));
  EXPECT_FALSE(waits_actively(fan(3), {.mode = DETENT_MODE_LAYERED, .worker_count = 2, .port = &port}));
  port.processors = 0;
  EXPECT_FALSE(waits_actively(fan(3), two)) << "not known";
  port.processors = 2;
  port.active_spin_limit = 4;
  EXPECT_FALSE(waits_actively(fan(3), two)) << "no longer than spin_limit";
  port.active_spin_limit = 8;
  port.spin_limit = 0;
  EXPECT_FALSE(waits_actively(fan(3), two)) << "hands over whatever it costs";
}

TEST(ActiveWaiting, OpsThatAWorkerDoesNotBeginAreTakenBack) {
  LonelyPort lonely;
  for (const bool has_mutex : {false, true}) {
    Graph graph = fan(5);
    if (has_mutex) graph.mutexes = {{}, {0}, {0}, {}, {}, {0}};
    Bound bound(graph, {.worker_count = 2, .log_records = 64, .port = &lonely.table()});
    for (int run = 0; run < 4; ++run) {
      graph.witness().clear();
      const detent_result result = bound.run();
      EXPECT_EQ(result.error.status, DETENT_OK);
      EXPECT_EQ(result.ops_run, 6U);
      EXPECT_EQ(graph.violation(), "");
    }
    EXPECT_EQ(bound.context()->loop.schedule.in_flight, 0U);
    EXPECT_EQ(bound.context()->loop.schedule.idle, 3U) << "both workers can be given ops";
  }
}

TEST(ActiveWaiting, SleepersAreWokenForARunThatGainsByThem) {
  LonelyPort lonely;
  const auto notified = [&](std::uint64_t op_ps) {
    Graph graph = fan(4);
    graph.cost_ps.assign(5, op_ps);
    Bound bound(graph, {.worker_count = 2, .port = &lonely.table()});
    bound.context()->workers[1].parked = 1;
    lonely.notified = 0;
    EXPECT_EQ(bound.run().error.status, DETENT_OK);
    return lonely.notified;
  };
  EXPECT_EQ(notified(5 * kMicrosecondPs), 0U) << "gains 10 us";
  EXPECT_EQ(notified(9 * kMicrosecondPs), 1U) << "gains 18 us; an op alone is not worth it";
}

class Measured {
 public:
  explicit Measured(std::vector<std::uint64_t> hints_ps)
      : graph_(fan(static_cast<std::uint32_t>(hints_ps.size() - 1))), takes_ps(hints_ps) {
    graph_.cost_ps = std::move(hints_ps);
    graph_.witness().hook = [this](std::uint32_t op) { lonely_.now_ps += takes_ps[op]; };
    bound_.emplace(graph_, EngineSetup{.worker_count = 2, .port = &lonely_.table()});
  }
  void run(int times) {
    for (int i = 0; i < times; ++i) ASSERT_EQ(bound_->run().error.status, DETENT_OK);
  }
  [[nodiscard]] std::uint32_t cost_ns(std::uint32_t op) const { return bound_->context()->graph.nodes[op].cost_ns; }
  [[nodiscard]] detent_context& context() { return *bound_->context(); }

 private:
  LonelyPort lonely_;
  Graph graph_;
  std::optional<Bound> bound_;

 public:
  std::vector<std::uint64_t> takes_ps;  ///< what ops really take
};

TEST(ActiveWaiting, TimesOfTheThirdRunBecomeCosts) {
  Measured ops({10'000, 10'000, 10'000});  // 10 ns
  EXPECT_FALSE(ops.context().loop.may_hand);
  ops.takes_ps = {20 * kMicrosecondPs, 30 * kMicrosecondPs, 40 * kMicrosecondPs};
  ops.run(2);
  EXPECT_EQ(ops.cost_ns(1), 11U);
  ops.run(1);
  EXPECT_EQ(ops.cost_ns(0), 20'001U);
  EXPECT_EQ(ops.cost_ns(1), 30'001U);
  EXPECT_EQ(ops.cost_ns(2), 40'001U);
  EXPECT_EQ(ops.context().loop.entry_ns, 20'001U);
  EXPECT_EQ(ops.context().loop.measuring.total_ns, 90'003U);
  EXPECT_EQ(ops.context().loop.wake_count, 1U);
  ops.takes_ps = {10 * kMicrosecondPs, 50 * kMicrosecondPs, 40 * kMicrosecondPs};
  ops.run(1);
  EXPECT_EQ(ops.cost_ns(0), 20'001U) << "one run later none is measured";
  ops.run(1);
  EXPECT_EQ(ops.cost_ns(0), 10'001U) << "at once";
  EXPECT_EQ(ops.cost_ns(1), 40'001U) << "half of the way";
  EXPECT_TRUE(ops.context().loop.may_hand);
}

TEST(ActiveWaiting, RunsOfShortOpsAreNotMeasured) {
  Measured ops({10'000, 10'000, 10'000});
  ops.takes_ps = {400'000, 400'000, 400'000};
  ops.run(8);
  EXPECT_EQ(ops.cost_ns(1), 11U);
}

TEST(ActiveWaiting, HintsThatAreTooHighAreMeasured) {
  Measured ops({kMicrosecondPs * 1000, kMicrosecondPs * 1000, kMicrosecondPs * 1000});
  EXPECT_TRUE(ops.context().loop.measuring.hands);
  ops.takes_ps = {5'000, 5'000, 5'000};
  ops.run(3);
  EXPECT_EQ(ops.cost_ns(1), 6U);
  EXPECT_FALSE(ops.context().loop.measuring.hands);
  EXPECT_EQ(ops.context().loop.wake_count, 0U);
}

TEST(ActiveWaiting, RunsThatSeveralWorkersDoNotShortenAreLeftToOne) {
  Measured ops({kMicrosecondPs, 100 * kMicrosecondPs, 100 * kMicrosecondPs});
  ops.run(3);
  detent_context& c = ops.context();
  ASSERT_EQ(c.loop.measuring.total_ns, 201'003U);
  const auto try_out = [&c](std::uint64_t run_us, int runs) {
    c.loop.measuring = Measuring{};
    c.loop.measuring.done_before = c.loop.measuring.hands = true;
    c.loop.measuring.total_ns = 201'003;
    for (int i = 0; i < runs; ++i) end_measuring(c, run_us * kMicrosecondPs);
    begin_measuring(c);
    return c.loop.may_hand;
  };
  EXPECT_TRUE(try_out(150, 67)) << "10 ms: faster than one worker";
  EXPECT_TRUE(try_out(250, 39)) << "less than 10 ms: an interrupt may do that";
  EXPECT_FALSE(try_out(250, 40));
  EXPECT_TRUE(try_out(20'000, 24)) << "each counts 402 us: not yet 10 ms";
  EXPECT_FALSE(try_out(20'000, 25));
  // 10 ms counted: alone for 80 ms, next time for 160 ms.
  for (int i = 0; i < 4; ++i) end_measuring(c, 20'000 * kMicrosecondPs);
  begin_measuring(c);
  EXPECT_FALSE(c.loop.may_hand);
  end_measuring(c, 20'000 * kMicrosecondPs);
  begin_measuring(c);
  EXPECT_TRUE(c.loop.may_hand);
  for (int i = 0; i < 25; ++i) end_measuring(c, 20'000 * kMicrosecondPs);
  EXPECT_EQ(c.loop.measuring.alone_ns, 25U * 402'006 * 16);
}

TEST(ActiveWaiting, RunsThatAreInterruptedNowAndThenGoOnOnSeveralWorkers) {
  Measured ops({kMicrosecondPs, 100 * kMicrosecondPs, 100 * kMicrosecondPs});
  ops.run(3);
  detent_context& c = ops.context();
  const auto try_out = [&c](int interrupted) {  // of five runs of 2.4 ms instead of 4 ms, for 20 ms each
    c.loop.measuring = Measuring{};
    c.loop.measuring.done_before = c.loop.measuring.hands = true;
    c.loop.measuring.total_ns = 4'000'000;
    for (int i = 0; i < 5; ++i) end_measuring(c, (i < interrupted ? 20'000 : 2'400) * kMicrosecondPs);
    begin_measuring(c);
    return c.loop.may_hand;
  };
  EXPECT_TRUE(try_out(1));
  EXPECT_FALSE(try_out(2)) << "17.6 ms as counted";
}

}  // namespace
}  // namespace detent::test
