// Layer lists: both forms, and what is refused with which place.
#include "sim/npu/topology.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace detent::sim::npu {
namespace {

TEST(NpuTopology, PublicFormsAreRead) {
  const auto layers = parse_layers(
      "Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, Strides,\r\n"
      "Conv1, 224, 224, 7, 7, 3, 64, 2,\r\n"
      "\n"
      "# a note\n"
      "DP2, 56, 56, 3, 3, 32, 1, 1,\n"
      "wide, 9, 8, 3, 2, 1, 4, 2, 1,\n"
      "fc, 1, 1000, 2048,\n",
      "net.csv");
  ASSERT_EQ(layers.size(), 4U);
  EXPECT_EQ(layers[0].name, "Conv1");
  EXPECT_EQ(layers[0].conv.filters, 64U);
  EXPECT_EQ(layers[0].conv.stride_w, 2U);
  EXPECT_EQ(layers[1].groups, 32U);
  EXPECT_EQ(layers[1].conv.channels, 1U);
  EXPECT_EQ(layers[2].conv.stride_h, 2U);
  EXPECT_EQ(layers[2].conv.stride_w, 1U);
  EXPECT_EQ(layers[3].kind, Layer::Kind::kGemm);
  EXPECT_EQ(layers[3].gemm.n, 1000U);
}

TEST(NpuTopology, AFileWithoutAHeadingLosesNoLayer) { EXPECT_EQ(parse_layers("a,1,2,3\nb,4,5,6", "n").size(), 2U); }

void expect_refused(const std::string& text, const std::string& words) {
  try {
    parse_layers(text, "net.csv");
    FAIL() << text;
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

TEST(NpuTopology, B17_BadNumbersNameLineAndColumn) {
  expect_refused("name,M,N,K\nfc,1,0,3\n", "net.csv:2: column 3 is '0'");
  expect_refused("fc,-1,2,3\n", "net.csv:1: column 2 is '-1'");
  expect_refused("fc,1,2,3x\n", "column 4");
  expect_refused("fc,1,2,99999999999\n", "column 4");
  expect_refused("fc,1,2,99999999999999999999999\n", "column 4");
  expect_refused("fc,1,,3\n", "column 3");
  expect_refused("fc,1,2\n", "3 columns");
  expect_refused("c,2,2,3,1,1,1,1\n", "larger than the input");
  expect_refused("name,M,N,K\n", "no layers");
  expect_refused("", "no layers");
}

}  // namespace
}  // namespace detent::sim::npu
