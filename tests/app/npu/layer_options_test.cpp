#include <gtest/gtest.h>

#include <set>

#include "app/npu/layers.hpp"
#include "app/npu/network.hpp"
#include "tests/app/answers.hpp"
#include "tests/golden.hpp"

namespace detent::app {
namespace {

const std::string kNetwork = std::string(DETENT_SOURCE_DIR) + "/tests/cli/transcripts/inputs/net.csv";

LayerRequest on_array(const std::string& array = "8,8") {
  LayerRequest made;
  made.array = array;
  return made;
}

LayerRequest product_of(const std::string& shape) {
  LayerRequest made = on_array();
  made.gemm = shape;
  return made;
}

Json timed(const LayerRequest& request) { return time_layers(request, {}).json; }

std::string layer_refusal(const LayerRequest& request) {
  return refusal_of([&] { return time_layers(request, {}); });
}

TEST(LayerOptions, AConvolutionMultipliesByWindowChannelsAndFilters) {
  LayerRequest request = on_array();
  request.conv = "6,6,3,3,4,8,1";
  const Json one = timed(request);
  EXPECT_EQ(one["macs"], 4 * 4 * 3 * 3 * 4 * 8);
  EXPECT_EQ(one["model"], "conv 6,6,3,3,4,8,1");
  request.conv = "6,6,3,3,4,8,1,1";
  EXPECT_EQ(timed(request)["cycles"], one["cycles"]) << "one stride stands for both";
  request.conv = "6,6,3,3,4,8,1,3";
  EXPECT_EQ(timed(request)["macs"], 4 * 2 * 3 * 3 * 4 * 8) << "the second stride is of columns";
}

TEST(LayerOptions, ADepthwiseConvolutionMultipliesOncePerChannel) {
  LayerRequest request = on_array();
  request.depthwise = "6,6,3,3,4,1";
  const Json one = timed(request);
  EXPECT_EQ(one["macs"], 4 * 4 * 3 * 3 * 4);
  request.depthwise = "6,6,3,3,8,1";
  EXPECT_EQ(timed(request)["cycles"].get<std::uint64_t>(), 2 * one["cycles"].get<std::uint64_t>());
}

TEST(LayerOptions, ElementwiseTakesTwoInputsUnlessTold) {
  LayerRequest request = on_array();
  request.elementwise = "100";
  const Json two = timed(request);
  request.elementwise = "100,2";
  EXPECT_EQ(timed(request)["sram"], two["sram"]);
  request.elementwise = "100,3";
  EXPECT_NE(timed(request)["sram"], two["sram"]);
}

TEST(LayerOptions, LanesChangeElementwiseLayersOnly) {
  LayerRequest request = on_array();
  request.elementwise = "1000";
  request.lanes = 1;
  const auto slow = timed(request)["cycles"].get<std::uint64_t>();
  request.lanes = 10;
  EXPECT_LT(timed(request)["cycles"].get<std::uint64_t>(), slow);
  LayerRequest product = product_of("16,16,16");
  const Json before = timed(product);
  product.lanes = 10;
  EXPECT_EQ(timed(product), before);
}

TEST(LayerOptions, EachDataflowIsItsOwnAndAnotherNameIsRefused) {
  std::set<std::string> answers;
  for (const char* dataflow : {"os", "ws", "is"}) {
    LayerRequest request = product_of("20,30,40");
    request.dataflow = dataflow;
    const Json json = timed(request);
    EXPECT_EQ(json["dataflow"], dataflow);
    EXPECT_EQ(json["macs"], 20 * 30 * 40);
    answers.insert(json["cycles"].dump() + json["sram"].dump());
  }
  EXPECT_EQ(answers.size(), 3U);
  LayerRequest request = product_of("20,30,40");
  request.dataflow = "xs";
  EXPECT_EQ(layer_refusal(request), "--dataflow xs: give os, ws or is");
}

TEST(LayerOptions, ZeroBytesPerWordAreRefused) {
  LayerRequest request = product_of("8,8,8");
  request.word_bytes = 0;
  request.buffers = "1KiB,1KiB,1KiB";
  request.bandwidth = "4";
  EXPECT_EQ(layer_refusal(request), "--word-bytes 0: give at least 1");
}

TEST(LayerOptions, TwoLayersAtOnceAreRefused) {
  LayerRequest request = product_of("8,8,8");
  request.elementwise = "8";
  EXPECT_EQ(layer_refusal(request),
            "npu: several layers; give only one of --gemm, --conv, --depthwise, --elementwise, --layers");
}

TEST(LayerOptions, OnePortForAllIsNoFasterThanThree) {
  LayerRequest request = product_of("64,64,64");
  request.buffers = "1KiB,1KiB,1KiB";
  request.bandwidth = "2";
  const Json apart = timed(request);
  request.shared_port = true;
  const Json shared = timed(request);
  EXPECT_EQ(apart["ports"], "private");
  EXPECT_EQ(shared["ports"], "shared");
  EXPECT_GE(shared["cycles"].get<std::uint64_t>(), apart["cycles"].get<std::uint64_t>());
  request.bandwidth = "2,2,2";
  EXPECT_EQ(layer_refusal(request),
            "--bandwidth 2,2,2: give one number with --shared-port: the port is the same for all");
}

TEST(LayerOptions, HugeShapesAreRefusedInsteadOfWrappingAround) {
  LayerRequest request = product_of("1099511627776,1099511627776,1099511627776");
  EXPECT_ANY_THROW(static_cast<void>(time_layers(request, {})));
  request.array = "18446744073709551616,1";
  EXPECT_NE(layer_refusal(request), "");
}

TEST(LayerOptions, ALayerFileThatIsMissingOrEmptyIsRefused) {
  const TemporaryDirectory place;
  LayerRequest request = on_array();
  request.layers = place.file("none.csv");
  EXPECT_EQ(layer_refusal(request).rfind(request.layers + ": ", 0), 0U);
  request.layers = place.write("empty.csv", "");
  EXPECT_EQ(layer_refusal(request).rfind(request.layers, 0), 0U);
}

TEST(LayerOptions, ANetworkIsTheSumOfItsLayersWithProgressForEach) {
  LayerRequest request = on_array();
  request.layers = kNetwork;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> progress;
  const Answer answer =
      time_layers(request, [&](std::uint64_t done, std::uint64_t total) { progress.emplace_back(done, total); });
  const Json& layers = answer.json["layers"];
  ASSERT_GT(layers.size(), 1U);
  for (const char* key : {"cycles", "stall_cycles", "compute_cycles", "macs", "folds"}) {
    std::uint64_t sum = 0;
    for (const Json& layer : layers) sum += layer[key].get<std::uint64_t>();
    EXPECT_EQ(answer.json[key], sum) << key;
  }
  for (const char* memory : {"sram", "dram"}) {
    for (const char* key : {"input_reads", "weight_reads", "output_writes"}) {
      std::uint64_t sum = 0;
      for (const Json& layer : layers) sum += layer[memory][key].get<std::uint64_t>();
      EXPECT_EQ(answer.json[memory][key], sum) << memory << " " << key;
    }
  }
  double mapped = 0;  // cells of all folds
  for (const Json& layer : layers) mapped += layer["mapping_efficiency"].get<double>() * layer["folds"].get<double>();
  EXPECT_NEAR(answer.json["mapping_efficiency"].get<double>(), mapped / answer.json["folds"].get<double>(), 1e-12);
  const double cells = answer.json["array"]["rows"].get<double>() * answer.json["array"]["cols"].get<double>();
  EXPECT_NEAR(answer.json["utilisation"].get<double>(),
              answer.json["macs"].get<double>() / (answer.json["cycles"].get<double>() * cells), 1e-12);
  EXPECT_EQ(answer.json["last_cycle"], answer.json["cycles"].get<std::uint64_t>() - 1);
  ASSERT_EQ(progress.size(), layers.size());
  for (std::size_t i = 0; i < progress.size(); ++i) EXPECT_EQ(progress[i], std::pair(i, layers.size()));
  EXPECT_EQ(answer.lines.size(), layers.size() + 2);
  EXPECT_EQ(answer.lines.back().rfind("total ", 0), 0U);
  expect_same_answer(answer, time_layers(request, {}));
}

TEST(LayerOptions, LinesSayWhatTheJsonSays) {
  LayerRequest request = product_of("20,30,40");
  request.request.seeds.schedule = 3;
  expect_golden(text_of(time_layers(request, {})), "app/npu/golden/gemm.txt");
}

TEST(MapNetwork, LinesSayWhatTheJsonSays) {
  expect_golden(text_of(map_model_onto_npu({.model = "branchnet"}, "")), "app/npu/golden/branchnet.txt");
}

TEST(MapNetwork, UnknownNamesAreRefused) {
  EXPECT_NE(refusal_of([] { return map_model_onto_npu({.model = "nothing"}, ""); }), "");
  EXPECT_NE(refusal_of([] { return map_model_onto_npu({.model = "branchnet"}, "nothing"); }), "");
  EXPECT_EQ(refusal_of([] { return map_model_onto_npu({.model = "branchnet"}, "orin_nano"); }),
            "--platform orin_nano: has no systolic array ([core.npu]); choose another");
}

std::string mixed(const LayerRequest& layer, const std::string& network, const std::string& platform, bool ports) {
  return refusal_of([&] {
    require_options_of(layer, network, platform, ports);
    return 0;
  });
}

TEST(LayerOptions, OfLayersAreRefusedBesideANetworkAndAPlatformWithoutOne) {
  const LayerRequest plain;
  EXPECT_EQ(mixed(plain, "m", "am62a", false), "");
  EXPECT_EQ(mixed(product_of("1,1,1"), "", "", true), "");
  EXPECT_EQ(mixed(product_of("1,1,1"), "", "am62a", false),
            "--platform am62a: is of a MODEL; leave it out, and describe the array of a layer by --array R,C");
  const auto refused = [](const char* option, auto change) {
    LayerRequest layer;
    change(layer);
    EXPECT_EQ(mixed(layer, "m", "", false).rfind(std::string(option) + ": is of single layers; m goes onto the NPU", 0),
              0U)
        << option;
  };
  refused("--array", [](LayerRequest& layer) { layer.array = "4,4"; });
  refused("--dataflow", [](LayerRequest& layer) { layer.dataflow = "ws"; });
  refused("--bandwidth", [](LayerRequest& layer) { layer.bandwidth = "1"; });
  refused("--buffers", [](LayerRequest& layer) { layer.buffers = "1,1,1"; });
  refused("--word-bytes", [](LayerRequest& layer) { layer.word_bytes = 2; });
  refused("--lanes", [](LayerRequest& layer) { layer.lanes = 2; });
  refused("--shared-port", [](LayerRequest& layer) { layer.shared_port = true; });
  EXPECT_NE(mixed(plain, "m", "", true), "");
}

}  // namespace
}  // namespace detent::app
