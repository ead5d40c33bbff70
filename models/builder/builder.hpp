// Builder: calls that name layers -> a Model with tensors, views, ops, weights, edges and flops. No memory plan yet.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include <detent/op_config.h>

#include "models/core/model.hpp"

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

/// A rectangular part of a base: `block_count` blocks of `block_bytes`, `stride_bytes` apart.
struct ViewOptions {
  std::vector<std::int32_t> dims;
  std::uint64_t offset_bytes = 0;
  std::uint64_t block_bytes = 0;
  std::uint64_t stride_bytes = 0;
  std::uint32_t block_count = 1;
};

/// Builds one Model. Every layer method appends one op (views append none) and returns the tensor it writes; names of
/// ops are given, a tensor is named like its op. Images are F32 [1,C,H,W]: inputs PLAIN, everything a convolution or
/// pool writes C16. `into` names a tensor or view made beforehand to write to. Ids are dense and in call order, so the
/// op ids are a topological order. Methods throw std::invalid_argument on shapes that do not fit; the text names the
/// op.
class Builder {
 public:
  using Id = std::uint32_t;

  explicit Builder(std::string name, std::uint64_t weight_seed = 1);

  Id input(const std::string& name, std::vector<std::int32_t> dims, detent_dtype dtype = DETENT_F32);
  /// A dense PLAIN tensor that later ops write, whole or through views.
  Id buffer(const std::string& name, std::vector<std::int32_t> dims);
  /// Part of a tensor's bytes; reads and writes through it count as accesses to exactly those bytes.
  Id view(const std::string& name, Id base, const ViewOptions& options);
  /// The same dense bytes under other dims, as PLAIN. A C16 tensor [1,C,H,W] with C % 16 == 0 reads as [C/16,H,W,16].
  Id reshape(const std::string& name, Id x, std::vector<std::int32_t> dims);
  /// Channels [begin, begin+count) of a C16 tensor: a view when begin % 16 == 0 (and count too unless it is the
  /// tail), else a real copy through PLAIN.
  Id channels(const std::string& name, Id x, std::int32_t begin, std::int32_t count);
  /// Along channels for C16 [1,C,H,W] and dimension 0 for PLAIN. Parts become views of one base where their bytes
  /// allow it; a part that is an input, stands elsewhere already or whose channel offset is no multiple of 16 is
  /// copied.
  Id concat(const std::string& name, const std::vector<Id>& parts);

  Id conv(const std::string& name, Id x, const ConvOptions& options);
  Id max_pool(const std::string& name, Id x, const PoolOptions& options);
  Id avg_pool(const std::string& name, Id x, const PoolOptions& options);
  Id upsample(const std::string& name, Id x, std::int32_t factor);
  /// C16 [1,C,H,W] to PLAIN [1,C].
  Id global_avg_pool(const std::string& name, Id x);
  /// PLAIN [m,k] times seeded weights [k,n], plus a bias.
  Id gemm(const std::string& name, Id a, std::int32_t n, detent_activation activation = DETENT_ACT_NONE);
  /// A given weight tensor, for the two methods below; several ops may share it.
  Id constant(const std::string& name, std::vector<std::int32_t> dims, const std::vector<float>& values);
  /// PLAIN [m,k] times a constant [k,n], no bias.
  Id gemm_constant(const std::string& name, Id a, Id matrix);
  Id binary(const std::string& name, detent_binary op, Id a, Id b, detent_activation activation = DETENT_ACT_NONE,
            Id into = kNone);
  /// Element-wise with a constant of as many elements as x, or of one.
  Id binary_constant(const std::string& name, detent_binary op, Id x, Id values, Id into = kNone);
  Id unary(const std::string& name, Id x, detent_activation activation, Id into = kNone);
  Id copy(const std::string& name, Id x, Id into = kNone);
  /// PLAIN [rows, columns], along columns.
  Id softmax(const std::string& name, Id x);
  Id transpose(const std::string& name, Id x, const std::vector<std::int32_t>& axes);
  Id to_plain(const std::string& name, Id x, detent_activation activation = DETENT_ACT_NONE, Id into = kNone);
  Id to_c16(const std::string& name, Id x);
  /// Kernel "mix": reads all inputs, writes one U8 tensor of `bytes`.
  Id mix(const std::string& name, const std::vector<Id>& inputs, std::uint64_t bytes);

  /// Make a tensor a model output. A model input is copied first.
  void output(Id x);
  /// The op appended last; for core class, times and priority.
  Op& last_op() { return model_.ops.back(); }
  [[nodiscard]] const Tensor& tensor(Id id) const { return model_.tensors.at(id); }
  /// The Model, with edges derived from the bytes that ops touch (models/core/dag.hpp). The builder is empty
  /// afterwards.
  Model finish();

 private:
  Id add_tensor(const std::string& name, TensorRole role, detent_layout layout, std::vector<std::int32_t> dims,
                detent_dtype dtype = DETENT_F32);
  Id add_weight(const std::string& name, std::vector<std::int32_t> dims, WeightInit init);
  Op& add_op(const std::string& name, const std::string& kernel, const std::vector<Id>& inputs, Id output);
  Id target(const std::string& name, detent_layout layout, std::vector<std::int32_t> dims, Id into);
  Id pool(const std::string& name, const std::string& kernel, Id x, const PoolOptions& options);
  Id elementwise(const std::string& name, const std::string& kernel, std::vector<Id> inputs, Id into);
  Id conv_weights(const std::string& name, const Tensor& x, const ConvOptions& options, std::int32_t in_channels);
  Id concat_c16(const std::string& name, const std::vector<Id>& parts);
  Id concat_through_plain(const std::string& name, const std::vector<Id>& parts);
  Id concat_rows(const std::string& name, const std::vector<Id>& parts);
  Id place_parts(Id base, const std::vector<Id>& parts);
  [[nodiscard]] bool can_embed(const std::vector<Id>& parts, const std::vector<std::uint64_t>& offsets,
                               std::size_t part) const;
  void embed(Id root, Id base, std::uint64_t offset_bytes);
  [[noreturn]] void fail(const std::string& op, const std::string& what) const;

  Model model_;
};

/// Elements of a tensor as stored: padding channels of C16 included.
[[nodiscard]] std::uint64_t stored_elements(const Tensor& tensor);
/// Bytes of a dense tensor of these dims. @throws std::invalid_argument  a dimension that is not positive
[[nodiscard]] std::uint64_t dense_bytes(detent_dtype dtype, detent_layout layout,
                                        const std::vector<std::int32_t>& dims);
/// Parameters of the model: logical weights of convolutions and matrix products, without the padding that packing adds.
[[nodiscard]] std::uint64_t parameter_count(const Model& model);
[[nodiscard]] std::uint64_t total_flops(const Model& model);

}  // namespace detent::models
