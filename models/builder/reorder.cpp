#include "models/builder/reorder.hpp"

#include <utility>

#include <detent/op_config.h>

#include "models/builder/builder_internal.hpp"

namespace detent::models {

TensorId transpose(Builder& b, const std::string& name, TensorId x, const std::vector<std::int32_t>& axes) {
  const Tensor in = b.tensor(x);
  if (axes.size() != in.dims.size() || axes.size() > DETENT_MAX_RANK)
    b.fail(name, "must have one axis per dimension, at most 6");
  detent_transpose_config config{};
  config.rank = static_cast<std::int32_t>(axes.size());
  std::vector<std::int32_t> dims;
  std::uint32_t seen = 0;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i] < 0 || axes[i] >= config.rank || (seen >> axes[i] & 1U) != 0)
      b.fail(name, "axes must be a permutation");
    seen |= 1U << axes[i];
    config.dims[i] = in.dims[i];
    config.axes[i] = axes[i];
    dims.push_back(in.dims[static_cast<std::size_t>(axes[i])]);
  }
  const TensorId y = b.activation(name, DETENT_LAYOUT_PLAIN, std::move(dims));
  b.op(name, "transpose_f32", {x}, y).config = config_bytes(config);
  return y;
}

TensorId to_plain(Builder& b, const std::string& name, TensorId x, detent_activation activation, TensorId into) {
  const Tensor in = b.tensor(x);
  if (in.layout != DETENT_LAYOUT_C16) b.fail(name, "the tensor is PLAIN already");
  const TensorId y = b.target(name, DETENT_LAYOUT_PLAIN, in.dims, into);
  detent_reorder_config config{in.dims[1], in.dims[2], in.dims[3], 1, activation, 0};
  b.op(name, "reorder_f32", {x}, y).config = config_bytes(config);
  return y;
}

TensorId to_c16(Builder& b, const std::string& name, TensorId x) {
  const Tensor in = b.tensor(x);
  if (in.layout != DETENT_LAYOUT_PLAIN || in.dims.size() != 4) b.fail(name, "must read PLAIN [1,C,H,W]");
  const TensorId y = b.activation(name, DETENT_LAYOUT_C16, in.dims);
  detent_reorder_config config{in.dims[1], in.dims[2], in.dims[3], 0, DETENT_ACT_NONE, 0};
  b.op(name, "reorder_f32", {x}, y).config = config_bytes(config);
  return y;
}

}  // namespace detent::models
