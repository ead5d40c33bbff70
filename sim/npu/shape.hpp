// A layer as the array sees it: a GEMM, a convolution that becomes one by im2col, or element-wise work.
#pragma once

#include <cstdint>
#include <string>

#include "sim/npu/array.hpp"

namespace detent::sim::npu {

/// A convolution over an unpadded input of in_h x in_w pixels (a padded layer states its padded size).
struct Conv {
  std::uint64_t in_h = 0, in_w = 0;
  std::uint64_t filter_h = 0, filter_w = 0;
  std::uint64_t channels = 0;
  std::uint64_t filters = 0;
  std::uint64_t stride_h = 1, stride_w = 1;

  /// ceil((in - filter + stride) / stride): a last window may reach over the edge; what lies beyond is not fetched.
  [[nodiscard]] std::uint64_t out_h() const;
  [[nodiscard]] std::uint64_t out_w() const;
};

struct Layer {
  enum class Kind : std::uint8_t { kGemm, kConv, kElementwise } kind = Kind::kGemm;
  std::string name;
  Gemm gemm{};                    ///< kGemm
  Conv conv{};                    ///< kConv
  std::uint64_t groups = 1;       ///< the layer runs this often, one after the other (depthwise: channels)
  std::uint64_t elements = 0;     ///< kElementwise: results
  std::uint64_t input_count = 2;  ///< kElementwise: operands per result
};

/// The GEMM of one group. @throws std::invalid_argument  a dimension that cannot be, naming it
Gemm layer_gemm(const Layer& layer);

}  // namespace detent::sim::npu
