// Calibration model: every kind of layer at many shapes, so that kernel times of networks can be inferred from it.
// It is no network: sections are independent chains, one for each side of the images. No section is taken from a
// network of the zoo.
#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/input_error.hpp"
#include "models/builder/builder.hpp"
#include "models/builder/elementwise.hpp"
#include "models/builder/layers.hpp"
#include "models/builder/reorder.hpp"
#include "models/zoo/entries.hpp"

namespace detent::models::zoo_entries {
namespace {

using Id = TensorId;

/// Images of side x side pixels; `channels` one after the other.
struct Section {
  std::int32_t side;
  std::vector<std::int32_t> channels;
};

const std::vector<Section>& sections() {
  static const std::vector<Section> kSections{{7, {80, 480, 192, 768, 384, 512, 1024}},
                                              {10, {64, 320, 256, 128}},
                                              {14, {48, 288, 128, 448, 256}},
                                              {20, {80, 256, 96, 448, 192}},
                                              {28, {24, 160, 64, 224, 128}},
                                              {40, {48, 160, 64, 288, 96}},
                                              {56, {32, 112, 24, 80, 64}},
                                              {80, {32, 144, 48, 96}},
                                              {112, {16, 64, 32}},
                                              {160, {24, 48, 16}},
                                              {240, {16, 32}}};
  return kSections;
}

constexpr std::array<detent_activation, 4> kActivations{DETENT_ACT_SILU, DETENT_ACT_RELU, DETENT_ACT_NONE,
                                                        DETENT_ACT_RELU6};
constexpr std::int64_t kMaxDenseFlops = 600'000'000;  // of one 3x3 convolution

class Calibration {
 public:
  Model build(std::size_t section_count) {
    for (std::size_t i = 0; i < section_count; ++i) add_section(sections()[i]);
    Model model = b_.finish();
    order_ops(model);
    return model;
  }

 private:
  /// One op after the other, so that bytes are reused as closely as in a network and are as near in the caches.
  static void order_ops(Model& model) {
    for (std::uint32_t op = 1; op < model.ops.size(); ++op) model.edges.push_back({op - 1, op});
    const auto ends = [](const Edge& edge) { return std::pair(edge.from, edge.to); };
    std::ranges::sort(model.edges, {}, ends);
    const auto repeated = std::ranges::unique(model.edges, {}, ends);
    model.edges.erase(repeated.begin(), repeated.end());
  }

  /// Counted: never twice in one expression, whose order of evaluation is the compiler's.
  std::string name(const std::string& kind) {
    return "s" + std::to_string(side_) + "." + kind + std::to_string(count_++);
  }

  detent_activation next_activation() { return kActivations[activation_++ % kActivations.size()]; }

  /// Keep a result alive at the price of an average.
  void sink(Id x) { b_.output(global_avg_pool(b_, name("mean"), x)); }

  void add_section(const Section& section) {
    side_ = section.side;
    count_ = 0;
    sink(add_stem(section));
    const Id image = b_.input(name("image"), {1, section.channels[0], side_, side_});
    Id x = to_c16(b_, name("pack"), image);
    for (std::size_t i = 1; i < section.channels.size(); ++i) x = add_stage(x, section.channels[i]);
    if (side_ <= 80) add_classifier(x);
    if (side_ >= 20 && side_ <= 112) add_detector(x);
    sink(x);
  }

  /// Convolutions of a plain image.
  Id add_stem(const Section& section) {
    const std::int32_t side = side_ * 2;
    const Id image = b_.input(name("rgb"), {1, 3, side, side});
    const std::int32_t channels = std::min<std::int32_t>(section.channels[0], 64);
    sink(conv(b_, name("stem7x"), image,
              {.out_channels = channels, .kernel = 7, .stride = 2, .activation = next_activation()}));
    return conv(b_, name("stem3x"), image,
                {.out_channels = channels, .kernel = 3, .stride = 2, .activation = next_activation()});
  }

  /// To `channels` by a 1x1 convolution, every other kind of layer beside it, back through a residual.
  Id add_stage(Id input, std::int32_t channels) {
    const std::int32_t before = b_.tensor(input).dims[1];
    const Id x = conv(b_, name("expand"), input, {.out_channels = channels, .activation = next_activation()});
    add_depthwise(x);
    add_windows(x);
    if (side_ >= 14) {
      sink(conv(b_, name("shortcut"), x, {.out_channels = before, .stride = 2, .pad = 0}));
    }
    add_spatial(x);
    const Id y = conv(b_, name("project"), x,
                      {.out_channels = before, .activation = next_activation(), .residual = input, .gain = 0.5F});
    const Id z = binary(b_, name("add"), DETENT_BINARY_ADD, y, input, DETENT_ACT_RELU);
    return conv(b_, name("widen"), z, {.out_channels = channels, .activation = next_activation()});
  }

  void add_depthwise(Id x) {
    const std::int32_t channels = b_.tensor(x).dims[1];
    for (const std::int32_t stride : {1, 2}) {
      sink(conv(b_, name("depthwise"), x,
                {.out_channels = channels,
                 .kernel = 3,
                 .stride = stride,
                 .groups = channels,
                 .activation = DETENT_ACT_RELU6}));
    }
  }

  /// 3x3 convolutions at stride 1 (with a residual) and 2, to as many channels as the budget allows.
  void add_spatial(Id x) {
    const std::int32_t in = b_.tensor(x).dims[1];
    const std::int64_t per_channel = std::int64_t{2} * 9 * in * side_ * side_;
    const auto most = static_cast<std::int32_t>(std::min<std::int64_t>(in, kMaxDenseFlops / per_channel / 16 * 16));
    if (most < 16) return;
    const Id y = conv(b_, name("dense"), x, {.out_channels = most, .kernel = 3, .activation = next_activation()});
    sink(conv(b_, name("strided"), x,
              {.out_channels = std::min(most * 2, 512), .kernel = 3, .stride = 2, .activation = next_activation()}));
    sink(conv(b_, name("square"), y,
              {.out_channels = most, .kernel = 3, .activation = next_activation(), .residual = y, .gain = 0.5F}));
  }

  void add_windows(Id x) {
    if (side_ >= 56) sink(max_pool(b_, name("pool"), x, {.kernel = 3, .stride = 2, .pad = 1}));
    if (side_ <= 40) sink(max_pool(b_, name("window"), x, {.kernel = 5, .stride = 1, .pad = 2}));
    if (side_ <= 40) sink(upsample(b_, name("upsample"), x, 2));
  }

  void add_classifier(Id x) {
    const Id mean = global_avg_pool(b_, name("average"), x);
    for (const std::int32_t classes : {100, 640, 1500}) {
      const Id connected = gemm(b_, name("connected"), mean, classes);
      b_.output(softmax(b_, name("probabilities"), connected));
    }
  }

  /// What turns images into boxes: plain copies, many short rows, element-wise arithmetic on parts.
  void add_detector(Id x) {
    const std::int32_t cells = side_ * side_;
    const Id logits = conv(b_, name("logits"), x, {.out_channels = 64});
    const Id plain = to_plain(b_, name("unpack"), logits);
    b_.output(unary(b_, name("sigmoid"), plain, DETENT_ACT_SIGMOID));
    const Id as_rows = b_.reshape(name("as_rows"), logits, {4 * cells, 16});
    const Id rows = softmax(b_, name("rows"), as_rows);
    const Id weights = b_.constant(name("bins"), {16, 1}, std::vector<float>(16, 0.0625F));
    const Id sum = gemm_constant(b_, name("sum"), rows, weights);
    const Id sides = b_.reshape(name("as_sides"), sum, {4, cells});
    const auto half = static_cast<std::uint64_t>(cells) * 8;  // two rows of floats
    const Id first = b_.view(name("first"), sides, {.dims = {2, cells}, .offset_bytes = 0, .block_bytes = half});
    const Id last = b_.view(name("last"), sides, {.dims = {2, cells}, .offset_bytes = half, .block_bytes = half});
    b_.output(binary(b_, name("difference"), DETENT_BINARY_SUB, first, last));
    const Id anchors =
        b_.constant(name("anchors"), {2, cells}, std::vector<float>(2U * static_cast<std::size_t>(cells), 0.5F));
    b_.output(binary_constant(b_, name("shift"), DETENT_BINARY_ADD, first, anchors));
    const Id factor = b_.constant(name("factor"), {1}, {8.0F});
    b_.output(binary_constant(b_, name("scale"), DETENT_BINARY_MUL, last, factor));
    b_.output(b_.copy(name("copy"), last));
  }

  Builder b_{"calibration"};
  std::int32_t side_ = 0;
  std::size_t count_ = 0;
  std::size_t activation_ = 0;
};

}  // namespace

Model calibration(const ZooParameters& parameters) {
  if (parameters[0] == 0 || parameters[0] > sections().size()) {
    throw InputError("calibration", "sections", "must lie between 1 and " + std::to_string(sections().size()));
  }
  return Calibration().build(parameters[0]);
}

}  // namespace detent::models::zoo_entries
