// WeightInit -> packed bytes.
#include "models/core/weights.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string>

#include "base/input_error.hpp"

namespace detent::models {
namespace {

constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15ULL;
constexpr float kIrwinHallScale = 1.7320508F / 65536.0F;  // four uniforms of 16 bits: variance 4/12 * 65536^2
constexpr std::int32_t kIrwinHallMean = 2 * 65535;

std::uint64_t mix64(std::uint64_t z) {
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31U);
}

float draw(std::uint64_t key, std::uint64_t index) {
  const std::uint64_t bits = mix64(key + (index + 1) * kGolden);
  const auto sum = static_cast<std::int32_t>((bits & 0xFFFFU) + ((bits >> 16U) & 0xFFFFU) + ((bits >> 32U) & 0xFFFFU) +
                                             (bits >> 48U));
  return static_cast<float>(sum - kIrwinHallMean) * kIrwinHallScale;
}

std::uint64_t stream_key(std::uint64_t seed, std::uint64_t stream) { return mix64(mix64(seed + kGolden) ^ stream); }

// The value of logical weight `index`, whatever its kind.
class Source {
 public:
  Source(const Model& model, const WeightInit& init)
      : key_(stream_key(model.weight_seed, init.stream)),
        scale_(init.scale),
        constant_(init.kind == WeightInit::Kind::kConstant) {}
  float operator()(std::uint64_t index) const { return constant_ ? scale_ : draw(key_, index) * scale_; }

 private:
  std::uint64_t key_;
  float scale_;
  bool constant_;
};

/// The nearest integer, the even one of two, within +-limit.
double nearest(float value, double limit) {
  const double exact = static_cast<double>(value);
  const double down = std::floor(exact);
  const double rest = exact - down;
  const bool up = rest > 0.5 || (rest == 0.5 && std::fmod(down, 2.0) != 0.0);
  return std::clamp(up ? down + 1 : down, -limit, limit);
}

template <typename Element>
Element element_of(float value);
template <>
float element_of(float value) {
  return value;
}
template <>
std::int8_t element_of(float value) {
  return static_cast<std::int8_t>(nearest(value, 127.0));
}
template <>
std::int32_t element_of(float value) {
  return static_cast<std::int32_t>(nearest(value, 2147483647.0));
}

struct ConvShape {
  std::size_t out_channels, group_channels, taps, groups;
  std::size_t input_block;  // ib
  std::size_t input_blocks;
};

template <typename Element>
void fill_vector(const Source& source, std::size_t count, std::span<Element> out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = element_of<Element>(source(i));
}

// Depthwise: [C/16][taps][16].
template <typename Element>
void fill_depthwise(const Source& source, const ConvShape& shape, std::span<Element> out) {
  for (std::size_t c = 0; c < shape.out_channels; ++c) {
    Element* block = out.data() + (c / 16) * shape.taps * 16 + c % 16;
    for (std::size_t tap = 0; tap < shape.taps; ++tap) {
      block[tap * 16] = element_of<Element>(source(c * shape.taps + tap));
    }
  }
}

// Dense, and block-diagonal for groups: [OC/16][IC/ib][taps][ib][16].
template <typename Element>
void fill_dense(const Source& source, const ConvShape& shape, std::span<Element> out) {
  const std::size_t channels_per_group = shape.out_channels / shape.groups;
  for (std::size_t oc = 0; oc < shape.out_channels; ++oc) {
    const std::size_t first_input = (oc / channels_per_group) * shape.group_channels;
    for (std::size_t i = 0; i < shape.group_channels; ++i) {
      const std::size_t ic = first_input + i;
      const std::size_t block = (oc / 16) * shape.input_blocks + ic / shape.input_block;
      Element* lane = out.data() + (block * shape.taps * shape.input_block + ic % shape.input_block) * 16 + oc % 16;
      const std::size_t logical = (oc * shape.group_channels + i) * shape.taps;
      for (std::size_t tap = 0; tap < shape.taps; ++tap) {
        lane[tap * shape.input_block * 16] = element_of<Element>(source(logical + tap));
      }
    }
  }
}

[[noreturn]] void fail(const Model& model, const Tensor& tensor, const std::string& what) {
  throw InputError(model.name, "weight " + tensor.name, what);
}

std::size_t packed_elements(const ConvShape& shape, bool depthwise) {
  const std::size_t out_blocks = (shape.out_channels + 15) / 16;
  return depthwise ? out_blocks * shape.taps * 16
                   : out_blocks * shape.input_blocks * shape.taps * shape.input_block * 16;
}

template <typename Element>
void fill_conv(const Model& model, const Tensor& tensor, const Source& source, std::span<Element> out) {
  const auto& dims = tensor.init.unpadded_dims;
  ConvShape shape{dims[0], dims[1], static_cast<std::size_t>(dims[2]) * dims[3], tensor.init.groups, 16, 1};
  if (shape.groups == 0 || shape.out_channels % shape.groups != 0)
    fail(model, tensor, "groups must divide the channels");
  const bool depthwise = tensor.dims.size() == 4 && shape.groups == shape.out_channels && shape.group_channels == 1;
  if (!depthwise) {
    if (tensor.dims.size() != 6 || tensor.dims[4] <= 0) fail(model, tensor, "a packed convolution must have rank 6");
    shape.input_block = static_cast<std::size_t>(tensor.dims[4]);
    shape.input_blocks = (shape.group_channels * shape.groups + shape.input_block - 1) / shape.input_block;
  }
  if (packed_elements(shape, depthwise) != out.size())
    fail(model, tensor, "size_bytes does not match the packed shape");
  depthwise ? fill_depthwise(source, shape, out) : fill_dense(source, shape, out);
}

// [OC/16][36][IC/16][16][16].
void fill_winograd(const Model& model, const Tensor& tensor, std::span<std::uint8_t> out) {
  const auto& dims = tensor.init.unpadded_dims;
  if (tensor.dtype != DETENT_F32 || dims.size() != 4 || dims[2] != 3 || dims[3] != 3 || tensor.init.groups != 1)
    fail(model, tensor, "transformed weights are F32, of 3x3 taps, without groups");
  const std::size_t in_blocks = (std::size_t{dims[1]} + 15) / 16;
  const std::size_t out_blocks = (std::size_t{dims[0]} + 15) / 16;
  if (out.size() != out_blocks * in_blocks * 36 * 256 * sizeof(float))
    fail(model, tensor, "size_bytes does not match the transformed shape");
  const std::span<float> elements(reinterpret_cast<float*>(out.data()), out.size() / sizeof(float));
  const Source source(model, tensor.init);
  for (std::size_t oc = 0; oc < dims[0]; ++oc) {
    for (std::size_t ic = 0; ic < dims[1]; ++ic) {
      std::array<float, 9> filter{};
      for (std::size_t tap = 0; tap < 9; ++tap) filter[tap] = source((oc * dims[1] + ic) * 9 + tap);
      std::array<float, 36> places{};
      winograd_filter(filter, places);
      for (std::size_t p = 0; p < 36; ++p) {
        const std::size_t block = (oc / 16 * 36 + p) * in_blocks + ic / 16;
        elements[(block * 16 + ic % 16) * 16 + oc % 16] = places[p];
      }
    }
  }
}

template <typename Element>
void fill(const Model& model, const Tensor& tensor, std::span<std::uint8_t> out) {
  if (out.size() % sizeof(Element) != 0) fail(model, tensor, "size_bytes is no whole number of elements");
  const WeightInit& init = tensor.init;
  const std::span<Element> elements(reinterpret_cast<Element*>(out.data()), out.size() / sizeof(Element));
  const Source source(model, init);
  if (init.unpadded_dims.size() == 4) return fill_conv(model, tensor, source, elements);
  const std::size_t count = init.unpadded_dims.empty() ? elements.size() : init.unpadded_dims[0];
  if (init.unpadded_dims.size() > 1 || count > elements.size()) {
    fail(model, tensor, "unpadded_dims must be [], [n] or 4");
  }
  fill_vector(source, count, elements);
}

}  // namespace

void winograd_filter(std::span<const float, 9> filter, std::span<float, 36> to) {
  constexpr double kG[6][3] = {{1.0 / 4, 0, 0},
                               {-1.0 / 6, -1.0 / 6, -1.0 / 6},
                               {-1.0 / 6, 1.0 / 6, -1.0 / 6},
                               {1.0 / 24, 1.0 / 12, 1.0 / 6},
                               {1.0 / 24, -1.0 / 12, 1.0 / 6},
                               {0, 0, 1}};
  double rows[6][3] = {};
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t column = 0; column < 3; ++column) {
      for (std::size_t row = 0; row < 3; ++row) {
        rows[i][column] += kG[i][row] * static_cast<double>(filter[row * 3 + column]);
      }
    }
  }
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      double sum = 0;
      for (std::size_t column = 0; column < 3; ++column) sum += rows[i][column] * kG[j][column];
      to[i * 6 + j] = static_cast<float>(sum);
    }
  }
}

float weight_draw(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  return draw(stream_key(seed, stream), index);
}

void materialise_weight(const Model& model, TensorId tensor_id, std::span<std::uint8_t> out) {
  const Tensor& tensor = model.tensors.at(tensor_id);
  const WeightInit& init = tensor.init;
  if (out.size() != tensor.size_bytes) fail(model, tensor, "the buffer has another size than the tensor");
  if (init.kind == WeightInit::Kind::kBytes) {
    if (init.bytes.size() != out.size()) fail(model, tensor, "size_bytes differs from the number of bytes given");
    std::copy(init.bytes.begin(), init.bytes.end(), out.begin());
    return;
  }
  std::fill(out.begin(), out.end(), std::uint8_t{0});
  if (init.kind == WeightInit::Kind::kWinograd) return fill_winograd(model, tensor, out);
  if (tensor.dtype == DETENT_F32) return fill<float>(model, tensor, out);
  if (tensor.dtype == DETENT_I8) return fill<std::int8_t>(model, tensor, out);
  if (tensor.dtype == DETENT_I32) return fill<std::int32_t>(model, tensor, out);
  fail(model, tensor, "only weights of F32, I8 and I32 can be made from a seed; give bytes instead");
}

}  // namespace detent::models
