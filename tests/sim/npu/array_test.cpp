// The equations of the array on numbers that can be checked by hand.
#include "sim/npu/array.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "sim/npu/shape.hpp"
#include "sim/npu/stream.hpp"

namespace detent::sim::npu {
namespace {

TEST(NpuArray, OutputStationaryFoldsOverMAndN) {
  const Mapping m = map_gemm({100, 60, 40}, {16, 8}, Dataflow::kOutputStationary);
  EXPECT_EQ(m.row_folds, 7U);
  EXPECT_EQ(m.col_folds, 8U);
  EXPECT_EQ(m.cycles_per_fold, 40U + 16U + 8U - 2U);
  EXPECT_EQ(m.compute_cycles, 56U * 62U);
  EXPECT_EQ(m.sram.input_reads, 100U * 40U * 8U);
  EXPECT_EQ(m.sram.weight_reads, 40U * 60U * 7U);
  EXPECT_EQ(m.sram.output_writes, 6000U);
  EXPECT_DOUBLE_EQ(m.mapping_efficiency, 6000.0 / (56 * 128));
  EXPECT_DOUBLE_EQ(m.utilisation, 240000.0 / (56.0 * 62 * 128));
}

TEST(NpuArray, WeightStationaryFoldsOverKAndN) {
  const Mapping m = map_gemm({100, 60, 40}, {16, 8}, Dataflow::kWeightStationary);
  EXPECT_EQ(m.folds, 3U * 8U);
  EXPECT_EQ(m.cycles_per_fold, 100U + 32U + 8U - 2U);
  EXPECT_EQ(m.sram.input_reads, 100U * 40U * 8U);
  EXPECT_EQ(m.sram.weight_reads, 2400U);
  EXPECT_EQ(m.sram.output_writes, 6000U * 3U);
}

TEST(NpuArray, InputStationaryFoldsOverKAndM) {
  const Mapping m = map_gemm({100, 60, 40}, {16, 8}, Dataflow::kInputStationary);
  EXPECT_EQ(m.folds, 3U * 13U);
  EXPECT_EQ(m.cycles_per_fold, 60U + 32U + 8U - 2U);
  EXPECT_EQ(m.sram.input_reads, 4000U);
  EXPECT_EQ(m.sram.weight_reads, 2400U * 13U);
  EXPECT_EQ(m.sram.output_writes, 6000U * 3U);
}

TEST(NpuArray, AFullyUsedArrayNearsFullUtilisation) {
  const Mapping m = map_gemm({16, 16, 100000}, {16, 16}, Dataflow::kOutputStationary);
  EXPECT_DOUBLE_EQ(m.mapping_efficiency, 1);
  EXPECT_GT(m.utilisation, 0.999);
}

TEST(NpuArray, B17_ImpossibleArraysAreRefused) {
  EXPECT_THROW(map_gemm({1, 1, 1}, {0, 1}, Dataflow::kOutputStationary), std::invalid_argument);
  EXPECT_THROW(map_gemm({1, 1, 1}, {1, 4097}, Dataflow::kOutputStationary), std::invalid_argument);
  EXPECT_THROW(map_gemm({0, 1, 1}, {1, 1}, Dataflow::kOutputStationary), std::invalid_argument);
  EXPECT_THROW(map_gemm({1, 0, 1}, {1, 1}, Dataflow::kOutputStationary), std::invalid_argument);
  EXPECT_THROW(map_gemm({1, 1, 0}, {1, 1}, Dataflow::kOutputStationary), std::invalid_argument);
}

TEST(NpuShape, ALastWindowMayReachOverTheEdge) {
  Conv conv{5, 8, 2, 3, 4, 7, 2, 2};
  EXPECT_EQ(conv.out_h(), 3U);
  EXPECT_EQ(conv.out_w(), 4U);
  Layer layer;
  layer.kind = Layer::Kind::kConv;
  layer.conv = conv;
  const Gemm gemm = layer_gemm(layer);
  EXPECT_EQ(gemm.m, 12U);
  EXPECT_EQ(gemm.n, 7U);
  EXPECT_EQ(gemm.k, 24U);
  EXPECT_TRUE(PixelMap(conv).has_outside());
  EXPECT_FALSE(PixelMap(conv).is_inside(8, 12));
}

TEST(NpuShape, AFilterLargerThanTheInputIsRefused) {
  Layer layer;
  layer.kind = Layer::Kind::kConv;
  layer.conv = {5, 8, 6, 3, 4, 7, 2, 2};
  EXPECT_THROW(layer_gemm(layer), std::invalid_argument);
  layer.conv = {5, 8, 5, 3, 4, 7, 0, 1};
  EXPECT_THROW(layer_gemm(layer), std::invalid_argument);
}

TEST(NpuStream, PositionsAreAPermutationWithoutGaps) {
  for (const bool is_skewed : {false, true})
    for (const std::uint64_t lane_count : {1U, 4U, 5U, 11U, 12U}) {
      const Stream stream(is_skewed, 7, lane_count, 4);
      std::vector<bool> seen(stream.size());
      for (std::uint64_t lane = 0; lane < lane_count; ++lane)
        for (std::uint64_t row = 0; row < 7; ++row) {
          const std::uint64_t position = stream.position(row, lane);
          ASSERT_LT(position, seen.size());
          EXPECT_FALSE(seen[position]);
          seen[position] = true;
        }
    }
}

}  // namespace
}  // namespace detent::sim::npu
