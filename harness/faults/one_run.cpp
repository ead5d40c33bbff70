#include "harness/faults/one_run.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "harness/faults/devices.hpp"

namespace detent::harness {
namespace {

/// Calls of one device.
struct CallsOfRun {
  std::uint64_t before = 0;  ///< in runs that came earlier
  std::uint64_t count = 0;   ///< in the run
};

/// By device. Those that the run did not call have none.
std::vector<CallsOfRun> count_calls(const detent_desc& desc, const FaultRecord& record) {
  const std::vector<std::uint32_t> device_of_op = devices_of_ops(desc);
  std::vector<CallsOfRun> calls(desc.class_count);
  for (const FaultEvent& event : record.events) {
    if (event.kind != FaultEvent::Kind::kBegin || event.device_call == 0) continue;
    CallsOfRun& device = calls[device_of_op[event.op]];
    if (device.count == 0) device.before = event.device_call - 1;
    ++device.count;
  }
  return calls;
}

/// Counted from the run's begin. None: these calls are not of the run.
std::optional<Calls> calls_in_run(const Calls& calls, const CallsOfRun& run) {
  if (calls.first == 0) return calls;
  if (calls.first > run.before + run.count) return std::nullopt;
  if (calls.first > run.before) {
    return Calls{.first = static_cast<std::uint32_t>(calls.first - run.before), .onward = calls.onward};
  }
  if (calls.onward) return Calls{};
  return std::nullopt;
}

/// Of FailingDevice or LateDevice.
template <typename DeviceFault>
std::vector<DeviceFault> met_by_run(const std::vector<DeviceFault>& faults, const detent_desc& desc,
                                    const std::vector<CallsOfRun>& calls) {
  std::vector<DeviceFault> met;
  for (DeviceFault fault : faults) {
    const auto in_run = calls_in_run(fault.calls, calls[require_device(desc, fault.device)]);
    if (!in_run) continue;
    fault.calls = *in_run;
    const bool replaces = !met.empty() && met.back().device == fault.device && met.back().calls.first == in_run->first;
    if (replaces) met.pop_back();  // both are about every call of the run: the later one counts
    met.push_back(std::move(fault));
  }
  return met;
}

/// An op is called once in a run.
std::vector<FailingOp> met_by_run(const std::vector<FailingOp>& faults, const FaultRecord& record) {
  std::vector<FailingOp> met;
  for (FailingOp failing : faults) {
    const bool failed = std::ranges::any_of(record.events, [&](const FaultEvent& event) {
      return event.kind == FaultEvent::Kind::kEnd && event.op == failing.op && event.code == failing.code;
    });
    if (failing.calls.first != 0 && !failed) continue;
    failing.calls = {};
    if (!met.empty() && met.back().op == failing.op) met.pop_back();
    met.push_back(failing);
  }
  return met;
}

}  // namespace

Faults faults_of_one_run(Faults faults, const detent_desc& desc, const FaultRecord& record) {
  const std::vector<CallsOfRun> calls = count_calls(desc, record);
  faults.failing_ops = met_by_run(faults.failing_ops, record);
  faults.failing_devices = met_by_run(faults.failing_devices, desc, calls);
  faults.late_devices = met_by_run(faults.late_devices, desc, calls);
  return faults;
}

}  // namespace detent::harness
