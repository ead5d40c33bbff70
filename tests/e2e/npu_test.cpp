// detent npu: the contract's keys, layer files, and what is refused.
#include <gtest/gtest.h>

#include "tests/e2e/program.hpp"

namespace detent::e2e {
namespace {

TEST(Npu, AGemmWithoutStalls) {
  const nlohmann::json json = npu("--gemm 100,60,40 --array 16,8 --dataflow os");
  EXPECT_EQ(json["schema"], "detent.npu/1");
  EXPECT_EQ(json["cycles"], 56 * 62);
  EXPECT_EQ(json["last_cycle"], 56 * 62 - 1);
  EXPECT_EQ(json["stall_cycles"], 0);
  EXPECT_EQ(json["folds"], 56);
  EXPECT_EQ(json["sram"]["input_reads"], 100 * 40 * 8);
  EXPECT_EQ(json["sram"]["weight_reads"], 40 * 60 * 7);
  EXPECT_EQ(json["sram"]["output_writes"], 6000);
  for (const char* key : {"detent_version", "seed", "compute_cycles", "utilisation", "mapping_efficiency", "dram"})
    EXPECT_TRUE(json.contains(key)) << key;
}

TEST(Npu, FiniteBandwidthStallsAndASharedPortStallsMore) {
  const std::string layer = "--conv 16,16,3,3,8,32,1 --array 8,8 --dataflow ws --buffers 1KiB,1KiB,1KiB --bandwidth 4";
  const nlohmann::json own = npu(layer);
  EXPECT_GT(own["stall_cycles"], 0);
  EXPECT_EQ(own["cycles"], own["compute_cycles"].get<int>() + own["stall_cycles"].get<int>());
  EXPECT_EQ(npu(layer + " --private-ports")["cycles"], own["cycles"]);
  EXPECT_EQ(
      npu("--conv 16,16,3,3,8,32,1,1 --array 8,8 --dataflow ws --buffers 1024,1024,1024 --bandwidth 4,4,4")["cycles"],
      own["cycles"]);
  EXPECT_GE(npu(layer + " --shared-port")["stall_cycles"], own["stall_cycles"]);
  EXPECT_GE(npu(layer + " --word-bytes 2")["stall_cycles"], own["stall_cycles"]);
}

TEST(Npu, DepthwiseAndElementwise) {
  EXPECT_EQ(npu("--depthwise 12,12,3,3,24,1 --array 4,4 --dataflow os")["cycles"], 24 * 25 * (9 + 6));
  EXPECT_EQ(npu("--elementwise 1000,2 --array 8,16 --lanes 100")["cycles"], 10);
}

TEST(Npu, ALayerFileGivesRowsAndTotals) {
  const std::string path = scratch("npu_layers") + "/net.csv";
  write_file(path, "Layer name,M,N,K,\nfc1,100,60,40,\nDPw,12,12,3,3,24,1,1,\n");
  const nlohmann::json json = npu("--layers " + path + " --array 4,4 --dataflow os");
  ASSERT_EQ(json["layers"].size(), 2U);
  EXPECT_EQ(json["layers"][1]["name"], "DPw");
  EXPECT_EQ(json["cycles"], json["layers"][0]["cycles"].get<int>() + json["layers"][1]["cycles"].get<int>());
  EXPECT_EQ(json["folds"], json["layers"][0]["folds"].get<int>() + json["layers"][1]["folds"].get<int>());
  const Answer text = run_detent("npu --layers " + path + " --array 4,4");
  EXPECT_NE(text.output.find("total"), std::string::npos) << text.output;
  EXPECT_NE(text.output.find("fc1"), std::string::npos);
}

void expect_npu_refused(const std::string& arguments, const std::string& words, int code = 2) {
  const Answer answer = run_detent("npu " + arguments);
  EXPECT_EQ(answer.exit_code, code) << arguments << answer.error;
  EXPECT_NE(answer.error.find(words), std::string::npos) << arguments << answer.error;
  EXPECT_EQ(answer.output, "") << arguments;
}

TEST(Npu, B17_BadNumbersNameTheOption) {
  for (const char* gemm : {"0,1,1", "1,-1,1", "1,1", "1,1,1,1", "1,x,1", "1,1,99999999999999999999", "1.5,1,1"})
    expect_npu_refused(std::string("--gemm ") + gemm + " --array 4,4", "--gemm");
  expect_npu_refused("--gemm 1,1,4294967296 --array 4,4", "2147483648");
  for (const char* array : {"0,4", "4", "4,4,4", "5000,4", "-4,4"})
    expect_npu_refused(std::string("--gemm 1,1,1 --array ") + array, "--array");
  for (const char* buffers : {"1,4,4", "4,4", "4,4,4KB", "0,4,4"})
    expect_npu_refused(std::string("--gemm 1,1,1 --array 4,4 --bandwidth 1 --buffers ") + buffers, "--buffers");
  for (const char* bandwidth : {"0", "1,2", "-1"})
    expect_npu_refused(std::string("--gemm 1,1,1 --array 4,4 --buffers 8,8,8 --bandwidth ") + bandwidth, "--bandwidth");
  expect_npu_refused("--conv 3,3,5,5,1,1,1 --array 4,4", "larger than the input");
  expect_npu_refused("--conv 3,3,2,2,1,1 --array 4,4", "--conv");
  expect_npu_refused("--depthwise 3,3,2,2,1 --array 4,4", "--depthwise");
  expect_npu_refused("--elementwise 1,2,3 --array 4,4", "--elementwise");
}

TEST(Npu, ANetworkIsMappedOpByOp) {
  const nlohmann::json json = npu("yolov8n:64 --platform imx93");
  EXPECT_EQ(json["platform"], "imx93");
  EXPECT_EQ(json["array"]["rows"], 16);
  std::uint64_t cycles = 0;
  std::uint64_t macs = 0;
  for (const auto& layer : json["layers"]) {
    cycles += layer["compute_cycles"].get<std::uint64_t>();
    if (!layer["on_array"]) continue;
    const auto& gemm = layer["gemm"];
    macs += layer["groups"].get<std::uint64_t>() * gemm["m"].get<std::uint64_t>() * gemm["n"].get<std::uint64_t>() *
            gemm["k"].get<std::uint64_t>();
  }
  EXPECT_GT(json["layers"].size(), 60U);
  EXPECT_EQ(json["compute_cycles"], cycles);
  EXPECT_EQ(json["macs"], macs);
  expect_npu_refused("yolov8n:64 --platform orin_nano", "orin_nano");
  expect_npu_refused("nothing_of_this_name", "nothing_of_this_name");
}

TEST(Npu, B32_CountsBeyond64BitsAreRefused) {
  expect_npu_refused("--gemm 2147483648,2147483648,2147483648 --array 1,1", "64 bits");
}

TEST(Npu, IncompleteQuestionsSayWhatIsMissing) {
  expect_npu_refused("--array 4,4", "--gemm");
  expect_npu_refused("--gemm 1,1,1", "--array");
  expect_npu_refused("--gemm 1,1,1 --conv 3,3,1,1,1,1,1 --array 4,4", "--gemm");
  expect_npu_refused("--gemm 1,1,1 --array 4,4 --dataflow up", "--dataflow");
  expect_npu_refused("--gemm 1,1,1 --array 4,4 --bandwidth 4", "--buffers");
  expect_npu_refused("--gemm 1,1,1 --array 4,4 --shared-port", "--bandwidth");
  expect_npu_refused("--gemm 1,1,1 --array 4,4 --shared-port --bandwidth 1,2,3 --buffers 8,8,8", "--bandwidth");
  expect_npu_refused("--layers /nonexistent.csv --array 4,4", "/nonexistent.csv");
  const std::string path = scratch("npu_bad") + "/net.csv";
  write_file(path, "name,M,N,K\nfc,1,0,3\n");
  expect_npu_refused("--layers " + path + " --array 4,4", "net.csv:2: column 3");
}

TEST(Npu, TooLargeForFiniteBandwidthIsUnknown) {
  expect_npu_refused("--gemm 1000000,1000000,1 --array 1,1 --bandwidth 1 --buffers 8,8,8", "--bandwidth", 3);
}

}  // namespace
}  // namespace detent::e2e
