// SystemcPort: the detent_port of the simulated world. The runtime's calls -> blocking, waking and paying in SimKernel.
#pragma once

#include <detent/port.h>

#include "base/ids.hpp"
#include "sim/chip/chip.hpp"
#include "sim/chip/op_ends.hpp"
#include "sim/kernel/sim_kernel.hpp"
#include "sim/platform/platform.hpp"

namespace detent::sim {

/// Slots are pooled SystemC threads on simulated cores; time is SimKernel's. Usable on simulated threads only (inside
/// SimKernel::run), except that the table may be read anywhere.
///
/// Each overhead of the platform is charged where the engine performs the step: lock_ps at DETENT_CP_LOCK if this
/// thread held the role last, lock_contended_ps if another did, queue_ps at DETENT_CP_QUEUE, dispatch_ps at
/// DETENT_CP_DISPATCH, wake_ps between notify and the woken slot's next step. The two records that a target logs per op
/// cost log_ps each, charged with the dispatch: so an op's span is its duration, and a makespan does not depend on
/// whether this run keeps a trace. A kind that costs nothing is not in the mask.
class SystemcPort {
 public:
  /// @param chip  on whose cores overheads are paid; null: they only take time
  /// @param ends  told of every op that ends; null: not wanted
  SystemcPort(SimKernel& kernel, const Overheads& overheads, Chip* chip = nullptr, OpEnds* ends = nullptr);
  SystemcPort(const SystemcPort&) = delete;
  SystemcPort& operator=(const SystemcPort&) = delete;
  [[nodiscard]] const detent_port& port() const { return port_; }
  /// The next run owes nothing to the one before: nobody has held the scheduler role yet.
  void begin_run() { last_holder_ = DETENT_NONE; }
  /// From now on this slot cannot be started; 0: all can.
  void fail_start_of(SlotId slot) { failing_start_ = slot; }

 private:
  static SystemcPort& self(void* pointer) { return *static_cast<SystemcPort*>(pointer); }
  [[nodiscard]] std::uint64_t cost_ps(detent_checkpoint kind) const;
  void pay(detent_checkpoint kind);

  SimKernel& kernel_;
  Overheads overheads_;
  Chip* chip_;
  OpEnds* ends_;
  std::uint32_t last_holder_ = DETENT_NONE;  ///< thread that held the scheduler role last
  std::uint32_t failing_start_ = 0;
  bool claimed_ = false;  ///< by a context
  detent_port port_{};
};

}  // namespace detent::sim
