#include "app/partition/partition.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/app/answers.hpp"
#include "tests/models/partition/plan_cases.hpp"

namespace detent::app {
namespace {

Answer partitioned(const std::string& from = "", const std::string& to = "", const OnProgress& on_progress = {}) {
  std::string text = models::partition::testing::two_ops_text();
  if (!from.empty()) text.replace(text.find(from), from.size(), to);
  const TemporaryDirectory directory;
  return partition_model({.request = {.model = directory.write("case.json", text)}}, on_progress);
}

TEST(Partition, TheAnswerHasThePlanAndWhatItsRunsDid) {
  std::uint64_t done = 0;
  const Answer answer = partitioned("", "", [&](std::uint64_t runs, std::uint64_t) { done = runs; });
  EXPECT_EQ(done, 1U);
  EXPECT_EQ(answer.outcome, verify::Outcome::kHolds);
  EXPECT_EQ(answer.json["schema"], "detent.partition/1");
  EXPECT_EQ(answer.json["compile_rc"], 0);
  EXPECT_EQ(answer.json["kind"], "COMPOUND");
  const auto wanted = Json::parse(R"([
    {"kind": "EXEC", "device": "npu", "model": 0, "ops": [0], "file_ops": [0], "inputs": [0, 1], "outputs": [2], "downstream": []},
    {"kind": "EXEC", "device": "cpu", "model": 0, "ops": [1], "file_ops": [1], "inputs": [1, 2], "outputs": [3], "downstream": []}])");
  EXPECT_EQ(answer.json["steps"], wanted);
  EXPECT_EQ(answer.json["runs"],
            Json::parse(R"([{"rc": 0, "outputs": [10.0], "trace": ["npu#0", "fallback#0", "cpu#1"]}])"));
  EXPECT_EQ(answer.json["choices"][1]["performance"], Json::parse(R"({"npu": null, "cpu": 1.0})"));
  EXPECT_FALSE(answer.json.contains("reason"));
}

TEST(Partition, OneDeviceIsOneStep) {
  const Answer answer = partitioned(R"(["OP0"])", R"(["*"])");
  EXPECT_EQ(answer.json["kind"], "SIMPLE");
  EXPECT_EQ(answer.json["steps"], Json::parse(R"(["npu"])"));
  EXPECT_EQ(answer.json["runs"][0]["trace"], Json::parse(R"(["npu#0", "fallback#0"])"));
  EXPECT_EQ(answer.lines[1], "  all ops on npu");
}

TEST(Partition, AModelThatCannotBeCompiledIsAnAnswer) {
  const Answer answer = partitioned(R"("ins": [2, 1])", R"("ins": [2, 7])");
  EXPECT_EQ(answer.outcome, verify::Outcome::kHolds);
  EXPECT_EQ(answer.json["compile_rc"], 4);
  EXPECT_EQ(answer.json["kind"], "ERROR");
  EXPECT_EQ(answer.json["reason"], "op 1 (OP1): operand 7 does not exist");
  EXPECT_TRUE(answer.json["steps"].empty() && answer.json["runs"].empty());
}

TEST(Partition, RunsSayTheirCode) {
  const Answer answer = partitioned(R"("partitioning": 1)", R"("partitioning": 2)");
  EXPECT_EQ(answer.json["runs"], Json::parse(R"([{"rc": 5, "outputs": [], "trace": ["npu#0"]}])"));
  EXPECT_EQ(answer.lines.back(), "  run 0: code 5 OP_FAILED; npu#0");
}

TEST(Partition, ARunThatDoesNotEndIsALimit) {
  const TemporaryDirectory directory;
  const std::string file =
      directory.write("endless.json", R"({"schema": "detent.plan_case/1", "devices": [], "max_iterations": 1000000000,
    "model": {"operands": [{"type": "f32", "life": "in"}, {"type": "f32", "life": "in"}, {"type": "f32", "life": "out"}],
      "inputs": [0, 1], "outputs": [2], "ops": [{"type": "WHILE", "ins": [0, 1], "outs": [2], "refs": [
        {"operands": [{"type": "f32", "life": "in"}, {"type": "f32", "life": "in"}, {"type": "bool", "life": "out"}],
         "inputs": [0, 1], "outputs": [2], "ops": [{"type": "LESS", "ins": [0, 1], "outs": [2]}]},
        {"operands": [{"type": "f32", "life": "in"}, {"type": "f32", "life": "in"}, {"type": "f32", "life": "out"}],
         "inputs": [0, 1], "outputs": [2], "ops": [{"type": "SUB", "ins": [0, 1], "outs": [2]}]}]}]},
    "runs": [{"args": [2, 1]}, {"args": [0, 1]}, {"args": [2, 1]}]})");
  const Answer answer = partition_model({.request = {.model = file}}, {});
  EXPECT_EQ(answer.outcome, verify::Outcome::kUnknown);
  EXPECT_EQ(answer.json["runs"].size(), 1U);
  EXPECT_EQ(answer.json["limit"].get<std::string>().rfind("run 1: ", 0), 0U);
}

TEST(Partition, B02_FilesOfAnotherKindAreRefused) {
  const TemporaryDirectory directory;
  const std::string file = directory.write("other.json", R"({"schema": "other"})");
  EXPECT_EQ(refusal_of([&] { return partition_model({.request = {.model = file}}, {}); }).rfind(file, 0), 0U);
}

TEST(Partition, APlanCaseNamesItsDevicesItself) {
  const TemporaryDirectory directory;
  const std::string file = directory.write("case.json", models::partition::testing::two_ops_text());
  EXPECT_EQ(refusal_of([&] { return partition_model({.request = {.model = file}, .platform = "quad_npu"}, {}); }),
            file + ": is a plan case, which names its devices itself; leave --platform out");
  EXPECT_EQ(refusal_of([&] { return partition_model({.request = {.model = file}, .workers = 2}, {}); }),
            file + ": is a plan case, which names its devices itself; leave --workers out");
}

}  // namespace
}  // namespace detent::app
