// TimedBackend: wraps kernels: dispatch really computes, then lets the op's simulated time pass.
#pragma once

#include <vector>

#include <detent/detent.h>

#include "base/ids.hpp"
#include "harness/faults/injector.hpp"
#include "sim/chip/chip.hpp"
#include "sim/chip/op_ends.hpp"
#include "sim/cost/cost_table.hpp"
#include "sim/cost/jitter.hpp"
#include "sim/kernel/sim_kernel.hpp"
#include "sim/types/chosen_run.hpp"
#include "sim/types/op_times.hpp"

namespace detent::sim {

/// One back end for every class. Ops of WORKERS classes keep their slot busy for their duration; ops of ASYNC classes
/// answer PENDING and complete through detent_complete on the interrupt thread. Durations are those of jitter.hpp.
class TimedBackend {
 public:
  /// @param times         [op_count], best <= worst
  /// @param with_kernels  false: kernels are only looked up by name; set_run(.., true) is not allowed then
  struct Options {
    Jitter jitter{};
    bool with_kernels = true;
    std::vector<detent_backend> kernels{};     ///< asked before the built-in ones
    Chip* chip = nullptr;                      ///< where ops execute; null: every op is alone
    const CostTable* costs = nullptr;          ///< measured quantiles, for empirical jitter
    OpEnds* ends = nullptr;                    ///< told of every answer; null: not wanted
    harness::FaultInjector* faults = nullptr;  ///< what goes wrong with ops; null: nothing
    OpId first_op = 0;                         ///< the chip's number of op 0
  };
  TimedBackend(SimKernel& kernel, const detent_desc& desc, const std::vector<OpTime>& times, const Options& options);
  TimedBackend(const TimedBackend&) = delete;
  TimedBackend& operator=(const TimedBackend&) = delete;

  /// The table; `self` is this object.
  [[nodiscard]] detent_backend backend();
  /// Seed of the runs from now on, and whether kernels execute in them.
  void set_run(std::uint64_t seed, bool execute) {
    seed_ = seed;
    execute_ = execute;
    chosen_ = nullptr;
    runs_ = nullptr;
  }
  /// In the run that set_run has begun, ops that this leaves out take no time, as where a guard does not hold.
  /// @param runs  [op_count], lives as long as the run
  void leave_out(const std::vector<bool>& runs) { runs_ = &runs; }
  /// The same with times and ties as chosen; `run` lives as long as the runs.
  void set_run(const ChosenRun& run, bool execute);
  /// Note when ops begin and end, from now on as if a run began at begin_ps; null: no more.
  void note_times(SeenTimes* seen, std::uint64_t begin_ps) {
    seen_ = seen;
    seen_from_ps_ = begin_ps;
  }
  /// What each op may take.
  [[nodiscard]] std::vector<OpTime> ranges() const;

 private:
  struct TimedOp {
    std::int32_t priority = 0;
    bool async = false;
  };
  static detent_status resolve(void* self, const char* name, detent_entity* entity);
  static detent_dispatch dispatch(void* self, detent_context* context, const detent_entity* entity,
                                  std::uint32_t worker, std::int32_t* code);
  static void complete(void* self, std::uint32_t op, std::int32_t code);
  [[nodiscard]] std::uint64_t duration_of(OpId op, SlotId worker) const {
    if (runs_ != nullptr && !(*runs_)[op]) return 0;
    return chosen_ != nullptr ? chosen_->times_ps[op] : durations_.sample_ps(op, worker, seed_);
  }
  [[nodiscard]] std::int32_t priority_of(OpId op) const {
    return chosen_ != nullptr ? chosen_priorities_[op] : ops_[op].priority;
  }
  void pass_time(OpId op, SlotId worker, std::uint64_t duration_ps, std::uint64_t delay_ps);
  detent_dispatch dispatch_with_faults(detent_context* context, const detent_entity& entity, SlotId worker,
                                       std::int32_t* code);

  SimKernel& kernel_;
  std::vector<TimedOp> ops_;
  Options options_;
  JitterSampler durations_;
  detent_backend kernels_;
  std::uint64_t seed_ = 0;
  bool execute_ = false;
  const ChosenRun* chosen_ = nullptr;  ///< null: times are drawn
  std::vector<std::int32_t> chosen_priorities_{};
  const std::vector<bool>* runs_ = nullptr;  ///< null: all ops take their times
  SeenTimes* seen_ = nullptr;
  std::uint64_t seen_from_ps_ = 0;
  detent_context* context_ = nullptr;  ///< of the op dispatched last: one context at a time
};

}  // namespace detent::sim
