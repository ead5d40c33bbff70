#include "properties/faults.hpp"

#include <rapidcheck.h>

#include <algorithm>

#include "verify/runs/fault_response.hpp"

namespace detent::laws {
namespace {

using harness::Calls;
using harness::CancelAt;
using harness::FailingOp;
using harness::Faults;
using harness::LateOp;

constexpr std::uint64_t kMostPs = 300;    // a few ops of the random graphs
constexpr const char* kDevice = "cpu";    // a class of every graph, however small
constexpr std::uint32_t kMostCalls = 12;  // of a device: of few runs

bool has_op(const std::vector<LateOp>& ops, std::uint32_t op) {
  return std::ranges::any_of(ops, [op](const LateOp& late) { return late.op == op; });
}

bool hangs(const Faults& faults) {
  const auto never_ends = [](const auto& late) { return late.delay_ps == LateOp::kNever; };
  return std::ranges::any_of(faults.late_ops, never_ends) || std::ranges::any_of(faults.late_devices, never_ends);
}

/// Call `change` for each way to make one number of `calls` smaller. @param calls_of  finds them in other Faults
template <typename Change, typename CallsOf>
void shrink_calls(const Calls& calls, const Change& change, const CallsOf& calls_of) {
  if (calls.onward) change([&](Faults& f) { calls_of(f).onward = false; });
  if (calls.first > 1) change([&](Faults& f) { calls_of(f).first /= 2; });
}

template <typename Item>
void erase_at(std::vector<Item>& items, std::size_t i) {
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(i));
}

/// The same of delays.
template <typename Change, typename DelayOf>
void shrink_delay(std::uint64_t delay_ps, const Change& change, const DelayOf& delay_of) {
  if (delay_ps == LateOp::kNever || delay_ps == 1) return;
  change([&](Faults& f) { delay_of(f) = (delay_of(f) + 1) / 2; });
}

}  // namespace

harness::Faults draw_faults(const std::function<std::uint32_t(std::uint64_t n)>& below, std::uint32_t op_count,
                            bool moments) {
  Faults faults;
  const auto one_in = [&below](std::uint32_t n) { return below(n) == 0; };
  if (one_in(2)) faults.failing_ops.push_back({.op = below(op_count), .code = static_cast<std::int32_t>(1 + below(9))});
  for (std::uint32_t more = below(3); more > 0; --more) {
    const LateOp late{below(op_count), one_in(2) ? LateOp::kNever : 1 + below(kMostPs)};
    if (!has_op(faults.late_ops, late.op)) faults.late_ops.push_back(late);
  }
  std::ranges::sort(faults.late_ops, {}, &LateOp::op);
  const auto calls = [&] {
    const std::uint32_t first = below(kMostCalls);
    return Calls{.first = first, .onward = first != 0 && one_in(2)};
  };
  if (one_in(6)) {
    const auto code = static_cast<std::int32_t>(1 + below(9));
    faults.failing_devices.push_back({.device = kDevice, .calls = calls(), .code = code});
  }
  if (one_in(6)) {
    const std::uint64_t delay_ps = one_in(2) ? LateOp::kNever : 1 + below(kMostPs);
    faults.late_devices.push_back({.device = kDevice, .calls = calls(), .delay_ps = delay_ps});
  }
  if (one_in(3)) {
    const auto moment = static_cast<CancelAt::Moment>(below(moments ? 3 : 2));
    const bool at_time = moment == CancelAt::Moment::kTime;
    faults.cancel_at = {
        .moment = moment, .op = at_time ? 0 : below(op_count), .time_ps = at_time ? 1 + below(kMostPs) : 0};
  }
  if (one_in(4)) faults.answered_twice.push_back(below(op_count));
  if (one_in(12)) faults.failing_start = 1 + below(3);
  if (hangs(faults) || (one_in(3) && (moments || faults.has_late()))) faults.op_deadline_ps = 1 + below(kMostPs);
  if (!faults.injects()) faults.failing_ops.push_back({.op = below(op_count)});
  return faults;
}

harness::Faults faults_without_ops(harness::Faults faults, std::uint32_t first, std::uint32_t count) {
  if (!faults.injects()) return faults;
  const auto is_gone = [=](std::uint32_t op) { return op >= first && op < first + count; };
  const auto moved = [=](std::uint32_t op) { return op - (op >= first + count ? count : 0); };
  std::erase_if(faults.failing_ops, [&](const FailingOp& failing) { return is_gone(failing.op); });
  std::erase_if(faults.late_ops, [&](const LateOp& late) { return is_gone(late.op); });
  std::erase_if(faults.answered_twice, is_gone);
  for (FailingOp& failing : faults.failing_ops) failing.op = moved(failing.op);
  for (LateOp& late : faults.late_ops) late.op = moved(late.op);
  for (std::uint32_t& op : faults.answered_twice) op = moved(op);
  if (faults.cancel_at && faults.cancel_at->moment != CancelAt::Moment::kTime) {
    if (is_gone(faults.cancel_at->op)) faults.cancel_at.reset();
    if (faults.cancel_at) faults.cancel_at->op = moved(faults.cancel_at->op);
  }
  if (!faults.injects()) faults.failing_ops.push_back({.op = 0});
  return faults;
}

std::vector<harness::Faults> smaller_faults(const harness::Faults& faults) {
  std::vector<Faults> smaller;
  const auto keep = [&](const Faults& candidate) {
    const bool ends = !hangs(candidate) || candidate.op_deadline_ps != 0;
    if (candidate.injects() && ends && candidate != faults) smaller.push_back(candidate);
  };
  const auto change = [&](const auto& edit) {
    Faults candidate = faults;
    edit(candidate);
    keep(candidate);
  };
  if (!faults.injects()) return smaller;
  for (std::size_t i = 0; i < faults.failing_ops.size(); ++i) {
    change([i](Faults& f) { erase_at(f.failing_ops, i); });
    change([i](Faults& f) { f.failing_ops[i].code = 1; });
  }
  for (std::size_t i = 0; i < faults.late_ops.size(); ++i) {
    change([i](Faults& f) { erase_at(f.late_ops, i); });
    shrink_delay(faults.late_ops[i].delay_ps, change,
                 [i](Faults& f) -> std::uint64_t& { return f.late_ops[i].delay_ps; });
  }
  for (std::size_t i = 0; i < faults.failing_devices.size(); ++i) {
    change([i](Faults& f) { erase_at(f.failing_devices, i); });
    change([i](Faults& f) { f.failing_devices[i].code = 1; });
    shrink_calls(faults.failing_devices[i].calls, change,
                 [i](Faults& f) -> Calls& { return f.failing_devices[i].calls; });
  }
  for (std::size_t i = 0; i < faults.late_devices.size(); ++i) {
    change([i](Faults& f) { erase_at(f.late_devices, i); });
    shrink_calls(faults.late_devices[i].calls, change, [i](Faults& f) -> Calls& { return f.late_devices[i].calls; });
    shrink_delay(faults.late_devices[i].delay_ps, change,
                 [i](Faults& f) -> std::uint64_t& { return f.late_devices[i].delay_ps; });
  }
  change([](Faults& f) { f.answered_twice.clear(); });
  change([](Faults& f) { f.cancel_at.reset(); });
  change([](Faults& f) { f.failing_start = 0; });
  change([](Faults& f) { f.op_deadline_ps = 0; });
  change([](Faults& f) { f.op_deadline_ps = (f.op_deadline_ps + 1) / 2; });
  if (faults.cancel_at && faults.cancel_at->time_ps > 1) change([](Faults& f) { f.cancel_at->time_ps /= 2; });
  return smaller;
}

void assert_prefix_of_an_order(const detent_desc& desc, const std::vector<std::uint32_t>& began) {
  std::vector<bool> done(desc.op_count);
  std::vector<std::uint32_t> waits(desc.op_count);
  for (std::uint32_t op = 0; op < desc.op_count; ++op) waits[op] = desc.ops[op].entry_count;
  for (const std::uint32_t op : began) {
    RC_ASSERT(!done[op]);
    RC_ASSERT(waits[op] == 0U);
    done[op] = true;
    const detent_slice next = desc.ops[op].successors;
    for (std::uint32_t k = next.first; k < next.first + next.count; ++k) --waits[desc.successors[k]];
  }
}

void assert_stopped_after_fault(const detent_desc& desc, const std::vector<std::uint32_t>& began,
                                std::uint32_t faulty_op) {
  assert_prefix_of_an_order(desc, began);
  RC_ASSERT(std::count(began.begin(), began.end(), faulty_op) == 1);
  const detent_slice next = desc.ops[faulty_op].successors;
  for (std::uint32_t k = next.first; k < next.first + next.count; ++k) {
    RC_ASSERT(std::find(began.begin(), began.end(), desc.successors[k]) == began.end());
  }
}

void DeviceAccount::assert_failed(const harness::FaultRecord& record) {
  std::vector<std::uint32_t> failing;
  for (const std::uint32_t op : record.began()) {
    if (fault_.device != desc_.classes[desc_.ops[op].core_class].name) continue;
    ++calls_;
    const Calls& named = fault_.calls;
    if (named.first == 0 || named.first == calls_ || (named.onward && named.first < calls_)) failing.push_back(op);
  }
  std::vector<std::uint32_t> failed, said;
  for (const harness::FaultEvent& event : record.events) {
    if (event.kind == harness::FaultEvent::Kind::kEnd && event.code != 0) {
      RC_ASSERT(event.code == fault_.code);
      failed.push_back(event.op);
    }
  }
  for (const harness::FaultEvent& event : record.device_faults()) said.push_back(event.op);
  RC_ASSERT(said == failing);
  std::ranges::sort(failed);
  std::ranges::sort(failing);
  RC_ASSERT(failed == failing);
  RC_ASSERT((record.error.status == DETENT_KERNEL_FAILED) == !failing.empty());
  if (failing.empty()) return;
  RC_ASSERT(std::ranges::binary_search(failing, record.error.op));
  RC_ASSERT(record.error.code == fault_.code);
}

void assert_answered(const detent_desc& desc, const harness::Faults& faults, const harness::FaultRecord& record,
                     std::uint64_t digest) {
  const verify::Verdict verdict = verify::check_fault_response(desc, faults, record, digest);
  if (verdict.outcome != verify::Outcome::kViolated) return;
  RC_FAIL(verdict.summary + "; " + verdict.witnesses.front().text);
}

}  // namespace detent::laws
