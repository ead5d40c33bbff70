// Builder: a Model under construction. Its methods append inputs, weights, tensors, views and ops; the layers of a
// network are functions over it (layers.hpp, elementwise.hpp, reorder.hpp, concat.hpp,
// quantised.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "models/core/model.hpp"

namespace detent::models {

/// A rectangular part of a base: `block_count` blocks of `block_bytes`, `stride_bytes` apart.
struct ViewOptions {
  std::vector<std::int32_t> dims;
  std::uint64_t offset_bytes = 0;
  std::uint64_t block_bytes = 0;
  std::uint64_t stride_bytes = 0;
  std::uint32_t block_count = 1;
};

/// Builds one Model with tensors, views, ops, weights, edges and flops; no memory plan yet. Names of ops are given, a
/// tensor is named like its op. Ids are dense and in call order, so the op ids are a topological order. Methods, and
/// the layer functions over them, throw std::invalid_argument on shapes that do not fit; the text names the op.
class Builder {
 public:
  explicit Builder(std::string name, std::uint64_t weight_seed = 1);

  TensorId input(const std::string& name, std::vector<std::int32_t> dims, detent_dtype dtype = DETENT_F32);
  /// A dense PLAIN tensor that later ops write, whole or through views.
  TensorId buffer(const std::string& name, std::vector<std::int32_t> dims);
  /// A weight tensor of given values; several ops may share it.
  TensorId constant(const std::string& name, std::vector<std::int32_t> dims, const std::vector<float>& values);
  /// Part of a tensor's bytes; reads and writes through it count as accesses to exactly those bytes.
  TensorId view(const std::string& name, TensorId base, const ViewOptions& options);
  /// The same dense bytes under other dims, as PLAIN. A C16 tensor [1,C,H,W] with C % 16 == 0 reads as [C/16,H,W,16].
  TensorId reshape(const std::string& name, TensorId x, std::vector<std::int32_t> dims);
  /// An op that copies; `into` names a tensor or view made beforehand to write to.
  TensorId copy(const std::string& name, TensorId x, TensorId into = kNone);
  /// Ops that are appended from here to end_branch are executed in the runs in which the condition, a BOOL of one
  /// element, has this value (DETENT_OP_GUARDED). Branches nest; a condition that an op of an outer branch did not
  /// decide cannot guard an inner one.
  void begin_branch(TensorId condition, bool value);
  void end_branch();
  /// The op appended last may fail without ending the run (DETENT_OP_FALLIBLE). What else it writes is for branches
  /// in which it has not failed.
  /// @return  a condition: it has failed
  TensorId let_fail();
  /// Make a tensor a model output. A model input is copied first.
  void output(TensorId x);
  /// The Model, with edges derived from the bytes that ops touch (models/core/dag.hpp). The builder is empty
  /// afterwards.
  Model finish();

  /// What layer functions are made of. A tensor that an op will write:
  TensorId activation(const std::string& name, detent_layout layout, std::vector<std::int32_t> dims,
                      detent_dtype dtype = DETENT_F32);
  /// `into` where one is named, else a new activation of these dims.
  TensorId target(const std::string& name, detent_layout layout, std::vector<std::int32_t> dims, TensorId into);
  /// A PLAIN weight; its values come from `init` and the weight's name.
  TensorId weight(const std::string& name, std::vector<std::int32_t> dims, WeightInit init,
                  detent_dtype dtype = DETENT_F32);
  Op& op(const std::string& name, const std::string& kernel, const std::vector<TensorId>& inputs, TensorId output);
  /// Make `root` and everything that views it a view of `base`.
  void embed(TensorId root, TensorId base, std::uint64_t offset_bytes);
  [[noreturn]] void fail(const std::string& op, const std::string& what) const;

  /// The op appended last; for core class, times and priority.
  Op& last_op() { return model_.ops.back(); }
  [[nodiscard]] const Tensor& tensor(TensorId id) const { return model_.tensors.at(id); }
  [[nodiscard]] const Model& model() const { return model_; }

 private:
  TensorId add_tensor(const std::string& name, TensorRole role, detent_layout layout, std::vector<std::int32_t> dims,
                      detent_dtype dtype = DETENT_F32);

  struct Branch {
    TensorId condition = kNone;
    Guarded guarded = Guarded::kNo;
    std::size_t first_op = 0;
  };

  Model model_;
  std::vector<Branch> branches_;  ///< open, outermost first
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
