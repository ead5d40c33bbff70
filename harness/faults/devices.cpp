#include "harness/faults/devices.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace detent::harness {
namespace {

std::optional<std::uint32_t> find_device(const detent_desc& desc, const std::string& device) {
  for (std::uint32_t i = 0; i < desc.class_count; ++i) {
    if (desc.classes[i].name != nullptr && device == desc.classes[i].name) return i;
  }
  return std::nullopt;
}

/// Names may be missing: the Desc has not been bound yet.
std::string name_of(const detent_desc& desc, std::uint32_t core_class) {
  const char* const name = desc.classes[core_class].name;
  return name != nullptr ? name : "";
}

std::string names_of_classes(const detent_desc& desc) {
  std::string names;
  for (std::uint32_t i = 0; i < desc.class_count; ++i) names += (i == 0 ? "" : ", ") + name_of(desc, i);
  return names;
}

}  // namespace

std::uint32_t require_device(const detent_desc& desc, const std::string& device) {
  if (!is_device_name(device)) {
    throw std::invalid_argument("device \"" + device +
                                "\": faults name classes of letters, digits, '_' and '-' only; rename the class");
  }
  if (const auto found = find_device(desc, device)) return *found;
  throw std::invalid_argument("device " + device + ": the model has the classes " + names_of_classes(desc));
}

std::vector<std::uint32_t> devices_of_ops(const detent_desc& desc) {
  std::vector<std::uint32_t> first_of_name;
  for (std::uint32_t i = 0; i < desc.class_count; ++i) {
    first_of_name.push_back(find_device(desc, name_of(desc, i)).value_or(i));
  }
  std::vector<std::uint32_t> devices;
  for (OpId op = 0; op < desc.op_count; ++op) {
    const std::uint32_t core_class = desc.ops[op].core_class;
    devices.push_back(core_class < desc.class_count ? first_of_name[core_class] : 0);  // a Desc that will not bind
  }
  return devices;
}

DeviceCalls::DeviceCalls(const Faults& faults, const detent_desc& desc)
    : device_of_op_(devices_of_ops(desc)), calls_(desc.class_count) {
  for (const FailingDevice& failing : faults.failing_devices) {
    faults_.push_back({.device = require_device(desc, failing.device), .calls = failing.calls, .code = failing.code});
  }
  for (const LateDevice& late : faults.late_devices) {
    faults_.push_back({.device = require_device(desc, late.device), .calls = late.calls, .delay_ps = late.delay_ps});
  }
}

DeviceCalls::Call DeviceCalls::begin(OpId op) {
  const std::uint32_t device = device_of_op_[op];
  Call call{.number = ++calls_[device]};
  for (const Fault& fault : faults_) {
    if (fault.device != device || !fault.calls.include(call.number)) continue;
    if (fault.code != 0) call.code = fault.code;
    if (fault.delay_ps != 0) call.delay_ps = fault.delay_ps;
  }
  return call;
}

}  // namespace detent::harness
