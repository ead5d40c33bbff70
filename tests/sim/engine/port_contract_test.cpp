// The simulated port under the suite that every port passes, with and without overheads.
#include <utility>

#include "sim/engine/systemc_port.hpp"
#include "tests/port_contract/contract.hpp"

namespace detent::sim {
namespace {

class ContractJob final : public Job {
 public:
  ContractJob(const std::function<void(const detent_port&)>& main, const Overheads& overheads)
      : main_(main), port_(SimKernel::instance(), overheads) {}
  void main() override { main_(port_.port()); }

 private:
  const std::function<void(const detent_port&)>& main_;
  SystemcPort port_;
};

void run_as_slot_zero(const std::function<void(const detent_port&)>& main, const Overheads& overheads) {
  std::unique_ptr<Job> job = std::make_unique<ContractJob>(main, overheads);
  const Session session = SimKernel::instance().run(job);
  EXPECT_TRUE(session.finished);
  EXPECT_TRUE(session.deadlocks.empty());
}

struct SystemcWorld {
  static constexpr std::uint32_t kSlots = SimKernel::kSlots;
  static void run(const std::function<void(const detent_port&)>& main) { run_as_slot_zero(main, {}); }
};

struct SystemcWorldWithOverheads {
  static constexpr std::uint32_t kSlots = SimKernel::kSlots;
  static void run(const std::function<void(const detent_port&)>& main) {
    run_as_slot_zero(main, find_platform("quad_npu").overheads);
  }
};

}  // namespace
}  // namespace detent::sim

namespace detent::port_contract {

INSTANTIATE_TYPED_TEST_SUITE_P(Systemc, PortContract, sim::SystemcWorld);
INSTANTIATE_TYPED_TEST_SUITE_P(SystemcWithOverheads, PortContract, sim::SystemcWorldWithOverheads);

}  // namespace detent::port_contract
