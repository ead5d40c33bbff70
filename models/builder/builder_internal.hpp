// Small helpers of the builder and of split: config bytes, counts of elements, what layers of F32 and of I8 share.
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

#include <detent/op_config.h>

#include "models/core/dtypes.hpp"
#include "models/core/model.hpp"

namespace detent::models {

class Builder;
struct ConvOptions;
struct PoolOptions;

inline std::uint64_t product(std::initializer_list<std::int32_t> factors) {
  std::uint64_t result = 1;
  for (const std::int32_t factor : factors) result *= static_cast<std::uint64_t>(factor);
  return result;
}

/// Blocks of 16 that hold this many channels.
inline std::int32_t blocks_of(std::int32_t channels) { return (channels + 15) / 16; }

template <typename Config>
std::vector<std::uint8_t> config_bytes(const Config& config) {
  std::vector<std::uint8_t> bytes(sizeof(Config));
  std::memcpy(bytes.data(), &config, sizeof(Config));
  return bytes;
}

template <typename Config>
Config read_config(const Op& op) {
  Config config{};
  if (op.config.size() == sizeof(Config)) std::memcpy(&config, op.config.data(), sizeof(Config));
  return config;
}

template <typename Config, typename Edit>
void edit_config(Op& op, const Edit& edit) {
  Config config = read_config<Config>(op);
  edit(config);
  op.config = config_bytes(config);
}

/// Largest alignment up to 64 that an offset and a stride leave.
inline std::uint32_t view_alignment(std::uint64_t offset_bytes, std::uint64_t stride_bytes) {
  const std::uint64_t bits = offset_bytes | stride_bytes | 64U;
  return static_cast<std::uint32_t>(bits & (~bits + 1));
}

/// Standard deviation of biases.
inline constexpr float kBiasDeviation = 0.1F;
/// Standard deviation of a layer's sums that keeps the second moment at 1 behind the activation, for unit inputs.
float default_gain(detent_activation activation);
/// The config of a whole convolution of `x`, with the activation. @throws std::invalid_argument  groups do not divide
detent_conv2d_config conv_config(const Builder& b, const std::string& name, const Tensor& x, const ConvOptions& o);
/// Dims of its packed weights, and logical dims and groups of their values.
std::vector<std::int32_t> conv_weight_dims(const Tensor& x, const detent_conv2d_config& config);
WeightInit conv_weight_init(const detent_conv2d_config& config);
std::uint64_t conv_flops(const detent_conv2d_config& config);
/// Of a whole image `x` in C16. @throws std::invalid_argument  another layout
detent_pool_config pool_config(const Builder& b, const std::string& name, const Tensor& x, const PoolOptions& o);
detent_reorder_config global_pool_config(const Builder& b, const std::string& name, const Tensor& x);

}  // namespace detent::models
