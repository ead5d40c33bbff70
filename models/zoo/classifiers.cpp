// ResNet-18 (He et al. 2016) and MobileNetV2 (Sandler et al. 2018) as torchvision builds them, batch norms folded,
// in F32 and in int8.
// Input [1,3,S,S]; output [1,1000]: class probabilities.
#include <algorithm>
#include <string>

#include "base/input_error.hpp"
#include "models/builder/builder.hpp"
#include "models/builder/concat.hpp"
#include "models/builder/elementwise.hpp"
#include "models/builder/layers.hpp"
#include "models/zoo/entries.hpp"
#include "models/zoo/layer_sets.hpp"

namespace detent::models::zoo_entries {
namespace {

constexpr std::int32_t kImageNetClasses = 1000;

std::int32_t image_size(const std::string& name, const ZooParameters& parameters) {
  if (parameters[0] < 32 || parameters[0] > 4096) throw InputError(name, "size", "must lie between 32 and 4096");
  return static_cast<std::int32_t>(parameters[0]);
}

// Global average, fully connected layer, softmax.
template <typename Layers>
Model classify(Builder& b, Layers& layers, const typename Layers::Value& x) {
  const auto logits = layers.gemm("fc", layers.global_avg_pool("avgpool", x), kImageNetClasses);
  b.output(softmax(b, "softmax", layers.floats("fc", logits)));
  return b.finish();
}

// Two 3x3 convolutions beside a shortcut, added before the ReLU.
template <typename Layers>
typename Layers::Value basic_block(Layers& layers, const std::string& name, const typename Layers::Value& x,
                                   std::int32_t channels, std::int32_t stride) {
  const auto inner = layers.conv(
      name + ".conv1", x, {.out_channels = channels, .kernel = 3, .stride = stride, .activation = DETENT_ACT_RELU});
  const auto y = layers.conv(name + ".conv2", inner, {.out_channels = channels, .kernel = 3, .gain = 0.6F});
  const bool same = stride == 1 && layers.channel_count(x) == channels;
  const auto shortcut =
      same ? x : layers.conv(name + ".downsample", x, {.out_channels = channels, .stride = stride, .pad = 0});
  return layers.add(name + ".add", y, shortcut, DETENT_ACT_RELU);
}

// Expansion, depthwise convolution, linear projection; the input is added where the shapes agree.
template <typename Layers>
typename Layers::Value inverted_residual(Layers& layers, const std::string& name, const typename Layers::Value& x,
                                         std::int32_t expand, std::int32_t channels, std::int32_t stride) {
  const std::int32_t in = layers.channel_count(x);
  const std::int32_t hidden = in * expand;
  auto y = x;
  if (expand != 1) y = layers.conv(name + ".expand", y, {.out_channels = hidden, .activation = DETENT_ACT_RELU6});
  y = layers.conv(
      name + ".depthwise", y,
      {.out_channels = hidden, .kernel = 3, .stride = stride, .groups = hidden, .activation = DETENT_ACT_RELU6});
  const bool same = stride == 1 && in == channels;
  if (!same) return layers.conv(name + ".project", y, {.out_channels = channels, .gain = 1.0F});
  return layers.conv_plus(name + ".project", y, {.out_channels = channels, .gain = 0.5F}, x);
}

template <typename Layers>
Model build_resnet18(const std::string& name, const ZooParameters& parameters) {
  const std::int32_t size = image_size(name, parameters);
  Builder b(name);
  Layers layers(b);
  auto x = layers.conv("conv1", layers.image("image", size),
                       {.out_channels = 64, .kernel = 7, .stride = 2, .activation = DETENT_ACT_RELU});
  x = layers.max_pool("maxpool", x, {.kernel = 3, .stride = 2, .pad = 1});
  std::int32_t channels = 64;
  for (int stage = 1; stage <= 4; ++stage, channels *= 2) {
    const std::string place = "layer" + std::to_string(stage);
    x = basic_block(layers, place + ".0", x, channels, stage == 1 ? 1 : 2);
    x = basic_block(layers, place + ".1", x, channels, 1);
  }
  return classify(b, layers, x);
}

template <typename Layers>
Model build_mobilenetv2(const std::string& network, const ZooParameters& parameters) {
  const std::int32_t size = image_size(network, parameters);
  struct Stage {
    std::int32_t expand, channels, count, stride;
  };
  constexpr Stage kStages[] = {{1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2}, {6, 64, 4, 2},
                               {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};
  Builder b(network);
  Layers layers(b);
  auto x = layers.conv("features.0", layers.image("image", size),
                       {.out_channels = 32, .kernel = 3, .stride = 2, .activation = DETENT_ACT_RELU6});
  int index = 1;
  for (const Stage& stage : kStages) {
    for (std::int32_t i = 0; i < stage.count; ++i, ++index) {
      const std::string name = "features." + std::to_string(index);
      x = inverted_residual(layers, name, x, stage.expand, stage.channels, i == 0 ? stage.stride : 1);
    }
  }
  x = layers.conv("features.18", x, {.out_channels = 1280, .activation = DETENT_ACT_RELU6});
  return classify(b, layers, x);
}

}  // namespace

Model resnet18(const ZooParameters& parameters) { return build_resnet18<FloatLayers>("resnet18", parameters); }

Model resnet18_int8(const ZooParameters& parameters) { return build_resnet18<Int8Layers>("resnet18_int8", parameters); }

Model mobilenetv2(const ZooParameters& parameters) { return build_mobilenetv2<FloatLayers>("mobilenetv2", parameters); }

Model mobilenetv2_int8(const ZooParameters& parameters) {
  return build_mobilenetv2<Int8Layers>("mobilenetv2_int8", parameters);
}

// Branches of several kinds from one stem: convolutions on the NPU, the rest on the CPU, so that both classes wait for
// each other and bounds for identical cores do not hold.
Model branchnet(const ZooParameters& parameters) {
  if (parameters[0] == 0 || parameters[0] > 64) throw InputError("branchnet", "branches", "must lie between 1 and 64");
  Builder b("branchnet");
  const auto npu = [&](TensorId y) {
    b.last_op().core_class = "npu";
    return y;
  };
  const TensorId stem = npu(conv(b, "stem", b.input("image", {1, 3, 64, 64}),
                                 {.out_channels = 32, .kernel = 3, .stride = 2, .activation = DETENT_ACT_SILU}));
  std::vector<TensorId> parts;
  for (std::uint64_t i = 0; i < parameters[0]; ++i) {
    const std::string name = "branch" + std::to_string(i);
    TensorId x = stem;
    if (i % 3 == 1) x = max_pool(b, name + ".pool", x, {.kernel = 3, .stride = 1, .pad = 1});
    x = npu(conv(b, name + ".reduce", x, {.out_channels = 32, .activation = DETENT_ACT_SILU}));
    if (i % 3 != 1) {
      x = conv(b, name + ".depthwise", x,
               {.out_channels = 32, .kernel = 5, .groups = 32, .activation = DETENT_ACT_RELU});
    }
    if (i % 3 == 2) x = binary(b, name + ".skip", DETENT_BINARY_ADD, x, stem, DETENT_ACT_RELU);
    parts.push_back(npu(conv(b, name + ".mix", x, {.out_channels = 16, .kernel = 3, .activation = DETENT_ACT_SILU})));
  }
  const TensorId all = concat(b, "concat", parts);
  const TensorId head = npu(conv(b, "head", all, {.out_channels = 64, .stride = 2, .activation = DETENT_ACT_SILU}));
  const TensorId logits = npu(gemm(b, "fc", global_avg_pool(b, "avgpool", head), 10));
  b.output(softmax(b, "softmax", logits));
  return b.finish();
}

}  // namespace detent::models::zoo_entries
