// detent npu: layers, or a network, on a systolic array.
#pragma once

#include <string>

#include "app/npu/layers.hpp"

namespace detent::app {

/// Layers as LayerRequest has them, or a network.
struct NpuRequest : LayerRequest {
  std::string network{};   ///< MODEL instead of layers
  std::string platform{};  ///< the chip that it goes to; as map_model_onto_npu
};

/// time_layers or map_model_onto_npu, whichever is asked for.
/// @throws std::invalid_argument, WorkLimit  as these; nothing is to be timed, or more than one thing
Answer answer_npu(const NpuRequest& wanted, const OnProgress& on_progress);

}  // namespace detent::app
