#include "app/npu/layers.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "app/catalogue/catalogue.hpp"
#include "app/npu/network.hpp"

namespace detent::app {
namespace {

LayerRequest gemm(const std::string& shape) {
  LayerRequest made;
  made.gemm = shape;
  made.array = "32,32";
  return made;
}

std::string refusal(const LayerRequest& request) {
  try {
    static_cast<void>(time_layers(request, {}));
  } catch (const std::invalid_argument& refused) {
    return refused.what();
  }
  return "";
}

TEST(TimeLayers, AProductHasItsMultiplications) {
  const Answer answer = time_layers(gemm("64,64,256"), {});
  EXPECT_EQ(answer.json["macs"], 64 * 64 * 256);
  EXPECT_EQ(answer.json["stall_cycles"], 0);
  EXPECT_EQ(answer.lines.size(), 4U) << "layer, cycles, array, traffic";
}

TEST(TimeLayers, ANarrowPortStallsAndNeverSpeedsUp) {
  LayerRequest request = gemm("64,64,256");
  request.buffers = "4KiB,4KiB,4KiB";
  std::uint64_t before = UINT64_MAX;
  for (const char* words : {"1", "4", "64"}) {
    request.bandwidth = words;
    const auto cycles = time_layers(request, {}).json["cycles"].get<std::uint64_t>();
    EXPECT_LE(cycles, before) << words;
    before = cycles;
  }
}

TEST(TimeLayers, B17_InvalidNumbersAreRefusedWithOptionAndForm) {
  EXPECT_EQ(refusal(gemm("64,64")), "--gemm 64,64: give M,N,K, each at least 1: --gemm 64,64,256");
  for (const char* shape : {"0,1,1", "1,1,1,1", "1,1,x", "1,,1", "-1,1,1", "1,1,1099511627777", "1KiB,1,1"}) {
    EXPECT_NE(refusal(gemm(shape)), "") << shape;
  }
  LayerRequest request = gemm("8,8,8");
  request.array = "";
  EXPECT_EQ(refusal(request), "npu: --array is missing; give rows and columns: --array 32,32");
  request.array = "4097,1";
  EXPECT_NE(refusal(request), "");
  request = gemm("8,8,8");
  request.bandwidth = "16";
  EXPECT_EQ(refusal(request),
            "--bandwidth: give --buffers too, input,weight,output in words: --buffers 64KiB,64KiB,64KiB");
  request.buffers = "64KiB,64KiB,1";
  EXPECT_EQ(refusal(request),
            "--buffers 64KiB,64KiB,1: give input,weight,output in words, or bytes with a unit, at least 2 words each: "
            "--buffers 64KiB,64KiB,16KiB");
  request = gemm("8,8,8");
  request.shared_port = true;
  EXPECT_EQ(refusal(request), "--shared-port: give --bandwidth, the words per cycle of the port");
  EXPECT_EQ(refusal({.array = "8,8"}),
            "npu: no layer; give one of --gemm, --conv, --depthwise, --elementwise, --layers");
}

TEST(TimeLayers, BytesBecomeWords) {
  LayerRequest words = gemm("64,64,256");
  words.bandwidth = "8";
  words.buffers = "1024,1024,1024";
  LayerRequest bytes = words;
  bytes.buffers = "2KiB,2KiB,2KiB";
  bytes.word_bytes = 2;
  EXPECT_EQ(time_layers(words, {}).json["cycles"], time_layers(bytes, {}).json["cycles"]);
}

TEST(MapNetwork, SumsItsLayers) {
  Request request;
  request.model = "branchnet";
  const Answer answer = map_model_onto_npu(request, "");
  std::uint64_t cycles = 0;
  for (const Json& layer : answer.json["layers"]) cycles += layer["compute_cycles"].get<std::uint64_t>();
  EXPECT_EQ(answer.json["compute_cycles"], cycles);
  EXPECT_EQ(answer.json["platform"], "am62a");
  EXPECT_THROW(static_cast<void>(map_model_onto_npu(request, "quad_npu")), std::invalid_argument);
}

TEST(Catalogue, ListsByKindAndRefusesOthers) {
  EXPECT_EQ(catalogue_of("policies").front().first, "id");
  EXPECT_GT(catalogue_of("models").size(), 10U);
  EXPECT_GT(catalogue_of("kernels").size(), 10U);
  EXPECT_THROW(static_cast<void>(catalogue_of("dreams")), std::invalid_argument);
}

}  // namespace
}  // namespace detent::app
