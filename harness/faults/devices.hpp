// Devices, the classes of cores of a Desc: their names, and which of their faults each of their calls meets.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <detent/desc.h>

#include "base/ids.hpp"
#include "harness/faults/faults.hpp"

namespace detent::harness {

/// Index of the first class of this name.
/// @throws std::invalid_argument  the Desc has none, says which it has; a name that no fault can have (is_device_name)
std::uint32_t require_device(const detent_desc& desc, const std::string& device);

/// By op: index of its device, which is the first class that has the name of the op's class.
std::vector<std::uint32_t> devices_of_ops(const detent_desc& desc);

/// Counts the calls of every device. One thread at a time.
class DeviceCalls {
 public:
  /// @throws std::invalid_argument  as require_device
  DeviceCalls(const Faults& faults, const detent_desc& desc);

  /// What the words about a device make of one of its calls.
  struct Call {
    std::uint64_t number = 0;    ///< from 1
    std::int32_t code = 0;       ///< not 0: it fails
    std::uint64_t delay_ps = 0;  ///< LateOp::kNever: it hangs
  };
  /// `op` is dispatched: the next call of its device.
  Call begin(OpId op);

 private:
  struct Fault {
    std::uint32_t device = 0;
    Calls calls{};
    std::int32_t code = 0;
    std::uint64_t delay_ps = 0;
  };
  std::vector<Fault> faults_;  // those that count before others are last
  std::vector<std::uint32_t> device_of_op_;
  std::vector<std::uint64_t> calls_;  // by device
};

}  // namespace detent::harness
