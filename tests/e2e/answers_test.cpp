// Every command answers in JSON with the agreed keys, twice the same bytes under --reproducible.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/e2e/program.hpp"

namespace detent::e2e {
namespace {

void expect_keys(const std::string& arguments, const std::string& schema, const std::vector<std::string>& keys) {
  const Answer answer = run_detent(arguments + " --json -");
  ASSERT_EQ(answer.exit_code, 0) << arguments << answer.error;
  const nlohmann::json json = parse(answer);
  EXPECT_EQ(json.value("schema", ""), schema);
  EXPECT_TRUE(json.contains("detent_version"));
  for (const std::string& key : keys) EXPECT_TRUE(json.contains(key)) << arguments << ": " << key;
  const std::string again = run_detent(arguments + " --reproducible --json -").output;
  EXPECT_EQ(again, run_detent(arguments + " --reproducible --json -").output) << arguments;
  EXPECT_EQ(again.find("\"host\""), std::string::npos) << arguments;
}

TEST(Answers, Run) { expect_keys("run diamond", "detent.run/1", {"model", "seed", "digest", "ops", "status"}); }

TEST(Answers, Simulate) {
  expect_keys("simulate branchnet --platform quad_npu --runs 5", "detent.simulate/1",
              {"makespan_ps", "digest", "ops", "utilisation"});
}

TEST(Answers, Verify) { expect_keys("verify yolov8n:64", "detent.verify/1", {"races", "unordered_pairs", "verdicts"}); }

TEST(Answers, Bound) {
  expect_keys("bound branchnet --platform quad_npu", "detent.bound/1", {"methods", "response_ps"});
  expect_keys("bound chain:20 --cores 4", "detent.bound/1", {"methods", "response_ps"});
  expect_keys("bound branchnet --cores cpu=2,npu=1", "detent.bound/1", {"methods"});
}

TEST(Answers, Tasks) {
  const std::string file = scratch("tasks") + "/set.toml";
  write_file(file, "schema = \"detent.task_set/1\"\n[[tasks]]\nname = \"a\"\nmodel = \"chain:3\"\nperiod = \"1ms\"\n");
  expect_keys("tasks " + file + " --cores 2", "detent.tasks/1",
              {"platform", "policy", "tasks", "utilisation", "chains", "verdicts", "assumes"});
}

TEST(Answers, Plan) {
  expect_keys("plan yolov8n:64", "detent.plan/1", {"arena_bytes", "lower_bound_bytes", "offsets"});
  expect_keys("plan series_parallel:3:8 --pareto --cores 2 --points 2", "detent.plan/1",
              {"platform", "policy", "lower_bound_bytes", "unshared_bytes", "exact", "points"});
}

TEST(Answers, List) {
  for (const char* what : {"models", "platforms", "policies", "kernels"}) {
    const Answer answer = run_detent(std::string("list ") + what + " --json -");
    EXPECT_EQ(answer.exit_code, 0) << answer.error;
    EXPECT_GT(parse(answer)[what].size(), 2U) << what;
  }
}

TEST(Answers, ReplayRepeatsARunFromItsAnswer) {
  const std::string directory = scratch("replay");
  ASSERT_EQ(
      run_detent("run branchnet --workers 2 --policy random --seed 9 --json " + directory + "/run.json").exit_code, 0);
  EXPECT_EQ(run_detent("replay " + directory + "/run.json").exit_code, 0);
  EXPECT_EQ(run_detent("replay " + directory + "/run.json --on sim").exit_code, 0);
  ASSERT_EQ(run_detent("simulate branchnet --platform quad_npu --runs 20 --json " + directory + "/sim.json").exit_code,
            0);
  const Answer same = run_detent("replay " + directory + "/sim.json");
  EXPECT_EQ(same.exit_code, 0) << same.output;
  const Answer other = run_detent("replay 'detent-replay/1 model=branchnet workers=2 digest=0000000000000000'");
  EXPECT_EQ(other.exit_code, 1) << other.output << other.error;
}

TEST(Answers, ImportedGraphAndPackageAnswerAlike) {
  const std::string directory = scratch("import");
  ASSERT_EQ(run_detent("graph branchnet -o " + directory + "/g.json").exit_code, 0);
  ASSERT_EQ(run_detent("import graph " + directory + "/g.json -o " + directory + "/g.detent").exit_code, 0);
  const auto graph = parse(run_detent("run " + directory + "/g.json --json -"));
  const auto package = parse(run_detent("run " + directory + "/g.detent --json -"));
  EXPECT_EQ(graph["digest"], package["digest"]);
}

TEST(Answers, OutputIsWrittenAndInputIsRead) {
  const std::string directory = scratch("output");
  ASSERT_EQ(run_detent("run mobilenetv2:64 --output " + directory + "/y.bin").exit_code, 0);
  EXPECT_EQ(std::filesystem::file_size(directory + "/y.bin"), 4000U);
  write_file(directory + "/x.bin", std::string(std::size_t{3} * 64 * 64 * 4, '\0'));
  const auto zeros = parse(run_detent("run mobilenetv2:64 --json - --input " + directory + "/x.bin"));
  const auto seeded = parse(run_detent("run mobilenetv2:64 --json -"));
  EXPECT_NE(zeros["digest"], seeded["digest"]);
  EXPECT_EQ(run_detent("run mobilenetv2:96 --input " + directory + "/x.bin").exit_code, 2);
}

TEST(Answers, OfAnOperatorThatIsCalculatedAndOfOneThatIsRefused) {
  const std::string directory = scratch("operator");
  const std::string x = directory + "/x.bin";
  const std::string y = directory + "/y.bin";
  write_file(x, std::string(8, '\0'));
  const auto answer = parse(run_detent("op exp --dtype f32 --shape 2 --input " + x + " --output " + y + " --json -"));
  EXPECT_EQ(answer["schema"], "detent.op/1");
  EXPECT_EQ(answer["status"]["name"], "SUCCESS");
  EXPECT_EQ(std::filesystem::file_size(y), 8U);
  EXPECT_EQ(run_detent("op exp --dtype f32 --shape 2 --out-strides 0").exit_code, 2);
}

TEST(Answers, APlanCaseIsAnsweredWithItsRuns) {
  const std::string file = std::string(DETENT_SOURCE_DIR) + "/tests/cli/transcripts/inputs/plan_case.json";
  const auto answer = parse(run_detent("partition " + file + " --json -"));
  EXPECT_EQ(answer["kind"], "COMPOUND");
  EXPECT_EQ(answer["steps"].size(), 12U);
  EXPECT_EQ(answer["runs"][0]["outputs"], nlohmann::json({5.0, 0.0}));
  EXPECT_EQ(run_detent("partition " + file + " --platform quad_npu").exit_code, 2);
}

TEST(Answers, ANetworkIsPartitionedOverAPlatform) {
  const auto answer = parse(run_detent("partition branchnet --platform am62a --json -"));
  EXPECT_EQ(answer["schema"], "detent.partition/1");
  EXPECT_EQ(answer["ways"].size(), 3U);
  EXPECT_EQ(answer["ops"].size(), 25U);
}

}  // namespace
}  // namespace detent::e2e
