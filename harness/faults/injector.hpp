// FaultInjector: Faults -> what to do with each op as it is dispatched, and a record of what happened.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "base/ids.hpp"
#include "harness/faults/devices.hpp"
#include "harness/faults/faults.hpp"
#include "harness/faults/record.hpp"

namespace detent::harness {

/// What goes wrong with one op.
struct OpFault {
  std::int32_t code = 0;          ///< not 0: the kernel is not called, this is its code
  std::uint64_t delay_ps = 0;     ///< LateOp::kNever: it hangs
  bool twice = false;             ///< its end is reported twice
  std::uint64_t watchdog_ps = 0;  ///< so long after its begin it is given up; 0: never

  /// Where the watchdog comes before the answer of an op that takes `duration_ps`: the op fails, and when.
  /// @return  it does
  bool give_up(std::uint64_t duration_ps) {
    const bool answers_in_time = duration_ps <= watchdog_ps && delay_ps <= watchdog_ps - duration_ps;
    if (watchdog_ps == 0 || answers_in_time) return false;
    code = kGivenUpCode;
    delay_ps = watchdog_ps;
    return true;
  }
};

/// One context's faults. Back ends of every world call it; any thread.
///
/// An op whose answer is kept back (it is late where nothing takes time, or hangs) is with its back end, as a device
/// that does not answer: dispatch has returned PENDING.
class FaultInjector {
 public:
  /// @param desc  need not outlive this
  /// @throws std::invalid_argument  a device that the Desc does not have
  FaultInjector(const Faults& faults, const detent_desc& desc);
  FaultInjector(const FaultInjector&) = delete;
  FaultInjector& operator=(const FaultInjector&) = delete;

  /// A run begins. @param inject  false: nothing goes wrong in it, but it is recorded
  void begin_run(bool inject, std::uint64_t now_ps);
  /// An op is dispatched: record it, cancel the run if this is the moment, and say what goes wrong with the op.
  OpFault begin(detent_context* context, OpId op, std::uint64_t now_ps);
  /// It has computed, and the engine will be told `code`.
  void end(detent_context* context, OpId op, std::int32_t code, std::uint64_t now_ps);
  /// The moment in time at which the run is cancelled has come. Nothing once the run has returned.
  void cancel_now(detent_context* context, std::uint64_t now_ps);
  /// detent_complete, and a second time where the op answers twice. After end().
  void answer(detent_context* context, OpId op, std::int32_t code);

  /// Keep the answer of an op back until `due_ps` (UINT64_MAX: until release).
  void keep_back(detent_context* context, OpId op, std::int32_t code, std::uint64_t due_ps);
  /// When the next answer that was kept back is due; UINT64_MAX: none is.
  [[nodiscard]] std::uint64_t next_due_ps() const;
  /// Give the answers that are due.
  void expire(std::uint64_t now_ps);
  /// The run has returned: give every answer that was kept back, so that the context can be reset.
  void release(std::uint64_t now_ps);

  /// The run has returned: what happened until now.
  FaultRecord finish(const detent_result& result, std::uint64_t now_ps);
  /// The run in which nothing went wrong has returned.
  [[nodiscard]] RunAgain finish_again(detent_status status) const;

 private:
  struct Kept {
    detent_context* context = nullptr;
    OpId op = 0;
    std::int32_t code = 0;
    std::uint64_t due_ps = 0;
  };
  FaultEvent& note(FaultEvent::Kind kind, OpId op, std::int32_t code, std::uint64_t now_ps);
  OpFault fault_of(OpId op, std::uint32_t call) const;
  void give(const std::vector<Kept>& answers, std::uint64_t now_ps);

  const Faults faults_;
  mutable std::mutex mutex_;  // guards all below
  bool injects_ = false;
  bool returned_ = false;
  std::uint64_t begin_ps_ = 0;
  std::vector<std::uint32_t> calls_;  // by op, over the runs in which faults are injected
  DeviceCalls device_calls_;          // over the same runs
  std::vector<FaultEvent> events_;
  std::vector<Kept> kept_;
  std::uint32_t second_answers_ = 0, accepted_second_ = 0;
};

}  // namespace detent::harness
