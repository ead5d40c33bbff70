// The port contract as one typed suite: runtime/include/detent/port.h, sentence by sentence.
//
// A world makes a port and runs code as slot 0 of it. It needs:
//
//   class World {
//     static constexpr std::uint32_t kSlots;  // slots the port serves; 1 = no threads
//     void run(const std::function<void(const detent_port&)>& main);  // calls main as slot 0 and returns after it
//   };
//
// Then: INSTANTIATE_TYPED_TEST_SUITE_P(Name, PortContract, World);
// Nothing here looks at a wall clock or starts a thread of its own: threads come from the port, time is the port's.
// Shared words are std::atomic and every wait loops on its predicate, as the contract allows spurious returns.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include <detent/detent.h>
#include <detent/port.h>

#include "tests/support/desc_tables.hpp"

namespace detent::port_contract {

template <typename World>
class PortContract : public ::testing::Test {
 protected:
  static constexpr bool kThreads = World::kSlots > 1;
  World world_;
};
TYPED_TEST_SUITE_P(PortContract);

/// Code that runs on a started slot.
struct Thread {
  const detent_port& port;
  std::uint32_t slot;
  std::function<void()> body;

  static void enter(void* arg) { static_cast<Thread*>(arg)->body(); }
  detent_status start() { return port.start(port.self, slot, enter, this); }
  void join() const { port.join(port.self, slot); }
};

inline std::uint64_t now(const detent_port& port) { return port.now_ps(port.self); }

template <typename Predicate>
void wait_until(const detent_port& port, std::uint32_t slot, const Predicate& predicate) {
  while (!predicate()) port.wait(port.self, slot, UINT64_MAX);
}

/// Two ops, the second after the first, whose kernel does nothing.
class TwoOps {
 public:
  TwoOps() = default;
  TwoOps(const TwoOps&) = delete;
  TwoOps& operator=(const TwoOps&) = delete;
  [[nodiscard]] const detent_desc& desc() const { return tables_.desc; }
  [[nodiscard]] const detent_backend& backend() const { return backend_; }

 private:
  detent_kernel kernel_{"nothing", [](const detent_kernel_args*) { return std::int32_t{0}; }, nullptr};
  detent_kernel_table table_{&kernel_, 1};
  detent_backend backend_ = detent_cpu_backend("*", &table_);
  support::DescTables tables_{{.name = "two",
                               .regions = support::workspaces({64}),
                               .ops = {{}, {}},
                               .edges = {{0, 1}},
                               .kernels = {"nothing"},
                               .classes = {{"cpu", DETENT_CLASS_WORKERS}}}};
};

/// A context, for as long as it lives.
class Context {
 public:
  Context(const TwoOps& model, const detent_port& port, std::uint32_t workers, detent_scheduler scheduler) {
    detent_config config = detent_default_config(&port);
    config.backends = &model.backend();
    config.backend_count = 1;
    config.worker_count = workers;
    config.scheduler = scheduler;
    arena_.resize(detent_arena_bytes(&model.desc(), &config));
    status_ = detent_init(arena_.data(), arena_.size(), &model.desc(), &config, &context_, nullptr);
  }
  ~Context() {
    if (context_ == nullptr) return;
    EXPECT_EQ(detent_deinit(context_), DETENT_OK);
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  [[nodiscard]] detent_status status() const { return status_; }
  void run_twice() {
    detent_result result{};
    EXPECT_EQ(detent_run(context_, &result), DETENT_OK);
    EXPECT_EQ(detent_run(context_, &result), DETENT_OK);
  }

 private:
  std::vector<std::uint8_t> arena_;
  detent_context* context_ = nullptr;
  detent_status status_ = DETENT_OK;
};

TYPED_TEST_P(PortContract, TableIsComplete) {
  this->world_.run([](const detent_port& port) {
    EXPECT_NE(port.now_ps, nullptr);
    EXPECT_NE(port.lock, nullptr);
    EXPECT_NE(port.unlock, nullptr);
    EXPECT_NE(port.wait, nullptr);
    EXPECT_NE(port.notify, nullptr);
    EXPECT_NE(port.start, nullptr);
    EXPECT_NE(port.join, nullptr);
    EXPECT_NE(port.pause, nullptr);
    EXPECT_TRUE(port.checkpoint_mask == 0 || port.checkpoint != nullptr);
    EXPECT_GE(port.max_slots, TypeParam::kSlots);
  });
}

TYPED_TEST_P(PortContract, ClockNeverGoesBack) {
  this->world_.run([](const detent_port& port) {
    std::uint64_t last_ps = now(port);
    for (int i = 0; i < 1000; ++i) {
      port.pause(port.self);
      const std::uint64_t now_ps = now(port);
      EXPECT_GE(now_ps, last_ps);
      last_ps = now_ps;
    }
  });
}

TYPED_TEST_P(PortContract, NotifyBeforeWaitIsRemembered) {
  this->world_.run([](const detent_port& port) {
    port.notify(port.self, 0);
    port.wait(port.self, 0, UINT64_MAX);  // hangs if the notify was lost
  });
}

TYPED_TEST_P(PortContract, WaitEndsAtItsDeadline) {
  this->world_.run([](const detent_port& port) {
    const std::uint64_t deadline_ps = now(port) + 1'000'000;
    while (now(port) < deadline_ps) port.wait(port.self, 0, deadline_ps);
    port.wait(port.self, 0, deadline_ps);  // a deadline in the past returns
    port.wait(port.self, 0, 0);
    SUCCEED();
  });
}

TYPED_TEST_P(PortContract, LockCanBeTakenAgainAfterUnlock) {
  this->world_.run([](const detent_port& port) {
    for (int i = 0; i < 3; ++i) {
      port.lock(port.self);
      port.unlock(port.self);
    }
    SUCCEED();
  });
}

TYPED_TEST_P(PortContract, StartOutsideTheSlotsFails) {
  this->world_.run([](const detent_port& port) {
    Thread slot_zero{port, 0, [] {}};
    EXPECT_EQ(slot_zero.start(), DETENT_WORKER_FAILED);
    Thread beyond{port, port.max_slots, [] {}};
    EXPECT_EQ(beyond.start(), DETENT_WORKER_FAILED);
  });
}

TYPED_TEST_P(PortContract, JoinWaitsForTheEntryToReturn) {
  if (!this->kThreads) GTEST_SKIP() << "this port has no threads";
  this->world_.run([](const detent_port& port) {
    int written = 0;  // plain: join orders it
    Thread thread{port, 1, [&] {
                    for (int i = 0; i < 100; ++i) port.pause(port.self);
                    written = 42;
                  }};
    ASSERT_EQ(thread.start(), DETENT_OK);
    thread.join();
    EXPECT_EQ(written, 42);
  });
}

TYPED_TEST_P(PortContract, SlotsCanBeStartedAgainAfterJoin) {
  if (!this->kThreads) GTEST_SKIP() << "this port has no threads";
  this->world_.run([](const detent_port& port) {
    int runs = 0;
    for (int i = 0; i < 3; ++i) {
      Thread thread{port, 1, [&] { ++runs; }};
      ASSERT_EQ(thread.start(), DETENT_OK);
      thread.join();
    }
    EXPECT_EQ(runs, 3);
  });
}

TYPED_TEST_P(PortContract, WritesBeforeNotifyAreSeenAfterWait) {
  if (!this->kThreads) GTEST_SKIP() << "this port has no threads";
  this->world_.run([](const detent_port& port) {
    constexpr int kMessages = 200;
    std::atomic<int> sent{0};
    std::array<int, kMessages> message{};  // plain: ordered by `sent`
    Thread thread{port, 1, [&] {
                    for (int i = 0; i < kMessages; ++i) {
                      message[static_cast<std::size_t>(i)] = i * i;
                      sent.store(i + 1, std::memory_order_release);
                      port.notify(port.self, 0);
                    }
                  }};
    ASSERT_EQ(thread.start(), DETENT_OK);
    for (int i = 0; i < kMessages; ++i) {
      wait_until(port, 0, [&] { return sent.load(std::memory_order_acquire) > i; });
      EXPECT_EQ(message[static_cast<std::size_t>(i)], i * i);
    }
    thread.join();
  });
}

TYPED_TEST_P(PortContract, PingPongLosesNoWakeUp) {
  if (!this->kThreads) GTEST_SKIP() << "this port has no threads";
  this->world_.run([](const detent_port& port) {
    constexpr std::uint32_t kRounds = 500;
    std::atomic<std::uint32_t> turn{0};  // even: slot 0 may go on; odd: slot 1
    const auto play = [&](std::uint32_t slot) {
      for (std::uint32_t round = 0; round < kRounds; ++round) {
        wait_until(port, slot, [&] { return turn.load(std::memory_order_acquire) % 2 == slot; });
        turn.fetch_add(1, std::memory_order_acq_rel);
        port.notify(port.self, 1 - slot);
      }
    };
    Thread thread{port, 1, [&] { play(1); }};
    ASSERT_EQ(thread.start(), DETENT_OK);
    play(0);
    thread.join();
    EXPECT_EQ(turn.load(), 2 * kRounds);
  });
}

TYPED_TEST_P(PortContract, ManyNotifiesCollapseIntoOne) {
  if (!this->kThreads) GTEST_SKIP() << "this port has no threads";
  this->world_.run([](const detent_port& port) {
    for (int i = 0; i < 100; ++i) port.notify(port.self, 0);
    port.wait(port.self, 0, UINT64_MAX);
    // The other 99 have left nothing behind: this wait lasts until its deadline, or until a spurious return.
    const std::uint64_t deadline_ps = now(port) + 1'000'000;
    int returns = 0;
    while (now(port) < deadline_ps) {
      port.wait(port.self, 0, deadline_ps);
      ++returns;
    }
    EXPECT_LT(returns, 99);
  });
}

TYPED_TEST_P(PortContract, NotifyWakesOnlyItsSlot) {
  if (TypeParam::kSlots < 3) GTEST_SKIP() << "this port has fewer than three slots";
  this->world_.run([](const detent_port& port) {
    std::atomic<bool> first{false};
    std::atomic<bool> second{false};
    std::atomic<bool> second_done{false};
    Thread one{port, 1, [&] { wait_until(port, 1, [&] { return first.load(); }); }};
    Thread two{port, 2, [&] {
                 wait_until(port, 2, [&] { return second.load(); });
                 second_done.store(true);
                 port.notify(port.self, 0);
               }};
    ASSERT_EQ(one.start(), DETENT_OK);
    ASSERT_EQ(two.start(), DETENT_OK);
    second.store(true);
    port.notify(port.self, 2);
    wait_until(port, 0, [&] { return second_done.load(); });
    two.join();
    first.store(true);
    port.notify(port.self, 1);
    one.join();
  });
}

TYPED_TEST_P(PortContract, LockExcludes) {
  if (!this->kThreads) GTEST_SKIP() << "this port has no threads";
  this->world_.run([](const detent_port& port) {
    constexpr int kRounds = 300;
    int counter = 0;  // plain: the lock orders it
    std::atomic<int> inside{0};
    std::atomic<int> worst{0};
    const auto count = [&] {
      for (int i = 0; i < kRounds; ++i) {
        port.lock(port.self);
        const int now_inside = inside.fetch_add(1) + 1;
        if (now_inside > worst.load()) worst.store(now_inside);
        counter = counter + 1;
        inside.fetch_sub(1);
        port.unlock(port.self);
      }
    };
    Thread thread{port, 1, count};
    ASSERT_EQ(thread.start(), DETENT_OK);
    count();
    thread.join();
    EXPECT_EQ(counter, 2 * kRounds);
    EXPECT_EQ(worst.load(), 1);
  });
}

TYPED_TEST_P(PortContract, PauseLetsOtherSlotsGoOn) {
  if (!this->kThreads) GTEST_SKIP() << "this port has no threads";
  this->world_.run([](const detent_port& port) {
    std::atomic<bool> go{false};
    std::atomic<bool> gone{false};
    Thread thread{port, 1, [&] {
                    while (!go.load()) port.pause(port.self);
                    gone.store(true);
                  }};
    ASSERT_EQ(thread.start(), DETENT_OK);
    go.store(true);
    while (!gone.load()) port.pause(port.self);  // spinning alone must not keep slot 1 from running
    thread.join();
  });
}

TYPED_TEST_P(PortContract, EverySlotStarts) {
  if (!this->kThreads) GTEST_SKIP() << "this port has no threads";
  this->world_.run([](const detent_port& port) {
    std::atomic<std::uint32_t> started{0};
    std::vector<Thread> threads;
    threads.reserve(TypeParam::kSlots);
    for (std::uint32_t slot = 1; slot < TypeParam::kSlots; ++slot) {
      threads.push_back({port, slot, [&] { started.fetch_add(1); }});
      ASSERT_EQ(threads.back().start(), DETENT_OK);
    }
    for (const Thread& thread : threads) thread.join();
    EXPECT_EQ(started.load(), TypeParam::kSlots - 1);
  });
}

TYPED_TEST_P(PortContract, AClaimLastsUntilItsRelease) {
  this->world_.run([](const detent_port& port) {
    ASSERT_EQ(port.claim == nullptr, port.release == nullptr);
    EXPECT_TRUE(port.claim != nullptr || port.max_slots == 1);  // threads belong to somebody
    if (port.claim == nullptr) return;
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(port.claim(port.self), DETENT_OK);
      EXPECT_EQ(port.claim(port.self), DETENT_BUSY);
      port.release(port.self);
    }
  });
}

TYPED_TEST_P(PortContract, ASecondContextIsRefusedOrRuns) {
  this->world_.run([](const detent_port& port) {
    const TwoOps model;
    for (std::uint32_t workers = 0; workers <= 2; ++workers) {
      for (const detent_scheduler scheduler : {DETENT_SCHEDULER_ROLE, DETENT_SCHEDULER_THREAD}) {
        if (workers + (scheduler == DETENT_SCHEDULER_THREAD ? 1 : 0) > TypeParam::kSlots) continue;
        {
          Context first(model, port, workers, scheduler);
          ASSERT_EQ(first.status(), DETENT_OK);
          Context second(model, port, workers, scheduler);
          EXPECT_EQ(second.status(), port.claim == nullptr ? DETENT_OK : DETENT_BUSY);
          if (second.status() == DETENT_OK) second.run_twice();
          first.run_twice();
          if (second.status() == DETENT_OK) second.run_twice();
        }
        Context third(model, port, workers, scheduler);  // the port is free again
        ASSERT_EQ(third.status(), DETENT_OK);
        third.run_twice();
      }
    }
  });
}

REGISTER_TYPED_TEST_SUITE_P(PortContract, AClaimLastsUntilItsRelease, ASecondContextIsRefusedOrRuns, TableIsComplete,
                            ClockNeverGoesBack, NotifyBeforeWaitIsRemembered, WaitEndsAtItsDeadline,
                            LockCanBeTakenAgainAfterUnlock, StartOutsideTheSlotsFails, JoinWaitsForTheEntryToReturn,
                            SlotsCanBeStartedAgainAfterJoin, WritesBeforeNotifyAreSeenAfterWait, PingPongLosesNoWakeUp,
                            ManyNotifiesCollapseIntoOne, NotifyWakesOnlyItsSlot, LockExcludes, PauseLetsOtherSlotsGoOn,
                            EverySlotStarts);

}  // namespace detent::port_contract
