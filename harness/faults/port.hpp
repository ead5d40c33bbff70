// FaultPort: a native port on which the start of a slot fails, and whose time can be logical, so that what is late does
// not depend on the machine.
#pragma once

#include <array>
#include <condition_variable>
#include <mutex>

#include <detent/limits.h>

#include "base/ids.hpp"
#include "harness/faults/injector.hpp"

namespace detent::harness {

/// A port around another one.
///
/// Logical time begins at 0 and stands still while any thread of the engine can go on. When all of them wait, it goes
/// to what comes first: the next answer that the injector keeps back (and gives then), or the end of a wait. So ops
/// take no time, late ops exactly their delay, and a deadline passes only when nothing but what is late is in flight.
class FaultPort {
 public:
  struct Options {
    bool logical_time = false;
    std::uint32_t failing_start = 0;  ///< slot; 0: none
  };
  /// @param inner  outlives this; so does the injector
  FaultPort(const detent_port& inner, FaultInjector& injector, const Options& options);
  FaultPort(const FaultPort&) = delete;
  FaultPort& operator=(const FaultPort&) = delete;
  [[nodiscard]] const detent_port& port() const { return port_; }
  /// From now on every slot can be started.
  void let_start() { options_.failing_start = 0; }

 private:
  struct Slot {
    bool started = false, waits = false, notified = false;
    std::uint64_t until_ps = 0;
    std::condition_variable woken;
  };
  static FaultPort& self(void* pointer) { return *static_cast<FaultPort*>(pointer); }
  void forward_to_inner();
  void take_over_time();
  detent_status start(SlotId slot, void (*entry)(void*), void* arg);
  void join(SlotId slot);
  void wait(SlotId slot, std::uint64_t deadline_ps);
  void notify(SlotId slot);
  [[nodiscard]] bool nobody_can_go_on() const;
  bool advance(std::unique_lock<std::mutex>& lock, Slot& waiter);

  const detent_port& inner_;
  FaultInjector& injector_;
  Options options_;
  detent_port port_{};
  mutable std::mutex mutex_;  // guards all below
  std::uint64_t now_ps_ = 0;
  std::array<Slot, DETENT_MAX_WORKERS + 1> slots_{};
};

}  // namespace detent::harness
