#include "sim/kernel/sim_kernel.hpp"

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
  explicit Script(std::function<void(SimKernel&)> body) : body_(std::move(body)) {}
  void main() override { body_(SimKernel::instance()); }
  void on_deadlock() override { ++deadlocks; }
  int deadlocks = 0;

 private:
  std::function<void(SimKernel&)> body_;
};

Session run_script(std::function<void(SimKernel&)> body) {
  std::unique_ptr<Job> job = std::make_unique<Script>(std::move(body));
  return SimKernel::instance().run(job);
}

/// A thread body with captures, for SimKernel::start.
struct Thread {
  std::function<void()> body;
  static void entry(void* self) { static_cast<Thread*>(self)->body(); }
};

TEST(SimKernel, TimeStartsAtZeroInEachSession) {
  for (int i = 0; i < 3; ++i) {
    const Session session = run_script([](SimKernel& kernel) {
      EXPECT_EQ(kernel.now_ps(), 0U);
      kernel.spend(123);
      EXPECT_EQ(kernel.now_ps(), 123U);
    });
    EXPECT_TRUE(session.finished);
    EXPECT_TRUE(session.deadlocks.empty());
  }
}

TEST(SimKernel, OwnEventThatIsNextNeedsNoSwitch) {
  run_script([](SimKernel& kernel) {
    const std::uint64_t before = kernel.switches();
    for (int i = 0; i < 100; ++i) kernel.spend(10);
    EXPECT_EQ(kernel.now_ps(), 1000U);
    EXPECT_EQ(kernel.switches(), before);
  });
}

TEST(SimKernel, EqualTimesGoByKindThenPriorityThenId) {
  std::vector<int> order;
  Thread a{[&order] { SimKernel::instance().ops().execute(5, 3, 1), order.push_back(1); }};
  Thread b{[&order] { SimKernel::instance().ops().execute(5, -3, 2), order.push_back(2); }};
  Thread c{[&order] { SimKernel::instance().ops().execute(5, -3, 0), order.push_back(3); }};
  Thread d{[&order] { SimKernel::instance().spend(5), order.push_back(4); }};
  run_script([&](SimKernel& kernel) {
    kernel.start(1, Thread::entry, &a);
    kernel.start(2, Thread::entry, &b);
    kernel.start(3, Thread::entry, &c);
    kernel.start(4, Thread::entry, &d);
    for (std::uint32_t slot = 1; slot <= 4; ++slot) kernel.join(slot);
  });
  EXPECT_EQ(order, (std::vector<int>{4, 3, 2, 1}));
}

TEST(SimKernel, AWokenThreadRunsBeforeTheNextCompletionOfTheInstant) {
  std::vector<int> order;
  Thread sleeper{[&order] { SimKernel::instance().park(1, SimKernel::kNever), order.push_back(1); }};
  Thread second{[&order] { SimKernel::instance().ops().execute(5, 0, 9), order.push_back(2); }};
  run_script([&](SimKernel& kernel) {
    kernel.start(1, Thread::entry, &sleeper);
    kernel.start(2, Thread::entry, &second);
    kernel.ops().execute(5, 0, 1);
    kernel.notify(1, 0);
    kernel.join(2);
    kernel.join(1);
  });
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

TEST(SimKernel, NotifyBeforeParkIsRememberedOnce) {
  run_script([](SimKernel& kernel) {
    kernel.notify(0, 50);
    kernel.notify(0, 50);
    kernel.park(0, SimKernel::kNever);
    EXPECT_EQ(kernel.now_ps(), 0U);
    kernel.park(0, 70);
    EXPECT_EQ(kernel.now_ps(), 70U);
  });
}

TEST(SimKernel, WakeCostPassesBetweenNotifyAndTheNextStep) {
  std::uint64_t woken_ps = 0;
  Thread sleeper{[&woken_ps] {
    SimKernel::instance().park(1, SimKernel::kNever);
    woken_ps = SimKernel::instance().now_ps();
  }};
  run_script([&](SimKernel& kernel) {
    kernel.start(1, Thread::entry, &sleeper);
    kernel.spend(10);
    kernel.notify(1, 7);
    kernel.join(1);
  });
  EXPECT_EQ(woken_ps, 17U);
}

TEST(SimKernel, ParkReturnsAtItsDeadline) {
  run_script([](SimKernel& kernel) {
    kernel.park(0, 40);
    EXPECT_EQ(kernel.now_ps(), 40U);
    kernel.park(0, 10);
    EXPECT_EQ(kernel.now_ps(), 40U);
  });
}

TEST(SimKernel, ATimerThatIsNotSetAgainExpiresOnce) {
  int expired = 0;
  const Session session = run_script([&expired](SimKernel& kernel) {
    kernel.set_timer(
        5, [](void* self) { ++*static_cast<int*>(self); }, &expired);
    kernel.spend(100);
    EXPECT_EQ(kernel.now_ps(), 100U);
  });
  EXPECT_TRUE(session.finished);
  EXPECT_EQ(expired, 1);
}

TEST(SimKernel, InterruptsComeByTimePriorityAndOp) {
  static std::vector<std::uint32_t> order;
  order.clear();
  const OpExecution::Interrupt record{[](void*, std::uint32_t op, std::int32_t) { order.push_back(op); }, nullptr, 0};
  run_script([&](SimKernel& kernel) {
    kernel.ops().interrupt_later(5, 0, 4, record);
    kernel.ops().interrupt_later(5, 0, 3, record);
    kernel.ops().interrupt_later(5, -1, 5, record);
    kernel.ops().interrupt_later(2, 9, 6, record);
    kernel.spend(100);
  });
  EXPECT_EQ(order, (std::vector<std::uint32_t>{6, 5, 3, 4}));
}

TEST(SimKernel, DeadlockNamesTheWaitOfEachSlot) {
  Thread sleeper{[] { SimKernel::instance().park(1, SimKernel::kNever); }};
  const Session session = run_script([&](SimKernel& kernel) {
    kernel.start(1, Thread::entry, &sleeper);
    kernel.spend(33);
    kernel.join(1);
  });
  EXPECT_TRUE(session.finished);
  ASSERT_EQ(session.deadlocks.size(), 1U);
  EXPECT_EQ(session.deadlocks[0],
            "deadlock at 33 ps: slot 0 waits for the end of slot 1; slot 1 waits for a notification; "
            "0 interrupts pending");
}

TEST(SimKernel, TheJobIsToldOfEachDeadlock) {
  auto script = std::make_unique<Script>([](SimKernel& kernel) {
    kernel.park(0, SimKernel::kNever);
    kernel.spend(5);
    kernel.park(0, SimKernel::kNever);
  });
  const Script& told = *script;
  std::unique_ptr<Job> job = std::move(script);
  const Session session = SimKernel::instance().run(job);
  EXPECT_TRUE(session.finished);
  EXPECT_EQ(session.deadlocks.size(), 2U);
  ASSERT_NE(job, nullptr);
  EXPECT_EQ(told.deadlocks, 2);
}

TEST(SimKernel, AllSpinningIsADeadlockAndTheKernelLivesOn) {
  const Session stuck = run_script([](SimKernel& kernel) {
    for (;;) kernel.spin();
  });
  EXPECT_FALSE(stuck.finished);
  EXPECT_FALSE(stuck.deadlocks.empty());
  const Session next = run_script([](SimKernel& kernel) { kernel.spend(5); });
  EXPECT_TRUE(next.finished);
  EXPECT_TRUE(next.deadlocks.empty());
}

TEST(SimKernel, ThreadsThatCannotBeEndedAreAbandoned) {
  Thread stubborn{[] {
    for (;;) SimKernel::instance().park(1, SimKernel::kNever);
  }};
  const Session stuck = run_script([&](SimKernel& kernel) {
    kernel.start(1, Thread::entry, &stubborn);
    kernel.join(1);
  });
  EXPECT_FALSE(stuck.finished);
  int steps = 0;
  Thread fresh{[&steps] { ++steps; }};
  const Session next = run_script([&](SimKernel& kernel) {
    kernel.start(1, Thread::entry, &fresh);
    kernel.join(1);
  });
  EXPECT_TRUE(next.finished);
  EXPECT_EQ(steps, 1);
}

TEST(SimKernel, SpinnersSeeWhatAnotherThreadDoesLater) {
  bool flag = false;
  Thread setter{[&flag] {
    SimKernel::instance().spend(50);
    flag = true;
  }};
  Thread spinner{[&flag] {
    while (!flag) SimKernel::instance().spin();
  }};
  const Session session = run_script([&](SimKernel& kernel) {
    kernel.start(1, Thread::entry, &spinner);
    kernel.start(2, Thread::entry, &setter);
    while (!flag) kernel.spin();
    EXPECT_EQ(kernel.now_ps(), 50U);
    kernel.join(1);
    kernel.join(2);
  });
  EXPECT_TRUE(session.deadlocks.empty());
}

TEST(SimKernel, LockExcludesAThreadThatWasSwitchedOutOf) {
  std::vector<int> order;
  Thread other{[&order] {
    SimKernel& kernel = SimKernel::instance();
    kernel.lock();
    order.push_back(3);
    kernel.unlock();
  }};
  run_script([&](SimKernel& kernel) {
    kernel.start(1, Thread::entry, &other);
    kernel.lock();
    order.push_back(1);
    kernel.spend(10);
    order.push_back(2);
    kernel.unlock();
    kernel.join(1);
  });
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
}

TEST(SimKernel, OverflowOfTimeIsNoticed) {
  run_script([](SimKernel& kernel) {
    kernel.spend(1ULL << 40U);
    EXPECT_FALSE(kernel.clock().overflowed());
    kernel.spend(UINT64_MAX - 5);
    EXPECT_TRUE(kernel.clock().overflowed());
    EXPECT_EQ(kernel.now_ps(), 1ULL << 40U);
  });
}

TEST(SimKernel, ExceptionsReachTheCallerNotSystemC) {
  EXPECT_THROW(run_script([](SimKernel&) { throw std::runtime_error("own mistake"); }), std::runtime_error);
  EXPECT_TRUE(run_script([](SimKernel&) {}).finished);
}

TEST(SimKernel, SystemcClockFollowsAtTheEndOfASession) {
  const std::uint64_t before_ps = sc_library().time_ps();
  run_script([](SimKernel& kernel) { kernel.spend(1234); });
  EXPECT_EQ(sc_library().time_ps() - before_ps, 1234U);
}

TEST(SimKernel, OtherSystemcCodeSeesTheSimulatedTime) {
  struct Looks {
    std::uint64_t start_ps = sc_library().time_ps();
    std::vector<std::uint64_t> systemc_ps;
    std::vector<std::uint64_t> kernel_ps;
  } looks;
  sc_library().observe(
      10, 5,
      [](void* self, std::uint64_t systemc_ps) {
        auto& seen = *static_cast<Looks*>(self);
        seen.systemc_ps.push_back(systemc_ps - seen.start_ps);
        seen.kernel_ps.push_back(SimKernel::instance().now_ps());
      },
      &looks);
  SimKernel::instance().clock().set_observed(true);
  run_script([](SimKernel& kernel) {
    for (int i = 0; i < 6; ++i) kernel.spend(10);
  });
  SimKernel::instance().clock().set_observed(false);
  EXPECT_EQ(looks.systemc_ps, (std::vector<std::uint64_t>{10, 20, 30, 40, 50}));
  EXPECT_EQ(looks.kernel_ps, looks.systemc_ps);
}

}  // namespace
}  // namespace detent::sim::test
