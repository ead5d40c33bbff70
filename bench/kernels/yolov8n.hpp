// The convolutions of YOLOv8n, as shapes: published architecture, depth 0.33, width 0.25, 80 classes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <detent/op_config.h>

namespace detent::bench {

/// One convolution with fused bias, activation and residual.
struct ConvLayer {
  std::string name;
  detent_conv2d_config config{};
  bool plain_input = false;  ///< the image

  [[nodiscard]] double flops() const;  ///< two per multiply-add, padding included
};

/// The 63 convolutions and the one of the box decoder (DFL), in execution order.
/// @param size  of the square image, a multiple of 32
std::vector<ConvLayer> yolov8n_convolutions(std::int32_t size);

/// Work of those convolutions at 640x640, GFLOP: 8.74.
double yolov8n_gflop();

}  // namespace detent::bench
