// Layers of a network over a Builder: each appends one op and returns the tensor it writes. Images are F32 [1,C,H,W]:
// inputs PLAIN, everything a convolution or pool writes C16.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <detent/op_config.h>

#include "models/builder/builder.hpp"

namespace detent::models {

/// Square convolution. Output rows and columns: (in + 2*pad - dilation*(kernel-1) - 1) / stride + 1.
struct ConvOptions {
  std::int32_t out_channels = 0;
  std::int32_t kernel = 1;
  std::int32_t stride = 1;
  std::int32_t pad = -1;  ///< -1: dilation*(kernel-1)/2, which keeps the size at stride 1
  std::int32_t dilation = 1;
  std::int32_t groups = 1;
  detent_activation activation = DETENT_ACT_NONE;
  std::uint32_t residual = kNone;  ///< added after the activation; same shape as the output
  float gain = 0.0F;               ///< standard deviation of the output for inputs of 1; 0: He's, by the activation
};

struct PoolOptions {
  std::int32_t kernel = 2;
  std::int32_t stride = 2;
  std::int32_t pad = 0;
};

TensorId conv(Builder& b, const std::string& name, TensorId x, const ConvOptions& o);
TensorId max_pool(Builder& b, const std::string& name, TensorId x, const PoolOptions& options);
TensorId avg_pool(Builder& b, const std::string& name, TensorId x, const PoolOptions& options);
TensorId upsample(Builder& b, const std::string& name, TensorId x, std::int32_t factor);
/// C16 [1,C,H,W] to PLAIN [1,C].
TensorId global_avg_pool(Builder& b, const std::string& name, TensorId x);
/// PLAIN [m,k] times seeded weights [k,n], plus a bias.
TensorId gemm(Builder& b, const std::string& name, TensorId a, std::int32_t n,
              detent_activation activation = DETENT_ACT_NONE);
/// PLAIN [m,k] times a constant [k,n] of Builder::constant, no bias.
TensorId gemm_constant(Builder& b, const std::string& name, TensorId a, TensorId matrix);
/// PLAIN [rows, columns], along columns.
TensorId softmax(Builder& b, const std::string& name, TensorId x);
/// Kernel "mix": reads all inputs, writes one U8 tensor of `bytes`.
TensorId mix(Builder& b, const std::string& name, const std::vector<TensorId>& inputs, std::uint64_t bytes);

}  // namespace detent::models
