// The contract on POSIX threads.
#include <new>

#include <detent/detent.h>
#include <detent/limits.h>

#include "tests/port_contract/contract.hpp"

namespace detent::port_contract {

class PosixWorld {
 public:
  static constexpr std::uint32_t kSlots = 5;
  PosixWorld() : state_(::operator new(detent_port_posix_bytes(), kAlign)) {
    EXPECT_EQ(detent_port_posix(state_, detent_port_posix_bytes(), &port_), DETENT_OK);
  }
  ~PosixWorld() { ::operator delete(state_, kAlign); }
  PosixWorld(const PosixWorld&) = delete;
  PosixWorld& operator=(const PosixWorld&) = delete;
  void run(const std::function<void(const detent_port&)>& main) { main(port_); }

 private:
  static constexpr std::align_val_t kAlign{DETENT_CACHE_LINE};
  void* state_;
  detent_port port_{};
};

INSTANTIATE_TYPED_TEST_SUITE_P(Posix, PortContract, PosixWorld);

TEST(PortPosix, RefusesBadMemory) {
  alignas(DETENT_CACHE_LINE) static std::uint8_t memory[64 * 1024];
  const std::size_t bytes = detent_port_posix_bytes();
  ASSERT_LE(bytes + 8, sizeof memory);
  detent_port port{};
  EXPECT_EQ(detent_port_posix(nullptr, bytes, &port), DETENT_INVALID_ARGUMENT);
  EXPECT_EQ(detent_port_posix(memory, bytes, nullptr), DETENT_INVALID_ARGUMENT);
  EXPECT_EQ(detent_port_posix(memory + 8, bytes, &port), DETENT_ALIGNMENT);
  EXPECT_EQ(detent_port_posix(memory, bytes - 1, &port), DETENT_NO_SPACE);
}

// Both contexts were accepted; each took the other's slots and notifications, and the second run hung.
TEST(PortPosix, TwoContextsOnOnePortAreNeverBothAccepted) {
  PosixWorld world;
  world.run([](const detent_port& port) {
    const TwoOps model;
    Context first(model, port, 2, DETENT_SCHEDULER_ROLE);
    ASSERT_EQ(first.status(), DETENT_OK);
    const Context second(model, port, 2, DETENT_SCHEDULER_ROLE);
    EXPECT_EQ(second.status(), DETENT_BUSY);
    first.run_twice();
  });
}

TEST(PortPosix, TimesBeginNearZero) {
  PosixWorld world;
  world.run([](const detent_port& port) { EXPECT_LT(now(port), std::uint64_t{3600} * 1'000'000'000'000u); });
}

TEST(PortPosix, ServesEveryWorkerAndASchedulerThread) {
  PosixWorld world;
  world.run([](const detent_port& port) { EXPECT_EQ(port.max_slots, DETENT_MAX_WORKERS + 1); });
}

}  // namespace detent::port_contract
