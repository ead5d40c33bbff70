// Ops of a Desc on the NPU: which unit, how many cycles, what moves.
#include "sim/npu/layer.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include <detent/op_config.h>

#include "sim/npu/traffic.hpp"

namespace detent::sim::npu {
namespace {

/// A Desc of one op; only what a cost depends on is filled.
class OneOp {
 public:
  template <typename Config>
  OneOp(const char* kernel, const Config& config) : kernel_(kernel), bytes_(sizeof(Config) / 8 + 1) {
    std::memcpy(bytes_.data(), &config, sizeof(Config));
    op_.config_size = sizeof(Config);
    for (detent_tensor& tensor : tensors_) {
      tensor.rank = 1;
      tensor.dims[0] = 640;
    }
    op_.inputs = {0, 2};
    desc_.ops = &op_;
    desc_.op_count = 1;
    desc_.kernels = &kernel_;
    desc_.kernel_count = 1;
    desc_.tensors = tensors_.data();
    desc_.tensor_refs = refs_.data();
    desc_.config_bytes = reinterpret_cast<const std::uint8_t*>(bytes_.data());
  }
  OneOp(const OneOp&) = delete;
  OneOp& operator=(const OneOp&) = delete;

  std::optional<LayerCost> cost(const NpuConfig& config = {}) const { return layer_cost(desc_, 0, config); }
  detent_op& op() { return op_; }
  detent_tensor& tensor(std::size_t index) { return tensors_[index]; }

 private:
  const char* kernel_;
  std::vector<std::uint64_t> bytes_;
  std::array<detent_tensor, 2> tensors_{};
  std::array<std::uint32_t, 2> refs_{0, 1};
  detent_op op_{};
  detent_desc desc_{};
};

detent_conv2d_config conv_config() {
  detent_conv2d_config c{};
  c.in_channels = 64, c.in_h = 56, c.in_w = 56;
  c.out_channels = 128, c.out_h = 56, c.out_w = 56;
  c.kernel_h = c.kernel_w = 3;
  c.stride_h = c.stride_w = c.dilation_h = c.dilation_w = c.groups = 1;
  c.pad_top = c.pad_left = 1;
  c.row_end = 56;
  return c;
}

TEST(NpuLayer, ConvolutionIsAGemmOnTheArray) {
  const auto cost = OneOp("conv2d_f32", conv_config()).cost();
  ASSERT_TRUE(cost);
  EXPECT_TRUE(cost->on_array);
  EXPECT_EQ(cost->gemm.m, 56U * 56U);
  EXPECT_EQ(cost->gemm.n, 128U);
  EXPECT_EQ(cost->gemm.k, 576U);
  EXPECT_EQ(cost->macs, 56U * 56U * 128U * 576U);
  EXPECT_EQ(cost->compute_cycles, 18U * 4U * (56U * 56U + 94U));
  EXPECT_EQ(cost->dram_read_bytes, 56U * 56U * 64U + 576U * 128U + 128U);
  EXPECT_EQ(cost->dram_write_bytes, 56U * 56U * 128U);
  EXPECT_GT(cost->utilisation, 0.9);
}

TEST(NpuLayer, ARowBandCostsItsRows) {
  detent_conv2d_config config = conv_config();
  config.row_begin = 14, config.row_end = 28;
  config.has_residual = 1;
  const auto cost = OneOp("conv2d_f32", config).cost();
  ASSERT_TRUE(cost);
  EXPECT_EQ(cost->gemm.m, 14U * 56U);
  EXPECT_EQ(cost->dram_read_bytes, 16U * 56U * 64U + 576U * 128U + 128U + 14U * 56U * 128U);
}

TEST(NpuLayer, DepthwiseRunsOneGemmPerChannel) {
  detent_conv2d_config config = conv_config();
  config.out_channels = config.groups = 64;
  const auto cost = OneOp("conv2d_f32", config).cost();
  ASSERT_TRUE(cost);
  EXPECT_EQ(cost->groups, 64U);
  EXPECT_EQ(cost->gemm.n, 1U);
  EXPECT_EQ(cost->gemm.k, 9U);
  EXPECT_EQ(cost->macs, 64U * 9U * 56U * 56U);
  EXPECT_LT(cost->utilisation, 0.02);
  EXPECT_EQ(cost->dram_read_bytes, 56U * 56U * 64U + 9U * 64U + 64U);
}

// An element is one byte whatever the chip's operands are; bias and multiplier of a channel are four bytes each.
TEST(NpuLayer, Int8LayersMoveBytes) {
  detent_conv2d_i8_config conv{};
  conv.conv = conv_config();
  NpuConfig wide{};
  wide.word_bytes = 4;
  for (const NpuConfig& config : {NpuConfig{}, wide}) {
    const auto cost = OneOp("conv2d_i8", conv).cost(config);
    ASSERT_TRUE(cost);
    EXPECT_TRUE(cost->on_array);
    EXPECT_EQ(cost->macs, 56U * 56U * 128U * 576U);
    EXPECT_EQ(cost->dram_read_bytes, 56U * 56U * 64U + 576U * 128U + 8 * 128U);
    EXPECT_EQ(cost->dram_write_bytes, 56U * 56U * 128U);
  }
  detent_gemm_i8_config gemm{};
  gemm.gemm.m = gemm.gemm.row_end = 1;
  gemm.gemm.n = 1000, gemm.gemm.k = 512, gemm.gemm.has_bias = 1;
  const auto cost = OneOp("gemm_i8", gemm).cost(wide);
  ASSERT_TRUE(cost);
  EXPECT_TRUE(cost->on_array);
  EXPECT_EQ(cost->dram_read_bytes, 512U + 512'000U + 8'000U);
  EXPECT_EQ(cost->dram_write_bytes, 1000U);
  EXPECT_FALSE(OneOp("quantize_f32_i8", detent_quantize_config{640, 1.0F, 0}).cost());
}

TEST(NpuLayer, Int8VectorOpsCountElements) {
  detent_add_i8_config add{};
  add.elements = 640;
  const auto sum = OneOp("add_i8", add).cost();
  ASSERT_TRUE(sum);
  EXPECT_FALSE(sum->on_array);
  EXPECT_EQ(sum->elements, 640U);
  EXPECT_EQ(sum->dram_write_bytes, 640U);
  detent_global_avg_pool_i8_config average{};
  average.pool = {.channels = 64, .h = 7, .w = 7, .to_plain = 1, .activation = 0, .reserved = 0};
  const auto mean = OneOp("global_avg_pool_i8", average).cost();
  ASSERT_TRUE(mean);
  EXPECT_EQ(mean->elements, 64U * 49U);
  EXPECT_EQ(mean->dram_write_bytes, 64U);
  EXPECT_FALSE(OneOp("add_i8", detent_add_i8_config{}).cost());
}

TEST(NpuLayer, FullyConnectedWastesTheArray) {
  detent_gemm_config config{};
  config.m = config.row_end = 1;
  config.n = 1000, config.k = 512, config.has_bias = 1;
  const auto cost = OneOp("gemm_f32", config).cost();
  ASSERT_TRUE(cost);
  EXPECT_EQ(cost->macs, 512'000U);
  EXPECT_EQ(cost->compute_cycles, 16U * 32U * (1U + 94U));
  EXPECT_LT(cost->utilisation, 0.03);
  EXPECT_EQ(cost->dram_read_bytes, 512U + 512'000U + 1000U);
}

TEST(NpuLayer, VectorUnitDoesTheRest) {
  detent_pool_config pool{};
  pool.channels = 64, pool.in_h = pool.in_w = 112, pool.out_h = pool.out_w = 56;
  pool.kernel_h = pool.kernel_w = 3, pool.stride_h = pool.stride_w = 2, pool.row_end = 56;
  auto cost = OneOp("max_pool_f32", pool).cost();
  ASSERT_TRUE(cost);
  EXPECT_FALSE(cost->on_array);
  EXPECT_EQ(cost->compute_cycles, 56U * 56U * 64U * 9U / 32U);
  EXPECT_EQ(cost->dram_read_bytes, 112U * 112U * 64U);
  pool.in_h = pool.in_w = 28, pool.kernel_h = pool.kernel_w = pool.stride_h = pool.stride_w = 2;
  cost = OneOp("upsample_nearest_f32", pool).cost();
  EXPECT_EQ(cost->elements, 56U * 56U * 64U);
  EXPECT_EQ(cost->dram_read_bytes, 28U * 28U * 64U);
  detent_reorder_config reorder{};
  reorder.channels = 10, reorder.h = 4, reorder.w = 4;
  EXPECT_EQ(OneOp("reorder_f32", reorder).cost()->dram_write_bytes, 160U);
  EXPECT_EQ(OneOp("global_avg_pool_f32", reorder).cost()->dram_write_bytes, 10U);
  detent_softmax_config softmax{};
  softmax.rows = 2, softmax.columns = 50;
  EXPECT_EQ(OneOp("softmax_f32", softmax).cost()->elements, 300U);
  detent_transpose_config transpose{};
  transpose.rank = 2, transpose.dims[0] = 8, transpose.dims[1] = 9;
  EXPECT_EQ(OneOp("transpose_f32", transpose).cost()->elements, 72U);
}

TEST(NpuLayer, AnOperandOfOneElementIsReadOnce) {
  detent_elementwise_config config{};
  config.elements = 640;
  OneOp add("binary_f32", config);
  EXPECT_EQ(add.cost()->dram_read_bytes, 1280U);
  EXPECT_EQ(add.cost()->compute_cycles, 20U);
  EXPECT_DOUBLE_EQ(add.cost()->utilisation, 1);
  add.tensor(1).dims[0] = 1;
  EXPECT_EQ(add.cost()->dram_read_bytes, 641U);
}

TEST(NpuLayer, ACopyMovesItsBytesInWordsOfTheNpu) {
  OneOp op("copy_blocks", detent_mix_config{});
  op.op().outputs = {1, 1};
  op.tensor(1).block_bytes = 100;
  op.tensor(1).block_count = 3;
  const std::optional<LayerCost> cost = op.cost({.word_bytes = 8, .vector_lanes = 16});
  ASSERT_TRUE(cost);
  EXPECT_FALSE(cost->on_array);
  EXPECT_EQ(cost->elements, 38U);
  EXPECT_EQ(cost->compute_cycles, 3U);
  EXPECT_EQ(cost->dram_read_bytes, 304U);
  EXPECT_EQ(cost->dram_write_bytes, 304U);
  op.op().outputs = {1, 0};
  EXPECT_FALSE(op.cost());
}

TEST(NpuLayer, UnmappableOpsHaveNoCost) {
  detent_mix_config mix{};
  EXPECT_FALSE(OneOp("mix", mix).cost());
  EXPECT_FALSE(OneOp("tvmgen_default_fused_nn_conv2d", conv_config()).cost());
  OneOp delay("copy_f32", detent_elementwise_config{.elements = 4, .op = 0, .activation = 0});
  delay.op().flags = DETENT_OP_DELAY;
  EXPECT_FALSE(delay.cost());
}

TEST(NpuLayer, B17_ImplausibleExecConfigsHaveNoCost) {
  detent_conv2d_config conv = conv_config();
  conv.out_w = 0;
  EXPECT_FALSE(OneOp("conv2d_f32", conv).cost());
  conv = conv_config();
  conv.groups = 0;
  EXPECT_FALSE(OneOp("conv2d_f32", conv).cost());
  OneOp cut("conv2d_f32", conv_config());
  cut.op().config_size = 8;
  EXPECT_FALSE(cut.cost());
  for (const char* kernel : {"gemm_f32", "max_pool_f32", "softmax_f32", "reorder_f32", "transpose_f32", "copy_f32"})
    EXPECT_FALSE(OneOp(kernel, detent_conv2d_config{}).cost()) << kernel;
}

TEST(NpuLayer, ImpossibleChipsAreRefused) {
  const OneOp op("conv2d_f32", conv_config());
  const auto refused = [&](auto change) {
    NpuConfig config;
    change(config);
    EXPECT_THROW(op.cost(config), std::invalid_argument);
  };
  refused([](NpuConfig& c) { c.array.rows = 0; });
  refused([](NpuConfig& c) { c.word_bytes = 0; });
  refused([](NpuConfig& c) { c.vector_lanes = 0; });
  refused([](NpuConfig& c) { c.port_bytes_per_cycle = 0; });
  refused([](NpuConfig& c) { c.input_buffer_bytes = 1; });
  refused([](NpuConfig& c) { c.weight_buffer_bytes = 1; });
  refused([](NpuConfig& c) { c.output_buffer_bytes = 1; });
  // Two words of four bytes are the least that a buffer holds.
  for (auto buffer :
       {&NpuConfig::input_buffer_bytes, &NpuConfig::weight_buffer_bytes, &NpuConfig::output_buffer_bytes}) {
    refused([&](NpuConfig& c) { c.word_bytes = 4, c.*buffer = 7; });
    NpuConfig least;
    least.word_bytes = 4;
    least.*buffer = 8;
    EXPECT_NO_THROW(op.cost(least));
  }
}

TEST(NpuTraffic, OperandsThatDoNotStayAreFetchedAgain) {
  const Gemm gemm{1000, 256, 512};
  const Array array{32, 32};
  const OperandWords words{512'000, 131'072, 256'000};
  const auto traffic = [&](Dataflow dataflow, std::uint64_t buffer) {
    return dram_traffic(gemm, map_gemm(gemm, array, dataflow), array, dataflow, {buffer, buffer, buffer}, words);
  };
  for (const Dataflow dataflow :
       {Dataflow::kOutputStationary, Dataflow::kWeightStationary, Dataflow::kInputStationary}) {
    const Traffic all = traffic(dataflow, 2'000'000);
    EXPECT_EQ(all.input_reads + all.weight_reads + all.partial_reads + all.output_writes, 899'072U);
  }
  const Traffic os = traffic(Dataflow::kOutputStationary, 1000);
  EXPECT_EQ(os.input_reads, 8U * 512'000U);
  EXPECT_EQ(os.weight_reads, 32U * 131'072U);
  const Traffic ws = traffic(Dataflow::kWeightStationary, 1000);
  EXPECT_EQ(ws.weight_reads, 131'072U);
  EXPECT_EQ(ws.output_writes, 16U * 256'000U);
  EXPECT_EQ(ws.partial_reads, 15U * 256'000U);
  const Traffic is = traffic(Dataflow::kInputStationary, 1000);
  EXPECT_EQ(is.input_reads, 512'000U);
  EXPECT_EQ(is.weight_reads, 32U * 131'072U);
}

}  // namespace
}  // namespace detent::sim::npu
