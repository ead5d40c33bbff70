// im2col: a convolution's dimensions -> those of a GEMM.
#include "sim/npu/shape.hpp"

#include <stdexcept>
#include <string>
#include <utility>

#include "sim/npu/checked.hpp"

namespace detent::sim::npu {
namespace {

void require_in_range(std::uint64_t value, const char* name) {
  if (value != 0 && value <= kMaxDim) return;
  throw std::invalid_argument("NPU: " + std::string(name) + " is " + std::to_string(value) +
                              "; give a number from 1 to " + std::to_string(kMaxDim));
}

Gemm conv_gemm(const Conv& conv) {
  for (const auto& [value, name] : {std::pair{conv.in_h, "the input height"},
                                    {conv.in_w, "the input width"},
                                    {conv.filter_h, "the filter height"},
                                    {conv.filter_w, "the filter width"},
                                    {conv.channels, "the number of channels"},
                                    {conv.filters, "the number of filters"},
                                    {conv.stride_h, "the stride"},
                                    {conv.stride_w, "the stride"}})
    require_in_range(value, name);
  if (conv.filter_h > conv.in_h || conv.filter_w > conv.in_w)
    throw std::invalid_argument("NPU: the filter is larger than the input; add the padding to the input's size");
  return {checked_product(conv.out_h(), conv.out_w()), conv.filters,
          checked_product(checked_product(conv.filter_h, conv.filter_w), conv.channels)};
}

}  // namespace

std::uint64_t Conv::out_h() const { return divide_up(in_h - filter_h + stride_h, stride_h); }
std::uint64_t Conv::out_w() const { return divide_up(in_w - filter_w + stride_w, stride_w); }

Gemm layer_gemm(const Layer& layer) {
  if (layer.kind == Layer::Kind::kConv) return conv_gemm(layer.conv);
  for (const auto& [value, name] : {std::pair{layer.gemm.m, "M"}, {layer.gemm.n, "N"}, {layer.gemm.k, "K"}})
    require_in_range(value, name);
  return layer.gemm;
}

}  // namespace detent::sim::npu
