// YOLOv8n (Ultralytics, 2023; depth 0.33, width 0.25, 80 classes), batch norms folded, in F32 and in int8:
// size -> Model.
// Input [1,3,S,S]; output [1,84,A]: per anchor cx, cy, w, h in pixels, then 80 class probabilities. A = 8400 at 640.
#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "base/input_error.hpp"
#include "models/builder/builder.hpp"
#include "models/builder/concat.hpp"
#include "models/builder/elementwise.hpp"
#include "models/builder/layers.hpp"
#include "models/builder/reorder.hpp"
#include "models/devices/assign_core_class.hpp"
#include "models/zoo/entries.hpp"
#include "models/zoo/layer_sets.hpp"

namespace detent::models::zoo_entries {
namespace {

using Id = TensorId;

constexpr std::int32_t kCocoClasses = 80;
constexpr std::int32_t kBins = 16;  // of the distribution over distances (DFL, Li et al. 2020)
constexpr std::array<std::int32_t, 3> kStrides{8, 16, 32};

std::uint64_t as_u64(std::int32_t value) { return static_cast<std::uint64_t>(value); }

template <typename Layers>
class Yolo {
 public:
  /// @param arguments  of the layers, behind the builder
  template <typename... Arguments>
  explicit Yolo(const std::string& name, std::int32_t size, Arguments... arguments)
      : size_(size), b_(name), layers_(b_, arguments...) {
    for (const std::int32_t stride : kStrides) anchors_ += (size / stride) * (size / stride);
  }

  Model build() {
    const auto [p3, p4, p5] = neck();
    detect({p3, p4, p5});
    return b_.finish();
  }

 private:
  using Value = typename Layers::Value;

  // Conv: convolution, folded batch norm, SiLU.
  Value conv_silu(const std::string& name, const Value& x, std::int32_t out_channels, std::int32_t kernel,
                  std::int32_t stride = 1) {
    return layers_.conv(
        name, x, {.out_channels = out_channels, .kernel = kernel, .stride = stride, .activation = DETENT_ACT_SILU});
  }

  Value bottleneck(const std::string& name, const Value& x, std::int32_t out_channels, bool shortcut) {
    const Value inner = conv_silu(name + ".cv1", x, out_channels, 3);
    if (!shortcut) return conv_silu(name + ".cv2", inner, out_channels, 3);
    return layers_.conv_plus(name + ".cv2", inner,
                             {.out_channels = out_channels, .kernel = 3, .activation = DETENT_ACT_SILU, .gain = 0.8F},
                             x);
  }

  // C2f: the halves of a 1x1 convolution and each bottleneck's output, concatenated, through a 1x1 convolution.
  Value c2f(const std::string& name, const Value& x, std::int32_t out_channels, int count, bool shortcut) {
    const std::int32_t half = out_channels / 2;
    const Value stem = conv_silu(name + ".cv1", x, out_channels, 1);
    std::vector<Value> parts{layers_.channels(name + ".half0", stem, 0, half),
                             layers_.channels(name + ".half1", stem, half, half)};
    for (int i = 0; i < count; ++i) {
      parts.push_back(bottleneck(name + ".m." + std::to_string(i), parts.back(), half, shortcut));
    }
    return conv_silu(name + ".cv2", layers_.concat(name + ".cat", parts), out_channels, 1);
  }

  Value sppf(const std::string& name, const Value& x) {
    std::vector<Value> parts{conv_silu(name + ".cv1", x, 128, 1)};
    for (int i = 0; i < 3; ++i) {
      parts.push_back(
          layers_.max_pool(name + ".m." + std::to_string(i), parts.back(), {.kernel = 5, .stride = 1, .pad = 2}));
    }
    return conv_silu(name + ".cv2", layers_.concat(name + ".cat", parts), 256, 1);
  }

  std::array<Value, 3> backbone() {
    Value x = layers_.image("images", size_);
    x = conv_silu("model.0", x, 16, 3, 2);
    x = conv_silu("model.1", x, 32, 3, 2);
    x = c2f("model.2", x, 32, 1, true);
    x = conv_silu("model.3", x, 64, 3, 2);
    const Value p3 = c2f("model.4", x, 64, 2, true);
    x = conv_silu("model.5", p3, 128, 3, 2);
    const Value p4 = c2f("model.6", x, 128, 2, true);
    x = conv_silu("model.7", p4, 256, 3, 2);
    x = c2f("model.8", x, 256, 1, true);
    return {p3, p4, sppf("model.9", x)};
  }

  std::array<Value, 3> neck() {
    const auto [b3, b4, b5] = backbone();
    Value x = layers_.concat("model.11", {layers_.upsample("model.10", b5, 2), b4});
    const Value up4 = c2f("model.12", x, 128, 1, false);
    x = layers_.concat("model.14", {layers_.upsample("model.13", up4, 2), b3});
    const Value p3 = c2f("model.15", x, 64, 1, false);
    x = layers_.concat("model.17", {conv_silu("model.16", p3, 64, 3, 2), up4});
    const Value p4 = c2f("model.18", x, 128, 1, false);
    x = layers_.concat("model.20", {conv_silu("model.19", p4, 128, 3, 2), b5});
    return {p3, p4, c2f("model.21", x, 256, 1, false)};
  }

  // Everything per scale: branches, DFL, corners in grid units, class probabilities.
  void detect(const std::array<Value, 3>& scales) {
    output_ = b_.buffer("output0", {1, 4 + kCocoClasses, anchors_});
    centre_ = b_.buffer("detect.twice_centre", {2, anchors_});
    extent_ = b_.buffer("detect.extent", {2, anchors_});
    std::vector<float> bins(kBins);
    std::iota(bins.begin(), bins.end(), 0.0F);
    distances_ = b_.constant("detect.distances", {kBins, 1}, bins);
    std::int32_t first = 0;
    for (std::size_t i = 0; i < scales.size(); ++i) {
      const std::string name = "detect.p" + std::to_string(i + 3);
      const std::int32_t cells = size_ / kStrides[i];
      boxes(name, branch(name + ".box", scales[i], 64, 4 * kBins), cells, first);
      classes(name, branch(name + ".cls", scales[i], kCocoClasses, kCocoClasses), cells, first);
      first += cells * cells;
    }
    to_pixels();
    b_.output(output_);
  }

  Id branch(const std::string& name, Value x, std::int32_t width, std::int32_t out_channels) {
    x = conv_silu(name + ".0", x, width, 3);
    x = conv_silu(name + ".1", x, width, 3);
    return layers_.floats(name + ".2", layers_.conv(name + ".2", x, {.out_channels = out_channels}));
  }

  // The anchors [first, first+cells*cells) of `rows` rows of a [*, anchors] buffer that starts at row `row`.
  Id slice(const std::string& name, Id buffer, std::int32_t row, std::int32_t rows, std::int32_t first,
           std::int32_t count) {
    const std::uint64_t row_bytes = as_u64(anchors_) * sizeof(float);
    return b_.view(name, buffer,
                   {.dims = {rows, count},
                    .offset_bytes = as_u64(row) * row_bytes + as_u64(first) * sizeof(float),
                    .block_bytes = as_u64(count) * sizeof(float),
                    .stride_bytes = row_bytes,
                    .block_count = static_cast<std::uint32_t>(rows)});
  }

  // Cell centres of a scale, x row then y row, in grid units.
  static std::vector<float> cell_centres(std::int32_t cells) {
    std::vector<float> values;
    for (const bool vertical : {false, true}) {
      for (std::int32_t i = 0; i < cells * cells; ++i) {
        values.push_back(static_cast<float>(vertical ? i / cells : i % cells) + 0.5F);
      }
    }
    return values;
  }

  // Box branch [1,64,H,W]: its C16 bytes are [4 sides][H*W][16 bins] already, so softmax over bins and the expected
  // distance read it in place. With l, t, r, b: x2 + x1 = (r + a) - (l - a) and x2 - x1 = (r + a) + (l - a).
  void boxes(const std::string& name, Id logits, std::int32_t cells, std::int32_t first) {
    const std::int32_t count = cells * cells;
    const Id bins = b_.reshape(name + ".bins", logits, {4 * count, kBins});
    const Id sides = gemm_constant(b_, name + ".dfl", softmax(b_, name + ".softmax", bins), distances_);
    const std::uint64_t half = as_u64(2 * count) * sizeof(float);
    const Id lt = b_.view(name + ".lt", sides, {.dims = {2, count}, .block_bytes = half});
    const Id rb = b_.view(name + ".rb", sides, {.dims = {2, count}, .offset_bytes = half, .block_bytes = half});
    const Id centres = b_.constant(name + ".anchors", {2, count}, cell_centres(cells));
    const Id low = binary_constant(b_, name + ".lt_minus_anchor", DETENT_BINARY_SUB, lt, centres);
    const Id high = binary_constant(b_, name + ".rb_plus_anchor", DETENT_BINARY_ADD, rb, centres);
    const Id centre = slice(name + ".twice_centre.out", centre_, 0, 2, first, count);
    const Id extent = slice(name + ".extent.out", extent_, 0, 2, first, count);
    binary(b_, name + ".twice_centre", DETENT_BINARY_SUB, high, low, DETENT_ACT_NONE, centre);
    binary(b_, name + ".extent", DETENT_BINARY_ADD, high, low, DETENT_ACT_NONE, extent);
  }

  void classes(const std::string& name, Id logits, std::int32_t cells, std::int32_t first) {
    const Id plain =
        b_.reshape(name + ".logits2d", to_plain(b_, name + ".logits", logits), {kCocoClasses, cells * cells});
    unary(b_, name + ".sigmoid", plain, DETENT_ACT_SIGMOID,
          slice(name + ".scores", output_, 4, kCocoClasses, first, cells * cells));
  }

  // Strides of all anchors, once for x and once for y, times a factor.
  std::vector<float> strides(float factor) const {
    std::vector<float> values;
    for (int axis = 0; axis < 2; ++axis) {
      for (const std::int32_t stride : kStrides) {
        const std::size_t count = as_u64(size_ / stride) * as_u64(size_ / stride);
        values.insert(values.end(), count, static_cast<float>(stride) * factor);
      }
    }
    return values;
  }

  void to_pixels() {
    const Id half_strides = b_.constant("detect.half_strides", {2, anchors_}, strides(0.5F));
    const Id strides_xy = b_.constant("detect.strides", {2, anchors_}, strides(1.0F));
    binary_constant(b_, "detect.centre_pixels", DETENT_BINARY_MUL, centre_, half_strides,
                    slice("detect.centre.out", output_, 0, 2, 0, anchors_));
    binary_constant(b_, "detect.extent_pixels", DETENT_BINARY_MUL, extent_, strides_xy,
                    slice("detect.extent.out", output_, 2, 2, 0, anchors_));
  }

  std::int32_t size_;
  std::int32_t anchors_ = 0;
  Builder b_;
  Layers layers_;
  Id output_ = kNone, centre_ = kNone, extent_ = kNone, distances_ = kNone;
};

std::int32_t detector_side(const std::string& name, const ZooParameters& parameters) {
  if (parameters[0] == 0 || parameters[0] % 32 != 0 || parameters[0] > 4096) {
    throw InputError(name, "size", "the input size must be a multiple of 32, at most 4096");
  }
  return static_cast<std::int32_t>(parameters[0]);
}

}  // namespace

Model yolov8n(const ZooParameters& parameters) {
  return Yolo<FloatLayers>("yolov8n", detector_side("yolov8n", parameters)).build();
}

Model yolov8n_int8(const ZooParameters& parameters) {
  constexpr double kGreatest = 10;  // six deviations of sums in front of SiLU
  return Yolo<Int8Layers>("yolov8n_int8", detector_side("yolov8n_int8", parameters), kGreatest).build();
}

Model yolov8n_npu(const ZooParameters& parameters) {
  Model model = yolov8n(parameters);
  model.name = "yolov8n_npu";
  assign_class(model, "npu", accelerated_kernels());
  return model;
}

}  // namespace detent::models::zoo_entries
