// Scales and their quotients: layers of I8.
#include "models/builder/quantised.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include <detent/op_config.h>

#include "models/builder/builder_internal.hpp"
#include "models/builder/concat.hpp"

namespace detent::models {
namespace {

constexpr double kDeviations = 6;  // that an I8 tensor reaches up to
constexpr double kGreatest = 127;
constexpr double kWeightDeviation = kGreatest / 3.4642;  // draws lie within +-3.4642 (models/core/weights.hpp)

// factor as multiplier / 2^shift.
struct Ratio {
  std::int32_t multiplier = 0;
  std::int32_t shift = 0;
};

// With a multiplier of `bits` bits, below 2^bits.
Ratio ratio_of(const Builder& b, const std::string& name, double factor, int bits, std::int32_t greatest_shift) {
  int exponent = 0;
  const double mantissa = std::frexp(factor, &exponent);  // in [0.5, 1)
  const std::int32_t shift = bits - exponent;
  if (!(factor > 0) || shift < 1 || shift > greatest_shift) b.fail(name, "the scales of its tensors lie too far apart");
  const double most = std::ldexp(1.0, bits) - 1;
  return {static_cast<std::int32_t>(std::min(std::round(std::ldexp(mantissa, bits)), most)), shift};
}

double activated(detent_activation activation, double x) {
  switch (activation) {
    case DETENT_ACT_NONE:
      return x;
    case DETENT_ACT_RELU:
      return std::max(x, 0.0);
    case DETENT_ACT_RELU6:
      return std::clamp(x, 0.0, 6.0);
    case DETENT_ACT_SILU:
      return x / (1 + std::exp(-x));
    case DETENT_ACT_SIGMOID:
      return 1 / (1 + std::exp(-x));
  }
  return x;
}

std::int32_t element_of(double number, double scale) {
  return static_cast<std::int32_t>(std::clamp(std::round(number / scale), -128.0, kGreatest));
}

// The ends that an activation sets to elements of this scale.
std::pair<std::int32_t, std::int32_t> range_of(detent_activation activation, double scale) {
  if (activation == DETENT_ACT_RELU) return {0, 127};
  if (activation == DETENT_ACT_RELU6) return {0, element_of(6, scale)};
  return {-128, 127};
}

bool needs_table(detent_activation activation) {
  return activation == DETENT_ACT_SILU || activation == DETENT_ACT_SIGMOID;
}

WeightInit bytes_init(const void* bytes, std::size_t count) {
  WeightInit init;
  init.kind = WeightInit::Kind::kBytes;
  init.bytes.resize(count);
  std::memcpy(init.bytes.data(), bytes, count);
  return init;
}

// table[t + 128]: the activation of t * from, in elements of scale `to`.
TensorId table_weight(Builder& b, const std::string& name, detent_activation activation, double from, double to) {
  std::vector<std::int8_t> table;
  for (int t = -128; t <= 127; ++t) {
    table.push_back(static_cast<std::int8_t>(element_of(activated(activation, t * from), to)));
  }
  return b.weight(name + ".table", {256}, bytes_init(table.data(), table.size()), DETENT_I8);
}

// A layer of sums: products of x with weights, and a bias.
struct Sums {
  std::int32_t channels = 0;  // as stored
  std::int32_t fan_in = 0;
  double gain = 1;  // deviation of the sums over that of x
  detent_activation activation = DETENT_ACT_NONE;
  double greatest = 0;  // that is held; 0: six deviations
};

// From sums to the layer's output: its scale, and what the op needs for it.
struct Result {
  Quantised y;
  detent_requantisation requantisation{};
  std::vector<TensorId> weights{};  // bias, multipliers, table
};

Result result_of(Builder& b, const std::string& name, const Quantised& x, const Sums& sums, WeightInit bias) {
  const double weight_scale = sums.gain / std::sqrt(static_cast<double>(sums.fan_in)) / kWeightDeviation;
  const double sum_scale = x.scale * weight_scale;
  Result result;
  result.y.deviation = x.deviation * sums.gain / static_cast<double>(default_gain(sums.activation));
  const double greatest = sums.greatest > 0 ? sums.greatest : kDeviations * x.deviation * sums.gain;
  const double before = greatest / kGreatest;  // scale in front of the activation
  result.y.scale = sums.activation == DETENT_ACT_SIGMOID ? 1 / kGreatest : before;
  const Ratio ratio = ratio_of(b, name, sum_scale / before, 31, 62);
  const auto [low, high] = range_of(sums.activation, before);
  result.requantisation = {.shift = ratio.shift, .low = low, .high = high, .has_table = 0};
  bias.scale = static_cast<float>(static_cast<double>(kBiasDeviation) / sum_scale);
  const std::vector<std::int32_t> multipliers(static_cast<std::size_t>(sums.channels), ratio.multiplier);
  result.weights = {b.weight(name + ".bias", {sums.channels}, std::move(bias), DETENT_I32),
                    b.weight(name + ".multiplier", {sums.channels},
                             bytes_init(multipliers.data(), multipliers.size() * sizeof(std::int32_t)), DETENT_I32)};
  if (needs_table(sums.activation)) {
    result.requantisation.has_table = 1;
    result.weights.push_back(table_weight(b, name, sums.activation, before, result.y.scale));
  }
  return result;
}

void require_i8(const Builder& b, const std::string& name, const Quantised& x) {
  if (b.tensor(x.id).dtype != DETENT_I8) b.fail(name, "must read I8");
}

}  // namespace

Quantised quantise(Builder& b, const std::string& name, TensorId x, double greatest, double deviation) {
  const Tensor in = b.tensor(x);
  const double scale = greatest / kGreatest;
  const TensorId y = b.activation(name, in.layout, in.dims, DETENT_I8);
  Op& op = b.op(name, "quantize_f32_i8", {x}, y);
  op.config = config_bytes(detent_quantize_config{stored_elements(in), static_cast<float>(1 / scale), 0});
  op.flops = stored_elements(in);
  return {y, scale, deviation};
}

TensorId dequantise(Builder& b, const std::string& name, const Quantised& x) {
  require_i8(b, name, x);
  const Tensor in = b.tensor(x.id);
  const TensorId y = b.activation(name, in.layout, in.dims);
  Op& op = b.op(name, "dequantize_i8_f32", {x.id}, y);
  op.config = config_bytes(detent_quantize_config{stored_elements(in), static_cast<float>(x.scale), 0});
  op.flops = stored_elements(in);
  return y;
}

Quantised conv(Builder& b, const std::string& name, const Quantised& x, const ConvOptions& o, double greatest) {
  require_i8(b, name, x);
  if (o.residual != kNone) b.fail(name, "a convolution of I8 has no residual; add it");
  const Tensor in = b.tensor(x.id);
  if (in.dims.size() != 4) b.fail(name, "a convolution must read [1,C,H,W]");
  detent_conv2d_i8_config config{};
  config.conv = conv_config(b, name, in, o);
  config.conv.activation = DETENT_ACT_NONE;
  WeightInit init = conv_weight_init(config.conv);
  init.scale = static_cast<float>(kWeightDeviation);
  const TensorId weights = b.weight(name + ".weight", conv_weight_dims(in, config.conv), std::move(init), DETENT_I8);
  WeightInit bias;
  bias.unpadded_dims = {static_cast<std::uint32_t>(o.out_channels)};
  const Sums sums = {.channels = blocks_of(o.out_channels) * 16,
                     .fan_in = in.dims[1] / o.groups * o.kernel * o.kernel,
                     .gain = static_cast<double>(o.gain > 0 ? o.gain : default_gain(o.activation)),
                     .activation = o.activation,
                     .greatest = greatest};
  Result result = result_of(b, name, x, sums, std::move(bias));
  config.result = result.requantisation;
  const std::vector<std::int32_t> dims{1, o.out_channels, config.conv.out_h, config.conv.out_w};
  result.y.id = b.activation(name, DETENT_LAYOUT_C16, dims, DETENT_I8);
  Op& op = b.op(name, "conv2d_i8", {x.id}, result.y.id);
  op.weights = {weights};
  op.weights.insert(op.weights.end(), result.weights.begin(), result.weights.end());
  op.config = config_bytes(config);
  op.flops = conv_flops(config.conv);
  return result.y;
}

Quantised gemm(Builder& b, const std::string& name, const Quantised& a, std::int32_t n, detent_activation activation) {
  require_i8(b, name, a);
  const Tensor in = b.tensor(a.id);
  if (in.dims.size() != 2 || in.layout != DETENT_LAYOUT_PLAIN) b.fail(name, "gemm must read PLAIN [m,k]");
  detent_gemm_i8_config config{};
  config.gemm.m = config.gemm.row_end = in.dims[0];
  config.gemm.k = in.dims[1];
  config.gemm.n = n;
  config.gemm.has_bias = 1;
  WeightInit init;
  init.scale = static_cast<float>(kWeightDeviation);
  const TensorId weights = b.weight(name + ".weight", {config.gemm.k, n}, std::move(init), DETENT_I8);
  const Sums sums = {.channels = n,
                     .fan_in = config.gemm.k,
                     .gain = static_cast<double>(default_gain(activation)),
                     .activation = activation,
                     .greatest = 0};
  Result result = result_of(b, name, a, sums, {});
  config.result = result.requantisation;
  result.y.id = b.activation(name, DETENT_LAYOUT_PLAIN, {config.gemm.m, n}, DETENT_I8);
  Op& op = b.op(name, "gemm_i8", {a.id}, result.y.id);
  op.weights = {weights};
  op.weights.insert(op.weights.end(), result.weights.begin(), result.weights.end());
  op.config = config_bytes(config);
  op.flops = 2 * product({config.gemm.m, n, config.gemm.k});
  return result.y;
}

// Numbers that do not depend on each other: deviations add up as squares.
Quantised add(Builder& b, const std::string& name, const Quantised& left, const Quantised& right,
              detent_activation activation, double greatest) {
  require_i8(b, name, left);
  require_i8(b, name, right);
  if (needs_table(activation)) b.fail(name, "add_i8 has no table");
  const Tensor in = b.tensor(left.id);
  if (in.dims != b.tensor(right.id).dims) b.fail(name, "the operands have different shapes");
  constexpr int kBits = 22;
  Quantised y;
  y.deviation = std::hypot(left.deviation, right.deviation);
  y.scale = greatest > 0 ? greatest / kGreatest : std::hypot(left.scale, right.scale);
  const Ratio larger = ratio_of(b, name, std::max(left.scale, right.scale) / y.scale, kBits, 30);
  const auto multiplier = [&](const Quantised& x) {
    return static_cast<std::int32_t>(std::round(std::ldexp(x.scale / y.scale, larger.shift)));
  };
  const auto [low, high] = range_of(activation, y.scale);
  detent_add_i8_config config{};
  config.elements = stored_elements(in);
  config.a_multiplier = multiplier(left);
  config.b_multiplier = multiplier(right);
  config.shift = larger.shift;
  config.low = low;
  config.high = high;
  y.id = b.activation(name, in.layout, in.dims, DETENT_I8);
  Op& op = b.op(name, "add_i8", {left.id, right.id}, y.id);
  op.config = config_bytes(config);
  op.flops = config.elements;
  return y;
}

Quantised max_pool(Builder& b, const std::string& name, const Quantised& x, const PoolOptions& options) {
  require_i8(b, name, x);
  constexpr double kOfNine = 1.5;  // the greatest of nine normal numbers lies 1.485 deviations above their mean
  const detent_pool_config config = pool_config(b, name, b.tensor(x.id), options);
  const std::vector<std::int32_t> dims{1, config.channels, config.out_h, config.out_w};
  const Quantised y = {b.activation(name, DETENT_LAYOUT_C16, dims, DETENT_I8), x.scale, x.deviation * kOfNine};
  Op& op = b.op(name, "max_pool_i8", {x.id}, y.id);
  op.config = config_bytes(config);
  op.flops = product({config.channels, config.out_h, config.out_w, options.kernel, options.kernel});
  return y;
}

Quantised upsample(Builder& b, const std::string& name, const Quantised& x, std::int32_t factor) {
  require_i8(b, name, x);
  const Tensor in = b.tensor(x.id);
  detent_pool_config config = pool_config(b, name, in, {.kernel = factor, .stride = factor});
  config.out_h = config.row_end = in.dims[2] * factor;
  config.out_w = in.dims[3] * factor;
  const std::vector<std::int32_t> dims{1, config.channels, config.out_h, config.out_w};
  const Quantised y = {b.activation(name, DETENT_LAYOUT_C16, dims, DETENT_I8), x.scale, x.deviation};
  b.op(name, "upsample_nearest_i8", {x.id}, y.id).config = config_bytes(config);
  return y;
}

// The means of channels whose numbers lie to one side of 0 are as large as they are.
Quantised global_avg_pool(Builder& b, const std::string& name, const Quantised& x) {
  require_i8(b, name, x);
  detent_global_avg_pool_i8_config config{};
  config.pool = global_pool_config(b, name, b.tensor(x.id));
  Quantised y;
  y.deviation = x.deviation;
  y.scale = kDeviations * y.deviation / kGreatest;
  const double pixels = static_cast<double>(config.pool.h) * config.pool.w;
  const Ratio ratio = ratio_of(b, name, x.scale / y.scale / pixels, 31, 62);
  config.multiplier = ratio.multiplier;
  config.shift = ratio.shift;
  y.id = b.activation(name, DETENT_LAYOUT_PLAIN, {1, config.pool.channels}, DETENT_I8);
  Op& op = b.op(name, "global_avg_pool_i8", {x.id}, y.id);
  op.config = config_bytes(config);
  op.flops = product({config.pool.channels, config.pool.h, config.pool.w});
  return y;
}

Quantised channels(Builder& b, const std::string& name, const Quantised& x, std::int32_t begin, std::int32_t count) {
  require_i8(b, name, x);
  return {channels(b, name, x.id, begin, count), x.scale, x.deviation};
}

Quantised concat(Builder& b, const std::string& name, const std::vector<Quantised>& parts) {
  std::vector<TensorId> ids;
  Quantised y;
  double squares = 0;
  for (const Quantised& part : parts) {
    require_i8(b, name, part);
    if (part.scale != parts.front().scale) b.fail(name, "the parts of a concat must have one scale");
    ids.push_back(part.id);
    squares += part.deviation * part.deviation / static_cast<double>(parts.size());
    y.scale = part.scale;
  }
  y.id = concat(b, name, ids);
  y.deviation = std::sqrt(squares);
  return y;
}

}  // namespace detent::models
