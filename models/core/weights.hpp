// Weights: WeightInit and a model's seed -> the bytes of a weight tensor. Same inputs, same bytes, on every machine.
#pragma once

#include <cstdint>
#include <span>

#include "base/ids.hpp"
#include "models/core/model.hpp"

namespace detent::models {

/// Write the bytes of a weight tensor as the kernels read them (packing of runtime/include/detent/op_config.h).
///
/// kHeNormal draws one value per logical weight, in logical order, from a counter-based generator keyed by
/// (model.weight_seed, init.stream), so the value of a logical weight does not depend on how it is packed. The values
/// are a sum of four uniforms: mean 0, standard deviation init.scale, within +-3.47 of it, exact integer arithmetic
/// but for one multiplication. What unpadded_dims says:
///   []              dims are the logical shape, row-major (gemm matrices)
///   [n]             a vector of n, padded with zeros to the tensor's size (biases)
///   [OC,IC/g,KH,KW] a convolution: dense [OC/16][IC/ib][KH][KW][ib][16] with ib = tensor.dims[4]; block-diagonal when
///                   1 < groups; depthwise [C/16][KH][KW][16] when the tensor has rank 4 and groups == OC
/// I8 and I32 hold the nearest integer to the value, the even one of two, within +-127 and +-(2^31 - 1).
/// kConstant fills every element of the logical shape; padding stays 0. kBytes copies. kWinograd draws a convolution of
/// 3x3 taps as kHeNormal does, and transforms each filter: F32 [OC/16][36][IC/16][16][16].
///
/// @param model   tensors[tensor].role is kWeight and its size_bytes matches dims
/// @param out     tensors[tensor].size_bytes bytes, at least 4-byte aligned
/// @throws InputError  a size, dtype or shape that does not fit; names the tensor
/// @note   about 1 ns per weight
void materialise_weight(const Model& model, TensorId tensor, std::span<std::uint8_t> out);

/// The 36 weights of F(4x4, 3x3) of a filter of 3x3 taps, row by row: G g G^T (runtime/include/detent/op_config.h),
/// each rounded once.
void winograd_filter(std::span<const float, 9> filter, std::span<float, 36> to);

/// One draw: mean 0, standard deviation 1; the `index`-th of the stream.
[[nodiscard]] float weight_draw(std::uint64_t seed, std::uint64_t stream, std::uint64_t index);

}  // namespace detent::models
