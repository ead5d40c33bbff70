// Which class of cores executes which op: what is allowed, what NNAPI's rules choose, and the steps that come of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/partition/devices.hpp"
#include "models/core/model.hpp"

namespace detent::app {

/// By op, the index of its device.
using Placement = std::vector<std::uint32_t>;

/// Devices that an op may be put on.
struct OpChoices {
  std::vector<std::uint32_t> devices{};  ///< ascending, never empty
  std::string reason{};                  ///< why it stays where it is; empty: its kernel alone decides
};

/// @param is_placed  by op: its class was given, and it keeps it. So do ops with a time of their own, which is that on
///                   their class, and with workers of their own
/// @throws std::invalid_argument  an op that no device executes, or whose class is none of the devices
std::vector<OpChoices> op_choices(const models::Model& model, const std::vector<PlacementDevice>& devices,
                                  const std::vector<bool>& is_placed);

/// Each op on the device with the best performance of those that execute it; ties go to the earliest, with the CPU to
/// the CPU. The choice is that of models/partition.
Placement nnapi_placement(const models::Model& model, const std::vector<PlacementDevice>& devices,
                          const std::vector<OpChoices>& choices);

/// Ops that one device executes at once, by NNAPI's rules.
struct PlacementStep {
  std::uint32_t device = 0;
  std::vector<std::uint32_t> ops{};  ///< in run order
};
/// Every op is in one step.
std::vector<PlacementStep> steps_of(const models::Model& model, const std::vector<PlacementDevice>& devices,
                                    const Placement& placement);

}  // namespace detent::app
