#include "bench/networks/onnx/op_reader.hpp"

#include <algorithm>

namespace detent::bench {
namespace {

/// The padding at the far end that gives `out` elements: as much as at the near end where that does.
std::int64_t far_padding(std::int32_t in, std::int32_t out, std::int32_t extent, std::int32_t stride,
                         std::int32_t near) {
  if ((in + 2 * near - extent) / stride + 1 == out) return near;
  return std::max(0, (out - 1) * stride + extent - in - near);
}

}  // namespace

void fail_export(const models::Model& model, const std::string& place, const std::string& what) {
  throw InputError(model.name, place, what + " has no counterpart in ONNX here");
}

std::vector<OnnxAttribute> convolution_attributes(const models::Model& model, const models::Op& op,
                                                  const detent_conv2d_config& c) {
  if (c.row_begin != 0 || c.row_end != c.out_h) fail_export(model, "op " + op.name, "a band of rows");
  const std::int64_t bottom = far_padding(c.in_h, c.out_h, c.dilation_h * (c.kernel_h - 1) + 1, c.stride_h, c.pad_top);
  const std::int64_t right = far_padding(c.in_w, c.out_w, c.dilation_w * (c.kernel_w - 1) + 1, c.stride_w, c.pad_left);
  return {{"kernel_shape", OnnxDims{c.kernel_h, c.kernel_w}},
          {"strides", OnnxDims{c.stride_h, c.stride_w}},
          {"dilations", OnnxDims{c.dilation_h, c.dilation_w}},
          {"pads", OnnxDims{c.pad_top, c.pad_left, bottom, right}},
          {"group", std::int64_t{c.groups}}};
}

std::vector<OnnxAttribute> pool_attributes(const models::Model& model, const models::Op& op,
                                           const detent_pool_config& c) {
  if (c.row_begin != 0 || c.row_end != c.out_h) fail_export(model, "op " + op.name, "a band of rows");
  const std::int64_t bottom = far_padding(c.in_h, c.out_h, c.kernel_h, c.stride_h, c.pad_top);
  const std::int64_t right = far_padding(c.in_w, c.out_w, c.kernel_w, c.stride_w, c.pad_left);
  return {{"kernel_shape", OnnxDims{c.kernel_h, c.kernel_w}},
          {"strides", OnnxDims{c.stride_h, c.stride_w}},
          {"pads", OnnxDims{c.pad_top, c.pad_left, bottom, right}}};
}

OnnxValue resize_nearest(const models::Model& model, OnnxGraph& graph, const models::Op& op,
                         const detent_pool_config& c, const OnnxValue& x) {
  if (c.row_begin != 0 || c.row_end != c.out_h) fail_export(model, "op " + op.name, "a band of rows");
  const OnnxValue scales = graph.floats(op.name + ".scales", {4},
                                        {1.0F, 1.0F, static_cast<float>(c.stride_h), static_cast<float>(c.stride_w)});
  return graph.node("Resize", op.name, {x, {}, scales}, {1, c.channels, c.out_h, c.out_w},
                    {{"mode", std::string("nearest")},
                     {"nearest_mode", std::string("floor")},
                     {"coordinate_transformation_mode", std::string("asymmetric")}});
}

}  // namespace detent::bench
