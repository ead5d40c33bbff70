#include "sim/kernel/world.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <utility>

#include "sim/systemc/library.hpp"

namespace detent::sim::test {
namespace {

/// A session made of lambdas.
class Script final : public Job {
 public:
  explicit Script(std::function<void(World&)> body) : body_(std::move(body)) {}
  void main() override { body_(World::instance()); }
  void on_deadlock() override { ++deadlocks; }
  int deadlocks = 0;

 private:
  std::function<void(World&)> body_;
};

Session run_script(std::function<void(World&)> body) {
  std::unique_ptr<Job> job = std::make_unique<Script>(std::move(body));
  return World::instance().run(job);
}

/// A thread body with captures, for World::start.
struct Thread {
  std::function<void()> body;
  static void entry(void* self) { static_cast<Thread*>(self)->body(); }
};

TEST(World, TimeStartsAtZeroInEachSession) {
  for (int i = 0; i < 3; ++i) {
    const Session session = run_script([](World& world) {
      EXPECT_EQ(world.now_ps(), 0U);
      world.spend(123);
      EXPECT_EQ(world.now_ps(), 123U);
    });
    EXPECT_TRUE(session.finished);
    EXPECT_TRUE(session.deadlocks.empty());
  }
}

TEST(World, OwnEventThatIsNextNeedsNoSwitch) {
  run_script([](World& world) {
    const std::uint64_t before = world.switches();
    for (int i = 0; i < 100; ++i) world.spend(10);
    EXPECT_EQ(world.now_ps(), 1000U);
    EXPECT_EQ(world.switches(), before);
  });
}

TEST(World, EqualTimesGoByKindThenPriorityThenId) {
  std::vector<int> order;
  Thread a{[&order] { World::instance().execute(5, 3, 1), order.push_back(1); }};
  Thread b{[&order] { World::instance().execute(5, -3, 2), order.push_back(2); }};
  Thread c{[&order] { World::instance().execute(5, -3, 0), order.push_back(3); }};
  Thread d{[&order] { World::instance().spend(5), order.push_back(4); }};
  run_script([&](World& world) {
    world.start(1, Thread::entry, &a);
    world.start(2, Thread::entry, &b);
    world.start(3, Thread::entry, &c);
    world.start(4, Thread::entry, &d);
    for (std::uint32_t slot = 1; slot <= 4; ++slot) world.join(slot);
  });
  EXPECT_EQ(order, (std::vector<int>{4, 3, 2, 1}));
}

TEST(World, AWokenThreadRunsBeforeTheNextCompletionOfTheInstant) {
  std::vector<int> order;
  Thread sleeper{[&order] { World::instance().park(World::kNever), order.push_back(1); }};
  Thread second{[&order] { World::instance().execute(5, 0, 9), order.push_back(2); }};
  run_script([&](World& world) {
    world.start(1, Thread::entry, &sleeper);
    world.start(2, Thread::entry, &second);
    world.execute(5, 0, 1);
    world.notify(1, 0);
    world.join(2);
    world.join(1);
  });
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

TEST(World, NotifyBeforeParkIsRememberedOnce) {
  run_script([](World& world) {
    world.notify(0, 50);
    world.notify(0, 50);
    world.park(World::kNever);
    EXPECT_EQ(world.now_ps(), 0U);
    world.park(70);
    EXPECT_EQ(world.now_ps(), 70U);
  });
}

TEST(World, WakeCostPassesBetweenNotifyAndTheNextStep) {
  std::uint64_t woken_ps = 0;
  Thread sleeper{[&woken_ps] {
    World::instance().park(World::kNever);
    woken_ps = World::instance().now_ps();
  }};
  run_script([&](World& world) {
    world.start(1, Thread::entry, &sleeper);
    world.spend(10);
    world.notify(1, 7);
    world.join(1);
  });
  EXPECT_EQ(woken_ps, 17U);
}

TEST(World, ParkReturnsAtItsDeadline) {
  run_script([](World& world) {
    world.park(40);
    EXPECT_EQ(world.now_ps(), 40U);
    world.park(10);
    EXPECT_EQ(world.now_ps(), 40U);
  });
}

TEST(World, ATimerThatIsNotSetAgainExpiresOnce) {
  int expired = 0;
  const Session session = run_script([&expired](World& world) {
    world.set_timer(
        5, [](void* self) { ++*static_cast<int*>(self); }, &expired);
    world.spend(100);
    EXPECT_EQ(world.now_ps(), 100U);
  });
  EXPECT_TRUE(session.finished);
  EXPECT_EQ(expired, 1);
}

TEST(World, InterruptsComeByTimePriorityAndOp) {
  static std::vector<std::uint32_t> order;
  order.clear();
  const World::Interrupt record{[](void*, std::uint32_t op, std::int32_t) { order.push_back(op); }, nullptr, 0};
  run_script([&](World& world) {
    world.interrupt_later(5, 0, 4, record);
    world.interrupt_later(5, 0, 3, record);
    world.interrupt_later(5, -1, 5, record);
    world.interrupt_later(2, 9, 6, record);
    world.spend(100);
  });
  EXPECT_EQ(order, (std::vector<std::uint32_t>{6, 5, 3, 4}));
}

TEST(World, DeadlockNamesWhatEachSlotWaitsFor) {
  Thread sleeper{[] { World::instance().park(World::kNever); }};
  const Session session = run_script([&](World& world) {
    world.start(1, Thread::entry, &sleeper);
    world.spend(33);
    world.join(1);
  });
  EXPECT_TRUE(session.finished);
  ASSERT_EQ(session.deadlocks.size(), 1U);
  EXPECT_EQ(session.deadlocks[0],
            "deadlock at 33 ps: slot 0 waits for the end of slot 1; slot 1 waits for a notification; "
            "0 interrupts pending");
}

TEST(World, TheJobIsToldOfEachDeadlock) {
  auto script = std::make_unique<Script>([](World& world) {
    world.park(World::kNever);
    world.spend(5);
    world.park(World::kNever);
  });
  const Script& told = *script;
  std::unique_ptr<Job> job = std::move(script);
  const Session session = World::instance().run(job);
  EXPECT_TRUE(session.finished);
  EXPECT_EQ(session.deadlocks.size(), 2U);
  ASSERT_NE(job, nullptr);
  EXPECT_EQ(told.deadlocks, 2);
}

TEST(World, AllSpinningIsADeadlockAndTheWorldLivesOn) {
  const Session stuck = run_script([](World& world) {
    for (;;) world.spin();
  });
  EXPECT_FALSE(stuck.finished);
  EXPECT_FALSE(stuck.deadlocks.empty());
  const Session next = run_script([](World& world) { world.spend(5); });
  EXPECT_TRUE(next.finished);
  EXPECT_TRUE(next.deadlocks.empty());
}

TEST(World, ThreadsThatCannotBeEndedAreAbandoned) {
  Thread stubborn{[] {
    for (;;) World::instance().park(World::kNever);
  }};
  const Session stuck = run_script([&](World& world) {
    world.start(1, Thread::entry, &stubborn);
    world.join(1);
  });
  EXPECT_FALSE(stuck.finished);
  int steps = 0;
  Thread fresh{[&steps] { ++steps; }};
  const Session next = run_script([&](World& world) {
    world.start(1, Thread::entry, &fresh);
    world.join(1);
  });
  EXPECT_TRUE(next.finished);
  EXPECT_EQ(steps, 1);
}

TEST(World, SpinnersSeeWhatAnotherThreadDoesLater) {
  bool flag = false;
  Thread setter{[&flag] {
    World::instance().spend(50);
    flag = true;
  }};
  Thread spinner{[&flag] {
    while (!flag) World::instance().spin();
  }};
  const Session session = run_script([&](World& world) {
    world.start(1, Thread::entry, &spinner);
    world.start(2, Thread::entry, &setter);
    while (!flag) world.spin();
    EXPECT_EQ(world.now_ps(), 50U);
    world.join(1);
    world.join(2);
  });
  EXPECT_TRUE(session.deadlocks.empty());
}

TEST(World, LockExcludesAThreadThatWasSwitchedOutOf) {
  std::vector<int> order;
  Thread other{[&order] {
    World& world = World::instance();
    world.lock();
    order.push_back(3);
    world.unlock();
  }};
  run_script([&](World& world) {
    world.start(1, Thread::entry, &other);
    world.lock();
    order.push_back(1);
    world.spend(10);
    order.push_back(2);
    world.unlock();
    world.join(1);
  });
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
}

TEST(World, OverflowOfTimeIsNoticed) {
  run_script([](World& world) {
    world.spend(1ULL << 40U);
    EXPECT_FALSE(world.overflowed());
    world.spend(UINT64_MAX - 5);
    EXPECT_TRUE(world.overflowed());
    EXPECT_EQ(world.now_ps(), 1ULL << 40U);
  });
}

TEST(World, ExceptionsReachTheCallerNotSystemC) {
  EXPECT_THROW(run_script([](World&) { throw std::runtime_error("own mistake"); }), std::runtime_error);
  EXPECT_TRUE(run_script([](World&) {}).finished);
}

TEST(World, SystemcClockFollowsAtTheEndOfASession) {
  const std::uint64_t before_ps = sc_library().time_ps();
  run_script([](World& world) { world.spend(1234); });
  EXPECT_EQ(sc_library().time_ps() - before_ps, 1234U);
}

TEST(World, OtherSystemcCodeSeesTheSimulatedTime) {
  struct Looks {
    std::uint64_t start_ps = sc_library().time_ps();
    std::vector<std::uint64_t> systemc_ps;
    std::vector<std::uint64_t> world_ps;
  } looks;
  sc_library().observe(
      10, 5,
      [](void* self, std::uint64_t systemc_ps) {
        auto& seen = *static_cast<Looks*>(self);
        seen.systemc_ps.push_back(systemc_ps - seen.start_ps);
        seen.world_ps.push_back(World::instance().now_ps());
      },
      &looks);
  World::instance().set_observed(true);
  run_script([](World& world) {
    for (int i = 0; i < 6; ++i) world.spend(10);
  });
  World::instance().set_observed(false);
  EXPECT_EQ(looks.systemc_ps, (std::vector<std::uint64_t>{10, 20, 30, 40, 50}));
  EXPECT_EQ(looks.world_ps, looks.systemc_ps);
}

}  // namespace
}  // namespace detent::sim::test
