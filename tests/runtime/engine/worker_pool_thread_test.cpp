// Several contexts on the workers of one pool, with real threads.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <detent/limits.h>

#include "tests/runtime/engine/graph.hpp"
#include "tests/runtime/engine/ports.hpp"

namespace detent::test {
namespace {

/// The posix port with its memory.
class Posix {
 public:
  explicit Posix(std::uint32_t spins) : memory_(std::make_unique<Memory>(detent_port_posix_bytes())) {
    EXPECT_EQ(detent_port_posix(memory_->place, detent_port_posix_bytes(), &port), DETENT_OK);
    port.spin_limit = spins;
  }
  detent_port port{};

 private:
  struct Memory {
    explicit Memory(std::size_t size) : bytes(size + DETENT_CACHE_LINE), place(bytes.data()) {
      std::size_t room = bytes.size();
      std::align(DETENT_CACHE_LINE, size, place, room);
    }
    std::vector<std::uint8_t> bytes;
    void* place;
  };
  std::unique_ptr<Memory> memory_;
};

/// A pool with its memory and port. Its members are gone before it is.
class Pool {
 public:
  explicit Pool(std::uint32_t workers, std::uint32_t members = 2, std::uint32_t spins = 64) : posix_(spins) {
    const detent_worker_pool_config config{port(), workers, members};
    memory_.resize(detent_worker_pool_bytes(&config));
    EXPECT_EQ(detent_worker_pool_init(memory_.data(), memory_.size(), &config, &pool_), DETENT_OK);
  }
  ~Pool() { EXPECT_EQ(detent_worker_pool_deinit(pool_), DETENT_OK); }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  [[nodiscard]] const detent_port* port() const { return &posix_.port; }
  [[nodiscard]] detent_worker_pool* get() const { return pool_; }
  [[nodiscard]] EngineSetup member(std::int32_t priority = 0) const {
    return {.port = port(), .pool = pool_, .pool_priority = priority};
  }

 private:
  Posix posix_;
  std::vector<std::uint8_t> memory_;
  detent_worker_pool* pool_ = nullptr;
};

/// Who executed an op, in order: a letter for each.
class Order {
 public:
  void add(char who) {
    const std::lock_guard lock(mutex_);
    text_ += who;
  }
  [[nodiscard]] std::string text() {
    const std::lock_guard lock(mutex_);
    return text_;
  }

 private:
  std::mutex mutex_;
  std::string text_;
};

template <typename Condition>
void wait_until(const Condition& condition) {
  while (!condition()) std::this_thread::yield();
}

/// Two networks whose first op of B waits on the only worker until both have begun; who executes what from then on?
std::string order_of_two(std::int32_t priority_a, std::int32_t priority_b) {
  Pool pool(1);
  Graph a = wide(4), b = wide(5);
  Order order;
  std::atomic<bool> b_runs{false}, may_go{false};
  a.witness().hook = [&](std::uint32_t) { order.add('a'); };
  b.witness().hook = [&](std::uint32_t op) {
    if (op == 0) {
      b_runs = true;
      wait_until([&] { return may_go.load(); });
    }
    order.add('b');
  };
  EngineSetup setup_a = pool.member(priority_a);
  setup_a.op_states = true;
  Bound bound_a(a, setup_a), bound_b(b, pool.member(priority_b));
  std::thread caller_b([&] { EXPECT_EQ(bound_b.run().error.status, DETENT_OK); });
  wait_until([&] { return b_runs.load(); });
  std::thread caller_a([&] { EXPECT_EQ(bound_a.run().error.status, DETENT_OK); });
  wait_until([&] {  // the role was let go once an op of A is ready: give it time to be published
    detent_op_record record{};
    return detent_context_op_state(bound_a.context(), 3, &record) == DETENT_OK && record.run == 1 &&
           record.state == DETENT_OP_READY;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  may_go = true;
  caller_a.join();
  caller_b.join();
  return order.text();
}

TEST(WorkerPool, AFreeWorkerTakesTheBestOpOfTheNetworkWithTheLowestNumber) {
  EXPECT_EQ(order_of_two(-1, 3), "baaaabbbb");
  EXPECT_EQ(order_of_two(7, 3), "bbbbbaaaa");
}

TEST(WorkerPool, NetworksOfOneNumberAreServedInTurn) { EXPECT_EQ(order_of_two(2, 2), "babababab"); }

TEST(WorkerPool, ThreeNetworksShareTwoWorkersManyTimes) {
  for (const std::uint32_t spins : {0u, 200u}) {
    Pool pool(2, 3, spins);
    std::vector<Graph> graphs;
    for (std::uint64_t seed = 0; seed < 3; ++seed) graphs.push_back(layered(4, 4, 20 + seed));
    std::vector<std::thread> callers;
    for (int i = 0; i < 3; ++i) {
      callers.emplace_back([&, i] {
        Graph& graph = graphs[static_cast<std::size_t>(i)];
        Bound alone(graph, {.mode = DETENT_MODE_SERIAL, .single_port = true});
        EXPECT_EQ(alone.run().error.status, DETENT_OK);
        Bound bound(graph, pool.member(i - 1));
        ASSERT_EQ(bound.status(), DETENT_OK);
        for (int run = 0; run < 200; ++run) {
          graph.witness().clear();
          bound.wipe();
          ASSERT_EQ(bound.run().error.status, DETENT_OK);
          ASSERT_EQ(graph.violation(), "") << "network " << i << ", run " << run;
          ASSERT_EQ(bound.digest(), alone.digest());
        }
      });
    }
    for (std::thread& caller : callers) caller.join();
  }
}

TEST(WorkerPool, WorkersServeTheirClassesInEachNetwork) {
  Pool pool(3);
  Graph a = layered(5, 6, 31), b = layered(5, 6, 32);
  for (Graph* graph : {&a, &b}) {
    graph->class_table = {{"cpu", DETENT_CLASS_WORKERS}, {"npu", DETENT_CLASS_WORKERS}};
    for (std::uint32_t op = 0; op < graph->op_count(); ++op) graph->classes.push_back(op % 3 == 0 ? 1 : 0);
    graph->mutexes.resize(graph->op_count());
    for (std::uint32_t op = 0; op < graph->op_count(); op += 2) graph->mutexes[op].push_back(0);
  }
  EngineSetup setup_a = pool.member(), setup_b = pool.member();
  setup_a.worker_classes = {0, 1, 0};
  setup_b.worker_classes = {1, 0, 1};  // numbers are those of each Desc
  Bound bound_a(a, setup_a), bound_b(b, setup_b);
  ASSERT_EQ(bound_a.status(), DETENT_OK);
  const auto run_often = [](Bound& bound, Graph& graph) {
    for (int run = 0; run < 100; ++run) {
      graph.witness().clear();
      ASSERT_EQ(bound.run().error.status, DETENT_OK);
      ASSERT_EQ(graph.violation(), "");
      ASSERT_EQ(graph.mutex_violation(), "");
    }
  };
  std::thread caller([&] { run_often(bound_b, b); });
  run_often(bound_a, a);
  caller.join();
}

TEST(WorkerPool, ANetworkThatFailsTakesNothingFromTheOther) {
  Pool pool(2);
  Graph bad = layered(3, 3, 41), good = layered(3, 3, 42);
  bad.witness().codes[4] = 9;
  Bound bound_bad(bad, pool.member(-5)), bound_good(good, pool.member());
  std::thread caller([&] {
    for (int run = 0; run < 100; ++run) {
      good.witness().clear();
      ASSERT_EQ(bound_good.run().error.status, DETENT_OK);
      ASSERT_EQ(good.violation(), "");
    }
  });
  for (int run = 0; run < 100; ++run) {
    const detent_result result = bound_bad.run();
    ASSERT_EQ(result.error.status, DETENT_KERNEL_FAILED);
    ASSERT_EQ(result.error.op, 4u);
    ASSERT_EQ(result.error.code, 9);
    ASSERT_EQ(detent_reset(bound_bad.context()), DETENT_OK);
  }
  caller.join();
  bad.witness().codes[4] = 0;
  bad.witness().clear();
  EXPECT_EQ(bound_bad.run().error.status, DETENT_OK);
  EXPECT_EQ(bad.violation(), "");
}

TEST(WorkerPool, AnOpThatHangsKeepsItsWorkerAndNoOther) {
  Pool pool(2);
  Graph late = chain(2), good = layered(3, 3, 43);
  std::atomic<bool> may_end{false}, hangs{false};
  late.witness().hook = [&](std::uint32_t op) {
    if (op != 0) return;
    hangs = true;
    wait_until([&] { return may_end.load(); });
  };
  EngineSetup setup = pool.member(-1);
  setup.op_deadline_ps = 2'000'000'000;
  Bound bound_late(late, setup), bound_good(good, pool.member());
  const detent_result result = bound_late.run();
  EXPECT_EQ(result.error.status, DETENT_TIMEOUT);
  EXPECT_EQ(result.ops_in_flight, 1u);
  EXPECT_TRUE(hangs);
  EXPECT_EQ(detent_reset(bound_late.context()), DETENT_BUSY);
  for (int run = 0; run < 20; ++run) ASSERT_EQ(bound_good.run().error.status, DETENT_OK);
  may_end = true;
  detent_status reset = DETENT_BUSY;
  wait_until([&] { return (reset = detent_reset(bound_late.context())) != DETENT_BUSY; });
  EXPECT_EQ(reset, DETENT_OK);
  late.witness().hook = nullptr;
  EXPECT_EQ(bound_late.run().error.status, DETENT_OK);
}

TEST(WorkerPool, ARunIsCancelledWhereverItsOpsWait) {
  Pool pool(1);
  Graph blocking = chain(1), waiting = wide(3);
  std::atomic<bool> blocks{false}, may_end{false};
  blocking.witness().hook = [&](std::uint32_t) {
    blocks = true;
    wait_until([&] { return may_end.load(); });
  };
  Bound bound_blocking(blocking, pool.member()), bound_waiting(waiting, pool.member());
  std::thread first([&] { EXPECT_EQ(bound_blocking.run().error.status, DETENT_OK); });
  wait_until([&] { return blocks.load(); });
  std::atomic<bool> begun{false};
  std::thread second([&] {
    begun = true;
    const detent_status status = bound_waiting.run().error.status;
    EXPECT_TRUE(status == DETENT_CANCELLED || status == DETENT_OK);  // a cancel before the run has begun is forgotten
  });
  wait_until([&] { return begun.load(); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  detent_cancel(bound_waiting.context());
  may_end = true;
  first.join();
  second.join();
}

TEST(WorkerPool, ContextsJoinAndLeaveWhileOthersRun) {
  Pool pool(2, 2, 0);
  Graph steady = layered(3, 3, 51), coming = layered(2, 3, 52);
  Bound bound(steady, pool.member());
  std::atomic<bool> stop{false};
  std::thread caller([&] {
    while (!stop) ASSERT_EQ(bound.run().error.status, DETENT_OK);
  });
  for (int round = 0; round < 100; ++round) {
    Bound guest(coming, pool.member(round % 3 - 1));
    ASSERT_EQ(guest.status(), DETENT_OK);
    coming.witness().clear();
    ASSERT_EQ(guest.run().error.status, DETENT_OK);
    ASSERT_EQ(coming.violation(), "");
  }
  stop = true;
  caller.join();
}

TEST(WorkerPool, WhatCannotBeIsRefusedByName) {
  const Posix posix(0);
  const detent_port& port = posix.port;
  detent_worker_pool* pool = nullptr;
  std::vector<std::uint8_t> memory(1 << 16);
  const auto make = [&](const detent_worker_pool_config& config, std::size_t bytes) {
    return detent_worker_pool_init(memory.data(), bytes, &config, &pool);
  };
  EXPECT_EQ(make({nullptr, 1, 1}, memory.size()), DETENT_INVALID_ARGUMENT);
  EXPECT_EQ(make({&port, 0, 1}, memory.size()), DETENT_INVALID_ARGUMENT);
  EXPECT_EQ(make({&port, 1, 0}, memory.size()), DETENT_INVALID_ARGUMENT);
  EXPECT_EQ(make({&port, DETENT_MAX_POOL_WORKERS + 1, 1}, memory.size()), DETENT_INVALID_ARGUMENT);
  EXPECT_EQ(make({&port, 1, DETENT_MAX_POOL_MEMBERS + 1}, memory.size()), DETENT_INVALID_ARGUMENT);
  const detent_worker_pool_config good{&port, 2, 1};
  EXPECT_EQ(make(good, detent_worker_pool_bytes(&good) - DETENT_CACHE_LINE), DETENT_NO_SPACE);
  EXPECT_EQ(detent_worker_pool_init(nullptr, memory.size(), &good, &pool), DETENT_NO_SPACE);
  const detent_port single = detent_port_single();
  EXPECT_EQ(make({&single, 1, 1}, memory.size()), DETENT_WORKER_FAILED);
  EXPECT_EQ(pool, nullptr);
  const detent_worker_pool_config none{&port, 0, 1};
  EXPECT_EQ(detent_worker_pool_bytes(&none), 0u);
  EXPECT_EQ(detent_worker_pool_bytes(nullptr), 0u);
  EXPECT_EQ(detent_worker_pool_deinit(nullptr), DETENT_INVALID_ARGUMENT);

  ASSERT_EQ(make(good, memory.size()), DETENT_OK);
  detent_worker_pool* second = nullptr;
  std::vector<std::uint8_t> more(1 << 16);
  EXPECT_EQ(detent_worker_pool_init(more.data(), more.size(), &good, &second), DETENT_BUSY);
  Graph graph = chain(2);
  const EngineSetup member{.port = &port, .pool = pool};
  EngineSetup wrong = member;
  wrong.mode = DETENT_MODE_STATIC;
  EXPECT_EQ(Bound(graph, wrong).status(), DETENT_INVALID_ARGUMENT);
  wrong = member;
  wrong.scheduler = DETENT_SCHEDULER_THREAD;
  EXPECT_EQ(Bound(graph, wrong).status(), DETENT_INVALID_ARGUMENT);
  wrong = member;
  wrong.port = &single;
  EXPECT_EQ(Bound(graph, wrong).status(), DETENT_INVALID_ARGUMENT);
  {
    Bound only(graph, member);
    EXPECT_EQ(only.status(), DETENT_OK);
    EXPECT_EQ(Bound(graph, member).status(), DETENT_BUSY);  // its places are taken
    EXPECT_EQ(detent_worker_pool_deinit(pool), DETENT_BUSY);
  }
  EXPECT_EQ(Bound(graph, member).status(), DETENT_OK);
  EXPECT_EQ(detent_worker_pool_deinit(pool), DETENT_OK);
}

}  // namespace
}  // namespace detent::test
