// The layers that networks of the zoo are made of, once in F32 and once in int8: a network is written once, over one of
// them. Layers of the same name have the same draws of weights in both.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "models/builder/builder.hpp"
#include "models/builder/concat.hpp"
#include "models/builder/elementwise.hpp"
#include "models/builder/layers.hpp"
#include "models/builder/quantised.hpp"

namespace detent::models::zoo_entries {

/// Layers whose builders say by the type of their values which kernels they take.
template <typename V>
class SharedLayers {
 public:
  using Value = V;

  Value max_pool(const std::string& name, const Value& x, const PoolOptions& o) {
    return models::max_pool(b_, name, x, o);
  }
  Value upsample(const std::string& name, const Value& x, std::int32_t factor) {
    return models::upsample(b_, name, x, factor);
  }
  Value channels(const std::string& name, const Value& x, std::int32_t begin, std::int32_t count) {
    return models::channels(b_, name, x, begin, count);
  }
  Value concat(const std::string& name, const std::vector<Value>& parts) { return models::concat(b_, name, parts); }
  Value global_avg_pool(const std::string& name, const Value& x) { return models::global_avg_pool(b_, name, x); }
  Value gemm(const std::string& name, const Value& a, std::int32_t n) { return models::gemm(b_, name, a, n); }

 protected:
  explicit SharedLayers(Builder& b) : b_(b) {}
  [[nodiscard]] Builder& builder() const { return b_; }

 private:
  Builder& b_;
};

/// Residuals are fused into convolutions.
class FloatLayers : public SharedLayers<TensorId> {
 public:
  explicit FloatLayers(Builder& b) : SharedLayers(b) {}

  Value image(const std::string& name, std::int32_t size) { return builder().input(name, {1, 3, size, size}); }
  /// The number of channels of a value.
  [[nodiscard]] std::int32_t channel_count(const Value& x) const { return builder().tensor(x).dims[1]; }
  Value conv(const std::string& name, const Value& x, const ConvOptions& o) {
    return models::conv(builder(), name, x, o);
  }
  /// The convolution, activated, plus `residual`.
  Value conv_plus(const std::string& name, const Value& x, ConvOptions o, const Value& residual) {
    o.residual = residual;
    return models::conv(builder(), name, x, o);
  }
  Value add(const std::string& name, const Value& left, const Value& right, detent_activation activation) {
    return binary(builder(), name, DETENT_BINARY_ADD, left, right, activation);
  }
  /// As F32.
  TensorId floats(const std::string& /*name*/, const Value& x) { return x; }
};

/// The image becomes I8; what is added to a convolution is an op of its own.
class Int8Layers : public SharedLayers<Quantised> {
 public:
  /// @param shared  the number that element 127 stands for of every convolution with SiLU and every residual, so that
  ///                they can be concatenated; 0: of each what it needs
  explicit Int8Layers(Builder& b, double shared = 0) : SharedLayers(b), shared_(shared) {}

  Value image(const std::string& name, std::int32_t size) {
    constexpr double kDeviation = 0.577;  // of numbers spread evenly over [-1, 1)
    return quantise(builder(), name + ".i8", builder().input(name, {1, 3, size, size}), 1.0, kDeviation);
  }
  [[nodiscard]] std::int32_t channel_count(const Value& x) const { return builder().tensor(x.id).dims[1]; }
  Value conv(const std::string& name, const Value& x, const ConvOptions& o) {
    return models::conv(builder(), name, x, o, o.activation == DETENT_ACT_SILU ? shared_ : 0);
  }
  Value conv_plus(const std::string& name, const Value& x, const ConvOptions& o, const Value& residual) {
    const Value y = conv(name, x, o);
    return models::add(builder(), name + ".residual", y, residual, DETENT_ACT_NONE, shared_);
  }
  Value add(const std::string& name, const Value& left, const Value& right, detent_activation activation) {
    return models::add(builder(), name, left, right, activation);
  }
  TensorId floats(const std::string& name, const Value& x) { return dequantise(builder(), name + ".f32", x); }

 private:
  double shared_;
};

}  // namespace detent::models::zoo_entries
