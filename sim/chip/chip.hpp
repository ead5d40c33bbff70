// Chip: cores, NPUs and the DRAM between them in simulated time. What runs together -> how fast each of them is.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "base/ids.hpp"
#include "sim/chip/core_loads.hpp"
#include "sim/chip/cores.hpp"
#include "sim/chip/recorder.hpp"
#include "sim/cost/dram.hpp"
#include "sim/kernel/sim_kernel.hpp"

namespace detent::sim {

/// The hardware under the engine's slots. An op executes as an *activity*: an amount of time alone on the chip, left
/// to go at a speed in [0, 1] that changes when others begin or end:
///   - a load of higher priority has the core: 0;
///   - the other hardware thread of the core computes: CoreClass::corun_rate on the part that is no memory time;
///   - other clients use the DRAM: DramQueue (dram.hpp).
/// Speeds are exact multiples of 2^-32 and progress is counted in integers, so an op that nobody disturbs ends exactly
/// when its time is over. Whatever changes nothing costs nothing: on a chip without shared parts an activity is one
/// event.
///
/// An NPU core executes one op at a time. With a queue, the op's front (command, first fill of its buffers) runs while
/// the array still executes the op before; its driver (the worker) sleeps until the completion interrupt. A command
/// goes to the NPU of its class with the fewest commands, whichever slot brings it, so to an empty one while there is
/// one, and stays there: never more than the queue takes, because there are no more slots.
///
/// Workers stay on their core, or, when they migrate, begin each op on an idle core of their class that no load has,
/// their last one preferred, and leave a core that a load takes for such a one. No two choose the same core.
class Chip {
 public:
  /// @param work  [desc.op_count]; everything outlives this
  Chip(SimKernel& kernel, const Platform& platform, const CoreMap& cores, const detent_desc& desc,
       const std::vector<OpWork>& work, bool migrating);
  Chip(const Chip&) = delete;
  Chip& operator=(const Chip&) = delete;

  /// A run begins now: loads count from here, all workers are at home.
  /// @param recorder  of this run; null: nothing is kept
  void begin_run(std::uint64_t seed, ChipRecorder* recorder);
  /// Let the calling slot execute `op`, which alone takes duration_ps. Returns when it is done.
  void execute(SlotId slot, OpId op, std::int32_t priority, std::uint64_t duration_ps);
  /// Let the calling thread pay an overhead on its core; loads are in its way too.
  void spend(std::uint64_t cost_ps);
  /// The slot was woken now and goes on after wake_ps.
  void note_wake(SlotId slot, std::uint64_t wake_ps);
  /// The run ended now: the recorder has seen all loads.
  void end_run();
  /// All cores of the platform, class after class: the numbers that the recorder uses.
  [[nodiscard]] std::vector<CoreId> cores() const;
  /// Index into cores() of the core that executed `op` last; UINT32_MAX if none has.
  [[nodiscard]] std::uint32_t core_of(OpId op) const { return op_cores_[op]; }

 private:
  static constexpr std::uint32_t kNobody = UINT32_MAX;
  static constexpr std::uint64_t kFullSpeed = 1ULL << 32U;
  struct Core {
    CoreId id;
    const CoreClass* core_class = nullptr;
    CoreLoads loads;
    std::uint32_t activity = kNobody;     ///< slot whose activity has the core
    std::uint32_t commands = 0;           ///< ops that have chosen the core and are not over
    std::deque<std::uint32_t> waiting{};  ///< NPU: slots in the order of their commands
  };
  struct Activity {
    std::uint32_t core = 0;
    OpId op = 0;
    bool occupies = true;  ///< false: the front of an NPU's op
    bool is_new = false;
    std::uint64_t left_ps = 0;
    std::uint64_t since_ps = 0;  ///< progress is counted up to here
    std::uint64_t speed = 0;     ///< of 2^32
    std::uint64_t end_ps = 0;
    double share = 0;  ///< of one of its DRAM streams, alone
    std::uint32_t streams = 1;
    double memory_speed = 1;   ///< what of the speed is due to the DRAM
    double corun = 1;          ///< and to the other hardware thread
    double bytes_per_ps = 0;   ///< alone
    double compute_share = 1;  ///< of its time alone
  };

  void run(SlotId slot, std::int32_t priority, std::uint64_t duration_ps, std::uint64_t dram_bytes, Activity activity);
  void activate(SlotId slot, std::uint32_t starting);
  void deactivate(SlotId slot);
  void advance();
  void rebalance(std::uint32_t starting);
  void find_speeds();
  void move_from_loads();
  void arm_timer();
  void on_timer();
  [[nodiscard]] std::uint32_t core_for(SlotId slot, OpId op);
  [[nodiscard]] std::uint32_t shortest_queue(std::uint32_t core) const;
  [[nodiscard]] std::uint32_t free_core_like(std::uint32_t core);
  [[nodiscard]] bool is_free(std::uint32_t core);
  [[nodiscard]] bool is_pool(std::uint32_t core) const;
  [[nodiscard]] double corun_of(const Activity& activity) const;
  void spend_on(std::uint32_t core, std::uint64_t cost_ps);

  SimKernel& kernel_;
  const Platform& platform_;
  const std::vector<OpWork>& work_;
  bool migrating_;
  bool is_plain_ = false;  ///< nothing is shared: activities cannot change
  std::vector<Core> cores_;
  std::vector<std::uint32_t> first_core_;  // [platform classes] into cores_
  std::vector<std::uint32_t> op_class_;    // [ops] platform class, kNobody for async ops
  std::vector<std::uint32_t> op_cores_;    // [ops] into cores_, kNobody
  std::vector<std::uint32_t> home_;        // [slots] into cores_, kNobody
  std::vector<std::uint32_t> at_;          // [slots] where the worker is now
  std::vector<Activity> activities_;       // [slots]
  std::vector<std::uint32_t> active_;      // slots, in the order of their starts
  std::vector<std::uint64_t> speeds_before_;
  std::vector<DramClient> clients_;
  std::vector<std::uint32_t> client_slots_;
  std::vector<double> client_speeds_;
  DramQueue dram_;
  ChipRecorder* recorder_ = nullptr;
};

}  // namespace detent::sim
