// Layers on the array to the last figure, at bandwidths that stall and at some that do not, and every refusal.
#include <gtest/gtest.h>

#include <cstdio>
#include <stdexcept>

#include "sim/npu/timing.hpp"
#include "sim/npu/topology.hpp"

namespace detent::sim::npu {
namespace {

std::string figures_of(const Layer& layer, const TimingConfig& config) {
  try {
    const LayerTiming t = time_layer(layer, config);
    const Mapping& m = t.mapping;
    char shares[96];
    std::snprintf(shares, sizeof shares, "%.6g %.6g %.6g", m.mapping_efficiency, m.utilisation, t.utilisation);
    std::string text;
    for (const std::uint64_t value : {m.sr,
                                      m.sc,
                                      m.t,
                                      m.row_folds,
                                      m.col_folds,
                                      m.folds,
                                      m.cycles_per_fold,
                                      m.compute_cycles,
                                      m.macs,
                                      t.groups,
                                      t.cycles,
                                      t.stall_cycles,
                                      t.compute_cycles,
                                      t.macs,
                                      t.sram.input_reads,
                                      t.sram.weight_reads,
                                      t.sram.output_writes,
                                      t.dram.input_reads,
                                      t.dram.weight_reads,
                                      t.dram.output_writes}) {
      text += std::to_string(value) + " ";
    }
    return text + shares + "\n";
  } catch (const std::exception& refusal) {
    return std::string(refusal.what()) + "\n";
  }
}

/// A GEMM, a convolution, a depthwise one and an element-wise layer.
std::vector<Layer> four_layers() {
  std::vector<Layer> layers = parse_layers("fc,20,30,40\nconv,12,10,3,2,5,9,2,1\nDPconv,9,9,3,3,4,1,1\n", "l");
  layers.emplace_back();
  layers.back().kind = Layer::Kind::kElementwise;
  layers.back().elements = 1001;
  layers.back().input_count = 3;
  layers.back().groups = 2;
  return layers;
}

std::string all_layers(const TimingConfig& config) {
  std::string text;
  for (const Layer& layer : four_layers()) text += figures_of(layer, config);
  return text;
}

TEST(NpuFigures, FourLayersByDataflowAndBandwidth) {
  TimingConfig config{.array = {8, 6}};
  config.dataflow = Dataflow::kOutputStationary;
  EXPECT_EQ(all_layers(config),
            "20 30 40 3 5 15 52 780 24000 1 780 0 780 24000 4000 3600 600 800 1200 600 0.833333 0.641026 0.641026\n"
            "54 9 30 7 2 14 42 588 14580 1 588 0 588 14580 3240 1890 486 1620 270 486 0.723214 0.516582 0.516582\n"
            "49 1 9 7 1 7 21 147 441 4 588 0 588 1764 1764 252 196 1764 36 196 0.145833 0.0625 0.0625\n"
            "0 0 0 0 0 0 0 0 0 1 167 0 167 0 3003 0 1001 3003 0 1001 0 0 0.999002\n");
  config.dataflow = Dataflow::kWeightStationary;
  EXPECT_EQ(all_layers(config),
            "40 30 20 5 5 25 40 1000 24000 1 1000 0 1000 24000 4000 1200 3000 800 1200 600 1 0.5 0.5\n"
            "30 9 54 4 2 8 74 592 14580 1 592 0 592 14580 3240 270 1944 1620 270 486 0.703125 0.513091 0.513091\n"
            "9 1 49 2 1 2 69 138 441 4 552 0 552 1764 1764 36 392 1764 36 196 0.09375 0.0665761 0.0665761\n"
            "0 0 0 0 0 0 0 0 0 1 167 0 167 0 3003 0 1001 3003 0 1001 0 0 0.999002\n");
  config.dataflow = Dataflow::kInputStationary;
  config.vector_lanes = 7;
  EXPECT_EQ(all_layers(config),
            "40 20 30 5 4 20 50 1000 24000 1 1000 0 1000 24000 800 4800 3000 800 1200 600 0.833333 0.5 0.5\n"
            "30 54 9 4 9 36 29 1044 14580 1 1044 0 1044 14580 1620 2430 1944 1620 270 486 0.9375 0.290948 0.290948\n"
            "9 49 1 2 9 18 21 378 441 4 1512 0 1512 1764 1764 324 392 1764 36 196 0.510417 0.0243056 0.0243056\n"
            "0 0 0 0 0 0 0 0 0 1 143 0 143 0 3003 0 1001 3003 0 1001 0 0 1\n");
  config.buffers = {64, 96, 32};
  config.bandwidth = {2, 3, 1};
  EXPECT_EQ(
      all_layers(config),
      "40 20 30 5 4 20 50 1000 24000 1 20035 19035 1000 24000 800 4800 3000 37632 24048 3000 0.833333 0.5 0.0249563\n"
      "30 54 9 4 9 36 29 1044 14580 1 44813 43769 1044 14580 1620 2430 1944 84192 9792 1944 0.9375 0.290948 "
      "0.00677817\n"
      "9 49 1 2 9 18 21 378 441 4 13340 11828 1512 1764 1764 324 392 24832 36 392 0.510417 0.0243056 0.00275487\n"
      "0 0 0 0 0 0 0 0 0 1 1502 1359 143 0 3003 0 1001 3003 0 1001 0 0 0.0952064\n");
  config.dataflow = Dataflow::kWeightStationary;
  EXPECT_EQ(all_layers(config),
            "40 30 20 5 5 25 40 1000 24000 1 10671 9671 1000 24000 4000 1200 3000 20032 1200 3000 1 0.5 0.046856\n"
            "30 9 54 4 2 8 74 592 14580 1 5728 5136 592 14580 3240 270 1944 10720 816 1944 0.703125 0.513091 0.053029\n"
            "9 1 49 2 1 2 69 138 441 4 1904 1352 552 1764 1764 36 392 3584 36 392 0.09375 0.0665761 0.0193015\n"
            "0 0 0 0 0 0 0 0 0 1 1502 1359 143 0 3003 0 1001 3003 0 1001 0 0 0.0952064\n");
  config.dataflow = Dataflow::kOutputStationary;
  EXPECT_EQ(
      all_layers(config),
      "20 30 40 3 5 15 52 780 24000 1 6397 5617 780 24000 4000 3600 600 12032 18048 600 0.833333 0.641026 0.0781616\n"
      "54 9 30 7 2 14 42 588 14580 1 11395 10807 588 14580 3240 1890 486 21440 3552 486 0.723214 0.516582 0.0266564\n"
      "49 1 9 7 1 7 21 147 441 4 6580 5992 588 1764 1764 252 196 12416 36 196 0.145833 0.0625 0.00558511\n"
      "0 0 0 0 0 0 0 0 0 1 1502 1359 143 0 3003 0 1001 3003 0 1001 0 0 0.0952064\n");
  config.shared_port = true;
  EXPECT_EQ(
      all_layers(config),
      "20 30 40 3 5 15 52 780 24000 1 17406 16626 780 24000 4000 3600 600 12032 18048 600 0.833333 0.641026 0.0287257\n"
      "54 9 30 7 2 14 42 588 14580 1 13912 13324 588 14580 3240 1890 486 21440 3552 486 0.723214 0.516582 0.0218337\n"
      "49 1 9 7 1 7 21 147 441 4 6664 6076 588 1764 1764 252 196 12416 36 196 0.145833 0.0625 0.00551471\n"
      "0 0 0 0 0 0 0 0 0 1 2003 1860 143 0 3003 0 1001 3003 0 1001 0 0 0.0713929\n");
  config.dataflow = Dataflow::kInputStationary;
  config.bandwidth = {40, 40, 40};
  EXPECT_EQ(
      all_layers(config),
      "40 20 30 5 4 20 50 1000 24000 1 5106 4106 1000 24000 800 4800 3000 37632 24048 3000 0.833333 0.5 0.097924\n"
      "30 54 9 4 9 36 29 1044 14580 1 7701 6657 1044 14580 1620 2430 1944 84192 9792 1944 0.9375 0.290948 0.0394429\n"
      "9 49 1 2 9 18 21 378 441 4 4180 2668 1512 1764 1764 324 392 24832 36 392 0.510417 0.0243056 0.00879187\n"
      "0 0 0 0 0 0 0 0 0 1 143 0 143 0 3003 0 1001 3003 0 1001 0 0 1\n");
}

TEST(NpuFigures, ImpossibleSizesAreRefused) {
  const Layer fc = four_layers()[0];
  const Layer conv = four_layers()[1];
  const TimingConfig good{.array = {8, 6}, .buffers = {64, 96, 32}, .bandwidth = {2, 3, 1}};
  TimingConfig config = good;
  config.array.rows = 0;
  EXPECT_EQ(figures_of(fc, config), "NPU: the array's rows are 0; give a number from 1 to 4096\n");
  config.array = {8, 4097};
  EXPECT_EQ(figures_of(fc, config), "NPU: the array's columns are 4097; give a number from 1 to 4096\n");
  config = good;
  config.buffers.weight = 1;
  EXPECT_EQ(figures_of(fc, config),
            "NPU: the weight buffer has 1 words; give 2 to 2^40, half of it is in use while the other half fills\n");
  config.buffers.weight = (std::uint64_t{1} << 40) + 1;
  EXPECT_EQ(figures_of(fc, config),
            "NPU: the weight buffer has 1099511627777 words; give 2 to 2^40, half of it is in use while the other half "
            "fills\n");
  config = good;
  config.bandwidth.output = 0;
  EXPECT_EQ(figures_of(fc, config),
            "NPU: a port of 0 words per cycle; give 1 to 2^32, or no bandwidth for no stalls\n");
  Layer broken = fc;
  broken.gemm.n = 0;
  EXPECT_EQ(figures_of(broken, good), "NPU: N is 0; give a number from 1 to 2147483648\n");
  broken.gemm.n = kMaxDim + 1;
  EXPECT_EQ(figures_of(broken, good), "NPU: N is 2147483649; give a number from 1 to 2147483648\n");
  broken = fc;
  broken.groups = 0;
  EXPECT_EQ(figures_of(broken, good), "NPU: a layer of 0 groups; give at least 1\n");
  broken = conv;
  broken.conv.filter_h = 13;
  EXPECT_EQ(figures_of(broken, good),
            "NPU: the filter is larger than the input; add the padding to the input's size\n");
  broken = conv;
  broken.conv.stride_w = 0;
  EXPECT_EQ(figures_of(broken, good), "NPU: the stride is 0; give a number from 1 to 2147483648\n");
  broken = conv;
  broken.conv.in_w = 0;
  EXPECT_EQ(figures_of(broken, good), "NPU: the input width is 0; give a number from 1 to 2147483648\n");
  broken = four_layers()[3];
  broken.elements = 0;
  EXPECT_EQ(figures_of(broken, good),
            "NPU: an element-wise layer of 0 results and 3 inputs; give at least 1, at most 64 inputs\n");
  broken.elements = 1;
  broken.input_count = 65;
  EXPECT_EQ(figures_of(broken, good),
            "NPU: an element-wise layer of 1 results and 65 inputs; give at least 1, at most 64 inputs\n");
  broken.input_count = 64;
  EXPECT_EQ(figures_of(broken, good), "0 0 0 0 0 0 0 0 0 1 32 31 1 0 64 0 1 64 0 1 0 0 0.00520833\n");
}

std::string refusal_of(const std::string& text) {
  try {
    return std::to_string(parse_layers(text, "net.csv").size()) + " layers";
  } catch (const std::invalid_argument& refusal) {
    return refusal.what();
  }
}

TEST(NpuFigures, LayerFilesThatAreRefused) {
  EXPECT_EQ(refusal_of(""), "net.csv: no layers; give one line per layer: name,M,N,K");
  EXPECT_EQ(refusal_of("# only a note\n\n"), "net.csv: no layers; give one line per layer: name,M,N,K");
  EXPECT_EQ(refusal_of("a,1,2\n"),
            "net.csv:1: 3 columns; give a name and M,N,K, or a name and input height and width, filter height and "
            "width, channels, filters, stride");
  EXPECT_EQ(refusal_of("a,1,2,3,4\n"),
            "net.csv:1: 5 columns; give a name and M,N,K, or a name and input height and width, filter height and "
            "width, channels, filters, stride");
  EXPECT_EQ(refusal_of("a,9,9,3,3,1,1\n"),
            "net.csv:1: 7 columns; give a name and M,N,K, or a name and input height and width, filter height and "
            "width, channels, filters, stride");
  EXPECT_EQ(refusal_of("a,9,9,3,3,1,1,1\nb,9,9,3,3,1,1,1,1\nc,1,2,3\n"), "3 layers");
  EXPECT_EQ(refusal_of("a,9,9,3,3,1,1,1,1,1\n"),
            "net.csv:1: 10 columns; give a name and M,N,K, or a name and input height and width, filter height and "
            "width, channels, filters, stride");
  EXPECT_EQ(refusal_of("a,1,2,3\nb,1,,3\n"), "net.csv:2: column 3 is ''; give a whole number from 1 to 2147483648");
  EXPECT_EQ(refusal_of("a,1,2,2147483648\n"), "1 layers");
  EXPECT_EQ(refusal_of("a,1,2,2147483649\n"),
            "net.csv:1: column 4 is '2147483649'; give a whole number from 1 to 2147483648");
  EXPECT_EQ(refusal_of("a,1,2,-3\n"), "net.csv:1: column 4 is '-3'; give a whole number from 1 to 2147483648");
  EXPECT_EQ(refusal_of("name,M,N,K\nname,M,N,K\n"),
            "net.csv:2: column 2 is 'M'; give a whole number from 1 to 2147483648");
  EXPECT_EQ(refusal_of("a,9,9,10,3,1,1,1\n"),
            "net.csv:1: the filter is larger than the input; add the padding to the input's size");
  EXPECT_EQ(refusal_of("a,9,9,9,10,1,1,1\n"),
            "net.csv:1: the filter is larger than the input; add the padding to the input's size");
  EXPECT_EQ(refusal_of("a,9,9,9,9,1,1,1\n"), "1 layers");
  EXPECT_EQ(refusal_of("a" + std::string(200, ',') + "1\n"), "net.csv: no layers; give one line per layer: name,M,N,K");
}

}  // namespace
}  // namespace detent::sim::npu
