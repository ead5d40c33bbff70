// Active waiting on real threads, and where the POSIX port lets them run.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "runtime/engine/context.h"
#include "runtime/ports/host_cores.h"
#include "runtime/ports/host_placement.h"
#include "tests/runtime/engine/graph.hpp"

namespace detent::test {
namespace {

TEST(ActiveWaitingThreads, NoOpIsLostOrRunTwiceThatIsTakenBack) {
  for (const std::uint32_t spins : {2u, 200u}) {
    for (const detent_scheduler scheduler : {DETENT_SCHEDULER_ROLE, DETENT_SCHEDULER_THREAD}) {
      Graph graph = layered(4, 4, 11);
      Bound bound(graph, {.scheduler = scheduler, .worker_count = 3, .spin_limit = 1, .active_spin_limit = spins});
      ASSERT_TRUE(bound.context()->loop.is_active);
      for (int run = 0; run < 200; ++run) {
        graph.witness().clear();
        ASSERT_EQ(bound.run().error.status, DETENT_OK);
        ASSERT_EQ(graph.violation(), "") << "run " << run;
      }
    }
  }
}

TEST(PosixPort, WaitsActivelyWhereItsThreadsHaveACoreEach) {
  Graph graph = diamond();
  Bound bound(graph, {.worker_count = 2, .spin_limit = UINT32_MAX});
  const detent_port& port = bound.port();
  EXPECT_EQ(port.processors, usable_cores());
  EXPECT_TRUE(port.active_spin_limit > port.spin_limit || port.spin_limit == 0);
  EXPECT_EQ(bound.context()->loop.is_active, port.spin_limit != 0 && port.processors >= 2);
}

#if defined(__linux__)

/// A thread that stands still, with its placement.
class Placed {
 public:
  Placed() : thread_([this] { live(); }) {
    while (!has_begun_) std::this_thread::yield();
  }
  ~Placed() {
    may_end_ = true;
    thread_.join();
  }
  Placed(const Placed&) = delete;
  Placed& operator=(const Placed&) = delete;

  void put_beside_caller() { placement_.put_beside_caller(thread_.native_handle()); }
  void end() { placement_.end(); }
  void set_cores(const cpu_set_t& cores) { pthread_setaffinity_np(thread_.native_handle(), sizeof cores, &cores); }
  cpu_set_t cores() {
    cpu_set_t cores;
    EXPECT_EQ(pthread_getaffinity_np(thread_.native_handle(), sizeof cores, &cores), 0);
    return cores;
  }

 private:
  void live() {
    placement_.begin();
    has_begun_ = true;
    while (!may_end_) std::this_thread::yield();
  }
  Placement placement_;
  std::atomic<bool> has_begun_{false}, may_end_{false};
  std::thread thread_;
};

class PlacementTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(sched_getaffinity(0, sizeof before_, &before_), 0);
    if (CPU_COUNT(&before_) < 2) GTEST_SKIP() << "one core";
    while (!CPU_ISSET(core_, &before_)) ++core_;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core_, &one);
    one_ = one;
  }
  void TearDown() override { sched_setaffinity(0, sizeof before_, &before_); }
  /// The calling thread stands on core_ from here on; threads that it has started do not.
  void stand_still() { ASSERT_EQ(sched_setaffinity(0, sizeof one_, &one_), 0); }

  unsigned core_ = 0;
  cpu_set_t before_, one_;
};

TEST_F(PlacementTest, AWokenThreadKeepsOffTheCoreOfItsWaker) {
  Placed placed;
  stand_still();
  placed.put_beside_caller();
  cpu_set_t expected = before_;
  CPU_CLR(core_, &expected);
  cpu_set_t found = placed.cores();
  EXPECT_TRUE(CPU_EQUAL(&found, &expected));
}

TEST_F(PlacementTest, AffinityThatSomebodyElseHasSetStays) {
  Placed placed;
  placed.set_cores(one_);
  stand_still();
  placed.put_beside_caller();
  cpu_set_t found = placed.cores();
  EXPECT_TRUE(CPU_EQUAL(&found, &one_));
}

TEST_F(PlacementTest, AThreadThatIsAboutToEndIsLeftAlone) {
  Placed placed;
  stand_still();
  placed.end();
  placed.put_beside_caller();
  cpu_set_t found = placed.cores();
  EXPECT_TRUE(CPU_EQUAL(&found, &before_));
}

#endif

}  // namespace
}  // namespace detent::test
