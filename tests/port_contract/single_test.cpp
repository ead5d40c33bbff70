// The contract on the port without threads.
#include <detent/detent.h>

#include "tests/port_contract/contract.hpp"

namespace detent::port_contract {

struct SingleWorld {
  static constexpr std::uint32_t kSlots = 1;
  void run(const std::function<void(const detent_port&)>& main) { main(detent_port_single()); }
};

INSTANTIATE_TYPED_TEST_SUITE_P(Single, PortContract, SingleWorld);

TEST(PortSingle, HasOneSlot) { EXPECT_EQ(detent_port_single().max_slots, 1u); }

TEST(PortSingle, StartOfASlotIsRefused) {
  const detent_port port = detent_port_single();
  EXPECT_EQ(port.start(
                port.self, 1, [](void*) {}, nullptr),
            DETENT_WORKER_FAILED);
}

}  // namespace detent::port_contract
