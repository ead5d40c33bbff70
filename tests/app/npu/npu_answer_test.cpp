#include "app/npu/npu_answer.hpp"

#include <gtest/gtest.h>

#include <string>

#include "app/npu/network.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

NpuRequest nothing_asked() {
  NpuRequest made;
  made.array = "8,8";
  return made;
}

std::string npu_refusal(const NpuRequest& request) {
  return refusal_of([&] { return answer_npu(request, {}); });
}

TEST(AnswerNpu, ALayerIsTimedAsItIsAlone) {
  NpuRequest request = nothing_asked();
  request.gemm = "64,64,256";
  expect_same_answer(answer_npu(request, {}), time_layers(request, {}));
}

TEST(AnswerNpu, ANetworkIsMappedOntoThePlatform) {
  NpuRequest request;
  request.network = "branchnet";
  request.request.seeds.schedule = 4;
  const Request named{.model = "branchnet", .seeds = {.schedule = 4}};
  expect_same_answer(answer_npu(request, {}), map_model_onto_npu(named, ""));
  request.platform = "am62a";
  expect_same_answer(answer_npu(request, {}), map_model_onto_npu(named, "am62a"));
}

TEST(AnswerNpu, NothingToTimeIsRefused) {
  EXPECT_EQ(npu_refusal(nothing_asked()),
            "npu: a layer is missing; give one of --gemm, --conv, --depthwise, --elementwise, --layers or MODEL");
}

TEST(AnswerNpu, TwoThingsToTimeAreRefusedByTheirNames) {
  NpuRequest request = nothing_asked();
  request.gemm = "1,1,1";
  request.layers = "net.csv";
  EXPECT_EQ(npu_refusal(request), "npu: --gemm and --layers: only one layer is timed; leave one of them out");
  request.layers.clear();
  request.network = "branchnet";
  EXPECT_EQ(npu_refusal(request), "npu: --gemm and MODEL: only one layer is timed; leave one of them out");
  request.gemm.clear();
  request.conv = "6,6,3,3,4,8,1";
  request.depthwise = "6,6,3,3,4,1";
  request.elementwise = "8,2";
  EXPECT_EQ(npu_refusal(request), "npu: --conv and --depthwise: only one layer is timed; leave one of them out");
  request.conv.clear();
  EXPECT_EQ(npu_refusal(request), "npu: --depthwise and --elementwise: only one layer is timed; leave one of them out");
}

TEST(AnswerNpu, WhatIsTooLargeToTimeIsNoMistake) {
  NpuRequest request = nothing_asked();
  request.gemm = "1000000000,1000000000,10";
  request.array = "1,1";
  request.bandwidth = "1";
  request.buffers = "2,2,2";
  EXPECT_THROW((void)answer_npu(request, {}), WorkLimit);
}

}  // namespace
}  // namespace detent::app
