// detent npu: cycles, stalls and memory accesses of layers on a systolic array.
#pragma once

#include <cstdint>
#include <string>

#include "app/answer/verdicts.hpp"
#include "sim/npu/timing.hpp"

namespace detent::app {

using sim::npu::WorkLimit;

/// One of gemm, conv, depthwise, elementwise and layers is given, each as --help describes it.
struct LayerRequest {
  Request request{};
  std::string gemm{}, conv{}, depthwise{}, elementwise{};  ///< lists of numbers: "64,64,256"
  std::string layers{};                                    ///< CSV file
  std::string array{}, dataflow = "os", bandwidth{}, buffers{};
  std::uint32_t word_bytes = 1, lanes = 0;
  bool private_ports = false;  ///< of the operands, which is the default
  bool shared_port = false;
};

/// Options of the other way to use the command: a network has the array and the ports of its platform, a layer is timed
/// without a platform.
/// @throws std::invalid_argument
void require_options_of(const LayerRequest& layer, const std::string& network, const std::string& platform,
                        bool private_ports);

/// @return  `detent.npu/1` and a table
/// @throws std::invalid_argument  names the option and what may stand there; WorkLimit  more work than the
///         model of the array takes on
Answer time_layers(const LayerRequest& options, const OnProgress& on_progress);

}  // namespace detent::app
