#include "harness/faults/injector.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace detent::harness {
namespace {

/// What the words about the op leave open. @return  false: nothing, or nothing goes wrong with this call of its device
bool add_fault_of_device(const DeviceCalls::Call& call, OpFault& fault) {
  const bool fails = call.code != 0 && fault.code == 0;
  const bool is_late = call.delay_ps != 0 && fault.delay_ps == 0;
  if (fails) fault.code = call.code;
  if (is_late) fault.delay_ps = call.delay_ps;
  return fails || is_late;
}

}  // namespace

FaultInjector::FaultInjector(const Faults& faults, const detent_desc& desc)
    : faults_(faults), calls_(desc.op_count), device_calls_(faults, desc) {}

void FaultInjector::begin_run(bool inject, std::uint64_t now_ps) {
  const std::lock_guard lock(mutex_);
  injects_ = inject;
  returned_ = false;
  begin_ps_ = now_ps;
  events_.clear();
}

OpFault FaultInjector::begin(detent_context* context, OpId op, std::uint64_t now_ps) {
  OpFault fault;
  bool cancels = false;
  {
    const std::lock_guard lock(mutex_);
    FaultEvent& event = note(FaultEvent::Kind::kBegin, op, 0, now_ps);
    if (!injects_ || returned_) return fault;  // given out before the run returned, begun after: it only comes late
    fault = fault_of(op, ++calls_[op]);
    const DeviceCalls::Call call = device_calls_.begin(op);
    event.device_call = call.number;
    event.is_device_fault = add_fault_of_device(call, fault);
    fault.watchdog_ps = faults_.watchdog_of(op);
    cancels = faults_.cancel_at == CancelAt{.moment = CancelAt::Moment::kOpBegin, .op = op};
    if (cancels) note(FaultEvent::Kind::kCancel, op, 0, now_ps);
  }
  if (cancels) detent_cancel(context);
  return fault;
}

void FaultInjector::end(detent_context* context, OpId op, std::int32_t code, std::uint64_t now_ps) {
  const std::lock_guard lock(mutex_);
  const bool cancels =
      injects_ && !returned_ && faults_.cancel_at == CancelAt{.moment = CancelAt::Moment::kOpEnd, .op = op};
  if (cancels) {
    note(FaultEvent::Kind::kCancel, op, 0, now_ps);
    detent_cancel(context);
  }
  note(FaultEvent::Kind::kEnd, op, code, now_ps);
}

void FaultInjector::cancel_now(detent_context* context, std::uint64_t now_ps) {
  const std::lock_guard lock(mutex_);
  if (!injects_ || returned_) return;
  note(FaultEvent::Kind::kCancel, DETENT_NONE, 0, now_ps);
  detent_cancel(context);
}

void FaultInjector::answer(detent_context* context, OpId op, std::int32_t code) {
  const bool twice = [&] {
    const std::lock_guard lock(mutex_);
    return injects_ && std::ranges::binary_search(faults_.answered_twice, op);
  }();
  static_cast<void>(detent_complete(context, op, code));
  if (!twice) return;
  const bool accepted = detent_complete(context, op, code) == DETENT_OK;
  const std::lock_guard lock(mutex_);
  ++second_answers_;
  if (accepted) ++accepted_second_;
}

void FaultInjector::keep_back(detent_context* context, OpId op, std::int32_t code, std::uint64_t due_ps) {
  const std::lock_guard lock(mutex_);
  kept_.push_back({context, op, code, due_ps});
}

std::uint64_t FaultInjector::next_due_ps() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t due_ps = UINT64_MAX;
  for (const Kept& kept : kept_) due_ps = std::min(due_ps, kept.due_ps);
  return due_ps;
}

void FaultInjector::expire(std::uint64_t now_ps) {
  std::vector<Kept> due;
  {
    const std::lock_guard lock(mutex_);
    const auto is_due = [now_ps](const Kept& kept) { return kept.due_ps <= now_ps; };
    std::ranges::copy_if(kept_, std::back_inserter(due), is_due);
    std::erase_if(kept_, is_due);
  }
  std::ranges::stable_sort(due, [](const Kept& a, const Kept& b) { return a.due_ps < b.due_ps; });
  give(due, now_ps);
}

void FaultInjector::release(std::uint64_t now_ps) {
  std::vector<Kept> left;
  {
    const std::lock_guard lock(mutex_);
    left = std::exchange(kept_, {});
  }
  give(left, now_ps);
}

FaultRecord FaultInjector::finish(const detent_result& result, std::uint64_t now_ps) {
  const std::lock_guard lock(mutex_);
  returned_ = true;
  return {.error = result.error,
          .events = events_,
          .returned_ps = now_ps - std::min(now_ps, begin_ps_),
          .said_in_flight = result.ops_in_flight,
          .second_answers = second_answers_,
          .accepted_second = accepted_second_};
}

RunAgain FaultInjector::finish_again(detent_status status) const {
  const std::lock_guard lock(mutex_);
  struct Op {
    std::uint32_t begins = 0, ends = 0;
    std::uint64_t begin_ps = 0, end_ps = UINT64_MAX;
  };
  std::vector<Op> ops(calls_.size());
  for (const FaultEvent& event : events_) {
    Op& op = ops[event.op];
    const bool begins = event.kind == FaultEvent::Kind::kBegin;
    ++(begins ? op.begins : op.ends);
    (begins ? op.begin_ps : op.end_ps) = event.time_ps;
  }
  RunAgain again{.status = status};
  for (const Op& op : ops) {
    again.ops_ended += op.begins == 1 && op.ends == 1 ? 1 : 0;
    if (op.begins != 0) again.longest_ps = std::max(again.longest_ps, op.end_ps - op.begin_ps);
  }
  return again;
}

/// Under mutex_.
FaultEvent& FaultInjector::note(FaultEvent::Kind kind, OpId op, std::int32_t code, std::uint64_t now_ps) {
  return events_.emplace_back(
      FaultEvent{.kind = kind, .op = op, .code = code, .time_ps = now_ps - std::min(now_ps, begin_ps_)});
}

OpFault FaultInjector::fault_of(OpId op, std::uint32_t call) const {
  OpFault fault;
  for (const FailingOp& failing : faults_.failing_ops) {
    if (failing.op == op && failing.calls.include(call)) fault.code = failing.code;
  }
  for (const LateOp& late : faults_.late_ops) {
    if (late.op == op) fault.delay_ps = late.delay_ps;
  }
  fault.twice = std::ranges::binary_search(faults_.answered_twice, op);
  return fault;
}

void FaultInjector::give(const std::vector<Kept>& answers, std::uint64_t now_ps) {
  for (const Kept& kept : answers) {
    end(kept.context, kept.op, kept.code, now_ps);
    answer(kept.context, kept.op, kept.code);
  }
}

std::vector<std::uint32_t> FaultRecord::in_flight() const {
  std::vector<std::uint32_t> ops;
  for (const FaultEvent& event : events) {
    if (event.kind == FaultEvent::Kind::kBegin) ops.push_back(event.op);
    if (event.kind != FaultEvent::Kind::kEnd) continue;
    const auto begun = std::ranges::find(ops, event.op);
    if (begun != ops.end()) ops.erase(begun);
  }
  std::ranges::sort(ops);
  return ops;
}

std::vector<FaultEvent> FaultRecord::device_faults() const {
  std::vector<FaultEvent> faults;
  std::ranges::copy_if(events, std::back_inserter(faults), &FaultEvent::is_device_fault);
  return faults;
}

std::vector<std::uint32_t> FaultRecord::began() const {
  std::vector<std::uint32_t> ops;
  for (const FaultEvent& event : events) {
    if (event.kind == FaultEvent::Kind::kBegin) ops.push_back(event.op);
  }
  return ops;
}

}  // namespace detent::harness
