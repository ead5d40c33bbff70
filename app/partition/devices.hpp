// The classes of cores of a platform as a partitioner sees them: what each can execute, and how fast it is.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/platform/platform.hpp"

namespace detent::app {

/// A class of cores that ops may be put on.
struct PlacementDevice {
  std::string name{};
  std::vector<std::string> kernels{};  ///< that it executes, patterns as in settings files
  double performance = 1;              ///< time of an op relative to the first class, from the rates of the platform

  [[nodiscard]] bool executes(const std::string& kernel) const;
};

/// Those of a platform, in its order. NPUs and GPUs (accelerator_of) execute convolutions and matrix products, or what
/// `abilities` says; every other class is one of CPUs, which execute every kernel unless `abilities` says otherwise.
/// @param names      "cpu,npu": only these; empty: all
/// @param abilities  "npu=conv2d_f32,gemm*" each
/// @throws std::invalid_argument  a class that the platform does not have, or twice; an ability that is none
std::vector<PlacementDevice> placement_devices(const sim::Platform& platform, const std::string& names,
                                               const std::vector<std::string>& abilities);

}  // namespace detent::app
