// YOLOv8n's convolutions, in execution order.
#include "bench/kernels/yolov8n.hpp"

#include <utility>

namespace detent::bench {
namespace {

class Layers {
 public:
  void conv(const std::string& name, std::int32_t in, std::int32_t out, std::int32_t size, std::int32_t kernel,
            std::int32_t stride, bool residual = false, std::int32_t activation = DETENT_ACT_SILU) {
    ConvLayer layer;
    layer.name = name;
    detent_conv2d_config& c = layer.config;
    c.in_channels = in;
    c.in_h = c.in_w = size * stride;
    c.out_channels = out;
    c.out_h = c.out_w = size;
    c.kernel_h = c.kernel_w = kernel;
    c.stride_h = c.stride_w = stride;
    c.dilation_h = c.dilation_w = 1;
    c.pad_top = c.pad_left = kernel / 2;
    c.groups = 1;
    c.activation = activation;
    c.row_end = size;
    c.has_residual = residual ? 1 : 0;
    layers_.push_back(std::move(layer));
  }

  // C2f: 1x1, `count` bottlenecks on one half, 1x1 over all parts.
  void c2f(const std::string& name, std::int32_t in, std::int32_t out, std::int32_t size, std::int32_t count,
           bool residual) {
    const std::int32_t half = out / 2;
    conv(name + ".cv1", in, out, size, 1, 1);
    for (std::int32_t i = 0; i < count; ++i) {
      conv(name + ".m" + std::to_string(i) + ".cv1", half, half, size, 3, 1);
      conv(name + ".m" + std::to_string(i) + ".cv2", half, half, size, 3, 1, residual);
    }
    conv(name + ".cv2", (2 + count) * half, out, size, 1, 1);
  }

  void detect(const std::string& name, std::int32_t in, std::int32_t out, std::int32_t size) {
    conv(name + ".0", in, out, size, 3, 1);
    conv(name + ".1", out, out, size, 3, 1);
    conv(name + ".2", out, out, size, 1, 1, false, DETENT_ACT_NONE);
  }

  std::vector<ConvLayer> take() { return std::move(layers_); }
  ConvLayer& last() { return layers_.back(); }

 private:
  std::vector<ConvLayer> layers_;
};

}  // namespace

double ConvLayer::flops() const {
  return 2.0 * config.out_h * config.out_w * config.out_channels * (config.in_channels / config.groups) *
         config.kernel_h * config.kernel_w;
}

std::vector<ConvLayer> yolov8n_convolutions(std::int32_t size) {
  Layers layers;
  layers.conv("0.conv", 3, 16, size / 2, 3, 2);
  layers.last().plain_input = true;
  layers.conv("1.conv", 16, 32, size / 4, 3, 2);
  layers.c2f("2.c2f", 32, 32, size / 4, 1, true);
  layers.conv("3.conv", 32, 64, size / 8, 3, 2);
  layers.c2f("4.c2f", 64, 64, size / 8, 2, true);
  layers.conv("5.conv", 64, 128, size / 16, 3, 2);
  layers.c2f("6.c2f", 128, 128, size / 16, 2, true);
  layers.conv("7.conv", 128, 256, size / 32, 3, 2);
  layers.c2f("8.c2f", 256, 256, size / 32, 1, true);
  layers.conv("9.sppf.cv1", 256, 128, size / 32, 1, 1);
  layers.conv("9.sppf.cv2", 512, 256, size / 32, 1, 1);
  layers.c2f("12.c2f", 384, 128, size / 16, 1, false);
  layers.c2f("15.c2f", 192, 64, size / 8, 1, false);
  layers.conv("16.conv", 64, 64, size / 16, 3, 2);
  layers.c2f("18.c2f", 192, 128, size / 16, 1, false);
  layers.conv("19.conv", 128, 128, size / 32, 3, 2);
  layers.c2f("21.c2f", 384, 256, size / 32, 1, false);
  const std::pair<std::int32_t, std::int32_t> scales[] = {{64, 8}, {128, 16}, {256, 32}};
  for (const auto& [channels, stride] : scales) {
    const std::string name = "22.detect.s" + std::to_string(stride);
    layers.detect(name + ".box", channels, 64, size / stride);
    layers.detect(name + ".class", channels, 80, size / stride);
  }
  layers.conv("22.dfl", 16, 1, 1, 1, 1, false, DETENT_ACT_NONE);
  detent_conv2d_config& dfl = layers.last().config;
  dfl.in_h = dfl.out_h = dfl.row_end = 4;
  dfl.in_w = dfl.out_w = size / 8 * (size / 8) + size / 16 * (size / 16) + size / 32 * (size / 32);
  return layers.take();
}

double yolov8n_gflop() {
  double flops = 0.0;
  for (const ConvLayer& layer : yolov8n_convolutions(640)) flops += layer.flops();
  return flops * 1e-9;
}

}  // namespace detent::bench
