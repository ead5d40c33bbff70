// The contract of ports on the explorer's, under many schedules.
#include "tests/effort.hpp"
#include "tests/port_contract/contract.hpp"
#include "verify/explore/threads/search/sampling.hpp"
#include "verify/explore/threads/world/explore_port.hpp"

namespace detent::port_contract {

class ExploreWorld {
 public:
  static constexpr std::uint32_t kSlots = 5;

  void run(const std::function<void(const detent_port&)>& main) {
    namespace ex = detent::verify::explore;
    for (std::uint64_t seed = 1; seed <= effort(20U); ++seed) {
      ex::VirtualThreads threads(
          {.max_steps = 1'000'000, .spins_freely = true, .spurious_wakeups = seed % 2 != 0 ? 3U : 0U});
      ex::ExplorePort port(threads, {.slots = kSlots});
      struct Call {
        const std::function<void(const detent_port&)>& main;
        const detent_port& port;
      } call{main, port.table()};
      ex::RandomWalk walk(seed, 1);
      const ex::End end = threads.run(
          walk,
          [](void* arg) {
            const Call& it = *static_cast<const Call*>(arg);
            it.main(it.port);
          },
          &call);
      EXPECT_EQ(end, ex::End::kDone);
    }
  }
};

INSTANTIATE_TYPED_TEST_SUITE_P(Explore, PortContract, ExploreWorld);

}  // namespace detent::port_contract
