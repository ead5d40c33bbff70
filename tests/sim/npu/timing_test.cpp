// Cycles at finite bandwidth: rows of the reference tool's algorithm, a naive second computation, and rules of ports.
#include "sim/npu/timing.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "base/random.hpp"
#include "tests/effort.hpp"
#include "tests/sim/npu/naive.hpp"

namespace detent::sim {
namespace {

/// Cases depend on the seed alone.
class NpuDice {
 public:
  explicit NpuDice(std::uint64_t seed) : random_(seed) {}
  std::int64_t from(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random_.below64(static_cast<std::uint64_t>(high - low + 1)));
  }

 private:
  RandomSource random_;
};

std::uint64_t plain(std::int64_t value) { return static_cast<std::uint64_t>(value); }

npu::Layer layer_of(const naive::NpuCase& c) {
  npu::Layer layer;
  layer.kind = npu::Layer::Kind::kConv;
  const auto& n = c.conv;
  layer.conv = {plain(n[0]), plain(n[1]), plain(n[2]), plain(n[3]), plain(n[4]), plain(n[5]), plain(n[6]), plain(n[7])};
  return layer;
}

npu::TimingConfig config_of(const naive::NpuCase& c) {
  npu::TimingConfig config;
  config.array = {static_cast<std::uint32_t>(c.rows), static_cast<std::uint32_t>(c.cols)};
  config.dataflow = c.dataflow == 'o'   ? npu::Dataflow::kOutputStationary
                    : c.dataflow == 'w' ? npu::Dataflow::kWeightStationary
                                        : npu::Dataflow::kInputStationary;
  config.buffers = {plain(c.buffers[0]), plain(c.buffers[1]), plain(c.buffers[2])};
  config.bandwidth = {plain(c.bandwidth[0]), plain(c.bandwidth[1]), plain(c.bandwidth[2])};
  return config;
}

naive::NpuResult timed(const naive::NpuCase& c) {
  const npu::LayerTiming t = npu::time_layer(layer_of(c), config_of(c));
  const auto whole = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
  return {whole(t.cycles), whole(t.stall_cycles), whole(t.sram.input_reads), whole(t.sram.weight_reads),
          whole(t.sram.output_writes)};
}

std::string describe(const naive::NpuCase& c) {
  std::ostringstream text;
  text << "conv";
  for (const std::int64_t n : c.conv) text << ' ' << n;
  text << ' ' << c.dataflow << 's' << ' ' << c.rows << 'x' << c.cols << " buffers";
  for (const std::int64_t n : c.buffers) text << ' ' << n;
  text << " bandwidth";
  for (const std::int64_t n : c.bandwidth) text << ' ' << n;
  return text.str();
}

/// A small layer: a GEMM, a convolution with overlapping or over-reaching windows, or one depthwise channel.
naive::NpuCase random_case(NpuDice& dice) {
  naive::NpuCase c;
  const std::int64_t kind = dice.from(0, 2);
  if (kind == 0) {
    const std::int64_t k = dice.from(1, 50);
    c.conv = {dice.from(1, 30), k, 1, k, 1, dice.from(1, 30), 1, 1};
  } else {
    const std::int64_t fh = dice.from(1, 4);
    const std::int64_t fw = dice.from(1, 4);
    const bool is_depthwise = kind == 2;
    c.conv = {fh + dice.from(0, 7),
              fw + dice.from(0, 7),
              fh,
              fw,
              is_depthwise ? 1 : dice.from(1, 5),
              is_depthwise ? 1 : dice.from(1, 12),
              dice.from(1, 3),
              dice.from(1, 3)};
  }
  c.dataflow = "owi"[dice.from(0, 2)];
  c.rows = dice.from(1, 9);
  c.cols = dice.from(1, 9);
  for (std::int64_t& words : c.buffers) words = dice.from(0, 1) == 0 ? dice.from(2, 60) : dice.from(20, 2500);
  for (std::int64_t& words : c.bandwidth) words = dice.from(0, 2) == 0 ? dice.from(1, 3) : dice.from(1, 40);
  return c;
}

TEST(NpuTiming, RowsOfTheReferenceAlgorithm) {
  std::ifstream file(std::string(DETENT_SOURCE_DIR) + "/tests/sim/npu/rows.tsv");
  int rows = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream cells(line);
    naive::NpuCase c;
    std::string dataflow;
    naive::NpuResult expected;
    std::uint64_t folds = 0;
    for (std::int64_t& n : c.conv) cells >> n;
    cells >> dataflow >> c.rows >> c.cols;
    for (std::int64_t& n : c.buffers) cells >> n;
    for (std::int64_t& n : c.bandwidth) cells >> n;
    cells >> expected.cycles >> expected.stalls >> expected.input_reads >> expected.weight_reads >>
        expected.output_writes >> folds;
    ASSERT_FALSE(cells.fail()) << line;
    c.dataflow = dataflow[0];
    EXPECT_EQ(timed(c), expected) << line;
    EXPECT_EQ(npu::time_layer(layer_of(c), config_of(c)).mapping.folds, folds) << line;
    ++rows;
  }
  EXPECT_GE(rows, 60);
}

TEST(NpuTiming, EventsEqualEveryElementAskedForByAddress) {
  NpuDice dice(20);
  for (int i = 0; i < effort(600); ++i) {
    const naive::NpuCase c = random_case(dice);
    ASSERT_EQ(timed(c), naive::npu_cycles(c)) << "case " << i << ": " << describe(c);
  }
}

TEST(NpuTiming, ASharedPortIsNeverFasterThanPrivateOnes) {
  NpuDice dice(21);
  int slower = 0;
  for (int i = 0; i < effort(400); ++i) {
    const naive::NpuCase c = random_case(dice);
    npu::TimingConfig config = config_of(c);
    config.bandwidth.weight = config.bandwidth.output = config.bandwidth.input;
    const npu::LayerTiming own = npu::time_layer(layer_of(c), config);
    config.shared_port = true;
    const npu::LayerTiming shared = npu::time_layer(layer_of(c), config);
    ASSERT_GE(shared.stall_cycles, own.stall_cycles) << describe(c);
    ASSERT_GE(shared.cycles, own.cycles) << describe(c);
    slower += shared.cycles > own.cycles ? 1 : 0;
  }
  EXPECT_GT(slower, 0);
}

TEST(NpuTiming, BuffersThatHoldTheLayerNeverStall) {
  naive::NpuCase c;
  c.conv = {16, 16, 3, 3, 8, 16, 1, 1};
  c.dataflow = 'o';
  c.rows = c.cols = 8;
  c.buffers = {200'000, 20'000, 20'000};
  c.bandwidth = {1, 1, 1};
  const npu::LayerTiming timing = npu::time_layer(layer_of(c), config_of(c));
  EXPECT_EQ(timing.stall_cycles, 0U);
  EXPECT_EQ(timing.cycles, timing.compute_cycles);
  EXPECT_EQ(timing.dram.input_reads, 14U * 14U * 72U);
  EXPECT_EQ(timing.dram.weight_reads, 72U * 16U);
}

TEST(NpuTiming, UnlimitedBandwidthIsTheEquations) {
  npu::Layer layer;
  layer.gemm = {100, 60, 40};
  const npu::LayerTiming timing =
      npu::time_layer(layer, {.array = {16, 8}, .dataflow = npu::Dataflow::kWeightStationary});
  EXPECT_EQ(timing.cycles, 3U * 8U * (100U + 2U * 16U + 8U - 2U));
  EXPECT_EQ(timing.stall_cycles, 0U);
  EXPECT_EQ(timing.dram.output_writes, 6000U);
}

TEST(NpuTiming, DepthwiseIsOneLayerPerChannel) {
  naive::NpuCase c;
  c.conv = {12, 12, 3, 3, 1, 1, 1, 1};
  c.rows = c.cols = 4;
  c.buffers = {40, 8, 20};
  c.bandwidth = {2, 2, 2};
  npu::Layer layer = layer_of(c);
  const npu::LayerTiming one = npu::time_layer(layer, config_of(c));
  layer.groups = 24;
  const npu::LayerTiming all = npu::time_layer(layer, config_of(c));
  EXPECT_EQ(all.cycles, 24 * one.cycles);
  EXPECT_EQ(all.stall_cycles, 24 * one.stall_cycles);
  EXPECT_EQ(all.sram.input_reads, 24 * one.sram.input_reads);
}

TEST(NpuTiming, ElementwiseIsLanesOrPorts) {
  npu::Layer layer;
  layer.kind = npu::Layer::Kind::kElementwise;
  layer.elements = 1000;
  npu::TimingConfig config{.array = {8, 16}};
  EXPECT_EQ(npu::time_layer(layer, config).cycles, 63U);
  config.buffers = {64, 64, 64};
  config.bandwidth = {10, 10, 10};
  EXPECT_EQ(npu::time_layer(layer, config).cycles, 200U);
  EXPECT_EQ(npu::time_layer(layer, config).stall_cycles, 137U);
  config.shared_port = true;
  EXPECT_EQ(npu::time_layer(layer, config).cycles, 300U);
  layer.elements = 0;
  EXPECT_THROW(npu::time_layer(layer, config), std::invalid_argument);
}

TEST(NpuTiming, ImpossibleSizesAreRefused) {
  npu::Layer layer;
  layer.gemm = {8, 8, 8};
  const npu::TimingConfig good{.array = {4, 4}, .buffers = {16, 16, 16}, .bandwidth = {1, 1, 1}};
  const auto refused = [&](auto change) {
    npu::TimingConfig config = good;
    npu::Layer changed = layer;
    change(config, changed);
    EXPECT_THROW(npu::time_layer(changed, config), std::invalid_argument);
  };
  EXPECT_NO_THROW(npu::time_layer(layer, good));
  refused([](npu::TimingConfig& c, npu::Layer&) { c.buffers.input = 1; });
  refused([](npu::TimingConfig& c, npu::Layer&) { c.buffers.output = UINT64_MAX; });
  refused([](npu::TimingConfig& c, npu::Layer&) { c.bandwidth.weight = 0; });
  refused([](npu::TimingConfig& c, npu::Layer&) { c.array.rows = 0; });
  refused([](npu::TimingConfig& c, npu::Layer&) { c.array.cols = 4097; });
  refused([](npu::TimingConfig&, npu::Layer& l) { l.gemm.k = 0; });
  refused([](npu::TimingConfig&, npu::Layer& l) { l.groups = 0; });
  refused([](npu::TimingConfig&, npu::Layer& l) { l.gemm.m = npu::kMaxDim + 1; });
}

TEST(NpuTiming, B32_CountsBeyond64BitsAreErrors) {
  npu::Layer layer;
  layer.gemm = {npu::kMaxDim, npu::kMaxDim, npu::kMaxDim};
  EXPECT_THROW(npu::time_layer(layer, {.array = {1, 1}}), std::overflow_error);
  layer.gemm = {npu::kMaxDim, npu::kMaxDim, 1};
  EXPECT_EQ(npu::time_layer(layer, {.array = {1, 1}}).cycles, std::uint64_t{1} << 62U);
}

TEST(NpuTiming, TooManyFoldsAtFiniteBandwidthIsALimitNotAnAnswer) {
  npu::Layer layer;
  layer.gemm = {1'000'000, 1'000'000, 1};
  const npu::TimingConfig config{.array = {1, 1}, .buffers = {16, 16, 16}, .bandwidth = {1, 1, 1}};
  EXPECT_THROW(npu::time_layer(layer, config), npu::WorkLimit);
}

}  // namespace
}  // namespace detent::sim
