// detent npu: the answer repeats the question, and totals of a file are the sums of its layers.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tests/e2e/program.hpp"

namespace detent::e2e {
namespace {

TEST(NpuAnswer, ALayerIsNamedByTheOptionThatGaveIt) {
  for (const char* layer : {"gemm 10,6,4", "conv 16,16,3,3,8,32,1", "depthwise 12,12,3,3,24,1", "elementwise 1000,2"}) {
    const std::string command = std::string("--") + layer + " --array 4,8";
    EXPECT_EQ(npu(command)["model"], layer);
    EXPECT_EQ(run_detent("npu " + command).output.find(std::string(layer) + "\n"), 0U);
  }
}

TEST(NpuAnswer, TheChipThatWasAskedForStandsBesideTheAnswer) {
  const nlohmann::json json =
      npu("--gemm 10,6,4 --array 4,8 --dataflow is --bandwidth 1,2,3 --buffers 16,32,64 --private-ports");
  EXPECT_EQ(json["array"], nlohmann::json({{"rows", 4}, {"cols", 8}}));
  EXPECT_EQ(json["dataflow"], "is");
  EXPECT_EQ(json["ports"], "private");
  EXPECT_EQ(json["bandwidth"], nlohmann::json({{"input", 1}, {"weight", 2}, {"output", 3}}));
  EXPECT_EQ(json["buffers"], nlohmann::json({{"input", 16}, {"weight", 32}, {"output", 64}}));
  const nlohmann::json shared = npu("--gemm 10,6,4 --array 4,8 --bandwidth 5 --buffers 2,2,2 --shared-port");
  EXPECT_EQ(shared["ports"], "shared");
  EXPECT_EQ(shared["bandwidth"], nlohmann::json({{"input", 5}, {"weight", 5}, {"output", 5}}));
  EXPECT_FALSE(npu("--gemm 10,6,4 --array 4,8").contains("ports"));
}

TEST(NpuAnswer, LimitsThemselvesAreAllowed) {
  EXPECT_EQ(npu("--gemm 1,1,1 --array 4096,4096")["array"]["cols"], 4096);
  EXPECT_EQ(npu("--gemm 1,1,1 --array 1,1 --bandwidth 1 --buffers 32,32,32 --word-bytes 16")["buffers"]["input"], 32);
  EXPECT_EQ(npu("--gemm 1,1,1 --array 1,1 --bandwidth 1 --buffers 1KiB,1KiB,1KiB --word-bytes 16")["buffers"]["input"],
            64);
  EXPECT_EQ(npu("--elementwise 7 --array 1,7")["cycles"], npu("--elementwise 7,2 --array 1,7")["cycles"]);
  for (const char* refused : {"--array 4097,1", "--array 1,4097", "--array 1,1 --word-bytes 17 --buffers 2,2,2"})
    EXPECT_EQ(run_detent(std::string("npu --gemm 1,1,1 ") + refused).exit_code, 2) << refused;
}

TEST(NpuAnswer, TotalsOfAFileAreTheSumsOfItsLayers) {
  const std::string path = scratch("npu_totals") + "/net.csv";
  write_file(path, "Layer name,M,N,K,\nfc1,100,60,40,\nDPw,12,12,3,3,24,1,1,\nfc2,7,5,3,\n");
  const nlohmann::json json = npu("--layers " + path + " --array 4,4 --bandwidth 2 --buffers 64,64,64");
  ASSERT_EQ(json["layers"].size(), 3U);
  EXPECT_EQ(json["model"], path);
  for (const char* key : {"cycles", "stall_cycles", "compute_cycles", "folds", "macs"}) {
    std::uint64_t total = 0;
    for (const auto& layer : json["layers"]) total += layer[key].get<std::uint64_t>();
    EXPECT_EQ(json[key], total) << key;
    EXPECT_GT(total, 0U) << key;
  }
  for (const char* memory : {"sram", "dram"})
    for (const char* key : {"input_reads", "weight_reads", "output_writes"}) {
      std::uint64_t total = 0;
      for (const auto& layer : json["layers"]) total += layer[memory][key].get<std::uint64_t>();
      EXPECT_EQ(json[memory][key], total) << memory << key;
      EXPECT_GT(total, 0U) << key;
    }
  const double cycles = json["cycles"].get<double>();
  EXPECT_EQ(json["last_cycle"], json["cycles"].get<std::uint64_t>() - 1);
  EXPECT_DOUBLE_EQ(json["utilisation"].get<double>(), json["macs"].get<double>() / (cycles * 16));
  double mapped = 0;
  for (const auto& layer : json["layers"])
    mapped += layer["mapping_efficiency"].get<double>() * layer["folds"].get<double>();
  EXPECT_DOUBLE_EQ(json["mapping_efficiency"].get<double>(), mapped / json["folds"].get<double>());
}

}  // namespace
}  // namespace detent::e2e
