// A worker that put its completion into the queue read `role` without an order: on ARM and RISC-V it could read an old
// value, leave the completion to a holder that had already looked, and the run hung. Every access of the words that
// stand in such a "write mine, then read yours" must be sequentially consistent (docs/ENGINE.md).
#include <gtest/gtest.h>

#include <map>
#include <mutex>

#include "runtime/base/atomic.h"
#include "runtime/engine/context.h"
#include "tests/runtime/engine/graph.hpp"
#include "tests/runtime/engine/ports.hpp"

namespace detent::test {
namespace {

/// A posix port that remembers how each shared word was accessed.
class Recorder {
 public:
  Recorder() : memory_(new (std::align_val_t{DETENT_CACHE_LINE}) std::uint8_t[detent_port_posix_bytes()]) {
    EXPECT_EQ(detent_port_posix(memory_, detent_port_posix_bytes(), &inner_), DETENT_OK);
    port_ = forwarding_port(this);
    port_.spin_limit = 0;
    port_.checkpoint_mask = DETENT_CP_ATOMIC | DETENT_CP_ATOMIC_ORDERS;
    port_.checkpoint = [](void* self, detent_checkpoint, std::uint32_t, std::uint32_t index) {
      Recorder& me = *static_cast<Recorder*>(self);
      const std::lock_guard guard(me.mutex_);
      const AtomicAccess access = access_of(index);
      me.orders_[access.word] |= 1U << (access.order & (kAccessRelaxed | kAccessPaired));
    };
  }
  ~Recorder() { ::operator delete[](memory_, std::align_val_t{DETENT_CACHE_LINE}); }
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  [[nodiscard]] const detent_port* port() const { return &port_; }
  [[nodiscard]] const detent_port& inner() const { return inner_; }
  /// Bit 0: sequentially consistent; bits 1 and 2: relaxed; acquire or release. 0: never accessed.
  [[nodiscard]] std::uint32_t orders_of(const detent_context& context, const void* word) {
    const auto offset = static_cast<const std::uint8_t*>(word) - reinterpret_cast<const std::uint8_t*>(&context);
    const std::lock_guard guard(mutex_);
    return orders_[static_cast<std::uint32_t>(offset / 4)];
  }

 private:
  std::uint8_t* memory_;
  detent_port inner_{}, port_{};
  std::mutex mutex_;
  std::map<std::uint32_t, std::uint32_t> orders_;
};

TEST(Regress, NoAccessOfTheRoleIsWeakerThanSequentiallyConsistent) {
  constexpr std::uint32_t kFencedOnly = 1;
  for (const detent_scheduler scheduler : {DETENT_SCHEDULER_ROLE, DETENT_SCHEDULER_THREAD}) {
    Recorder recorder;
    Graph graph = layered(4, 4, 1);
    Bound bound(graph, {.scheduler = scheduler, .worker_count = 2, .port = recorder.port()});
    ASSERT_EQ(bound.status(), DETENT_OK);
    for (int run = 0; run < 20; ++run) ASSERT_EQ(bound.run().error.status, DETENT_OK);
    const detent_context& context = *bound.context();
    EXPECT_EQ(recorder.orders_of(context, &context.loop.role), kFencedOnly);
    // A worker that always finds mail never looks at `quit`.
    EXPECT_EQ(recorder.orders_of(context, &context.quit) | kFencedOnly, kFencedOnly);
  }
}

}  // namespace
}  // namespace detent::test
