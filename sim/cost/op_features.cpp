// Features of one op: what its exec config says it computes, as amounts of work and as a place among its like.
#include <algorithm>
#include <cmath>
#include <cstring>

#include <detent/op_config.h>

#include "sim/cost/kernel_model.hpp"

namespace detent::sim {
namespace {

constexpr double kLanes = 16;        // channels of a block
constexpr double kTileColumns = 14;  // pixels of a row that the widest convolution keeps in registers

/// The exec config as T, null where it has another size.
template <typename T>
const T* config_as(const detent_desc& desc, const detent_op& op) {
  if (op.config_size != sizeof(T)) return nullptr;
  return reinterpret_cast<const T*>(desc.config_bytes + op.config_offset);
}

double blocks_of(std::int32_t channels) { return std::ceil(channels / kLanes); }
double log_of(double value) { return std::log2(std::max(value, 1.0)); }

/// Smallest stretch of bytes without a gap among all operands: strided views are slower than dense tensors.
double least_stretch(const detent_desc& desc, const detent_op& op) {
  double least = 1e18;
  for (const detent_slice& slice : {op.inputs, op.outputs}) {
    for (std::uint32_t i = 0; i < slice.count; ++i) {
      least = std::min(least, static_cast<double>(desc.tensors[desc.tensor_refs[slice.first + i]].block_bytes));
    }
  }
  return least;
}

/// Activations differ in price by two orders of magnitude.
double costs_exponential(std::int32_t activation) {
  return activation == DETENT_ACT_SILU || activation == DETENT_ACT_SIGMOID ? 1.0 : 0.0;
}

void add_convolution(const detent_conv2d_config& c, OpFeatures& features) {
  const bool depthwise = c.groups > 1 && c.groups == c.in_channels && c.groups == c.out_channels;
  const bool plain = c.in_channels < 16 && c.groups == 1;
  const bool pointwise = c.kernel_h == 1 && c.kernel_w == 1;
  features.group += depthwise ? " depthwise" : plain ? " image" : pointwise ? " pointwise" : " spatial";
  if (!depthwise && c.stride_w > 1) features.group += " strided";
  const double rows = c.row_end - c.row_begin;
  const double columns = pointwise && c.stride_w == 1 ? rows * c.out_w : c.out_w;  // a band without windows is one row
  const double pixels = rows * c.out_w;
  const double taps = static_cast<double>(c.kernel_h) * c.kernel_w;
  const double depth = depthwise ? taps : taps * (plain ? c.in_channels : blocks_of(c.in_channels) * kLanes);
  const double out_blocks = blocks_of(c.out_channels);
  const double tiles_per_row = std::ceil(columns / kTileColumns);
  const double tiles = pixels / columns * tiles_per_row * (depthwise ? out_blocks : std::ceil(out_blocks / 2));
  const double edges = pointwise ? 0.0 : rows * std::min(tiles_per_row, 2.0) * std::ceil(out_blocks / 2) * depth;
  features.work.push_back(pixels * depth * out_blocks);                            // vector multiply-adds
  features.work.push_back(tiles);                                                  // calls
  features.work.push_back(tiles * depth);                                          // weights into registers
  features.work.push_back(pixels * out_blocks);                                    // vectors finished
  features.work.push_back(pixels * out_blocks * costs_exponential(c.activation));  // with an exponential
  features.work.push_back(edges);                                                  // taps over the edge
  features.work.push_back(depth * out_blocks * kLanes * 4);                        // bytes of weights
  features.place = {0.5 * log_of(c.in_channels),
                    0.5 * log_of(c.out_channels),
                    1.0 * log_of(columns),
                    0.35 * log_of(pixels),
                    2.0 * log_of(c.kernel_w),
                    1.0 * log_of(c.stride_w),
                    0.5 * costs_exponential(c.activation),
                    0.25 * c.has_residual};
}

void add_pool(const detent_pool_config& c, OpFeatures& features) {
  const double pixels = static_cast<double>(c.row_end - c.row_begin) * c.out_w * blocks_of(c.channels);
  features.work.push_back(pixels);
  features.work.push_back(pixels * c.kernel_h * c.kernel_w);
  features.place = {log_of(c.kernel_w) * 2, log_of(c.stride_w) * 2, log_of(pixels), 0.5 * log_of(c.out_w)};
}

void add_matrix(const detent_gemm_config& c, OpFeatures& features) {
  const double rows = c.row_end - c.row_begin;
  features.group += c.n == 1 ? " column" : rows < 4 ? " row" : "";
  features.work.push_back(rows * c.n * std::ceil(c.k / kLanes));
  features.work.push_back(rows * std::ceil(c.n / kLanes) * c.k);
  features.work.push_back(rows * c.n);
  features.place = {log_of(rows), log_of(c.n), log_of(c.k)};
}

void add_rows(const detent_softmax_config& c, OpFeatures& features) {
  features.work.push_back(c.rows);
  features.work.push_back(static_cast<double>(c.rows) * std::ceil(c.columns / kLanes));
  features.place = {log_of(c.rows), 2 * log_of(c.columns)};
}

}  // namespace

OpFeatures op_features(const detent_desc& desc, OpId id) {
  const detent_op& op = desc.ops[id];
  const detent_op_cost none{};
  const detent_op_cost& cost = desc.costs != nullptr ? desc.costs[id] : none;
  const double flops = static_cast<double>(cost.flops);
  const double bytes = static_cast<double>(cost.read_bytes) + static_cast<double>(cost.write_bytes);
  OpFeatures features;
  features.kernel = desc.kernels[op.kernel];
  features.group = features.kernel;
  features.work = {1.0, flops, bytes};
  features.place = {log_of(flops), log_of(bytes), 0.5 * log_of(least_stretch(desc, op))};
  const auto is = [&](const char* name) { return features.kernel == name; };
  if (const auto* conv = config_as<detent_conv2d_config>(desc, op); is("conv2d_f32") && conv != nullptr) {
    add_convolution(*conv, features);
  } else if (const auto* conv_i8 = config_as<detent_conv2d_i8_config>(desc, op);
             is("conv2d_i8") && conv_i8 != nullptr) {
    add_convolution(conv_i8->conv, features);
  } else if (const auto* gemm_i8 = config_as<detent_gemm_i8_config>(desc, op); is("gemm_i8") && gemm_i8 != nullptr) {
    add_matrix(gemm_i8->gemm, features);
  } else if (const auto* pool = config_as<detent_pool_config>(desc, op);
             (is("max_pool_f32") || is("avg_pool_f32") || is("max_pool_i8")) && pool != nullptr) {
    add_pool(*pool, features);
  } else if (const auto* gemm = config_as<detent_gemm_config>(desc, op); is("gemm_f32") && gemm != nullptr) {
    add_matrix(*gemm, features);
  } else if (const auto* rows = config_as<detent_softmax_config>(desc, op); is("softmax_f32") && rows != nullptr) {
    add_rows(*rows, features);
  } else if (const auto* unary = config_as<detent_elementwise_config>(desc, op);
             (is("unary_f32") || is("binary_f32")) && unary != nullptr) {
    features.group += " " + std::to_string(unary->op) + " " + std::to_string(unary->activation);
    if (is("binary_f32")) features.group = features.kernel;
  }
  return features;
}

}  // namespace detent::sim
