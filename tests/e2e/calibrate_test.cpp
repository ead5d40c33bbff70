// detent calibrate on small models: files are written, read back by simulate, and refused when they do not fit.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/build.hpp"
#include "tests/e2e/program.hpp"

namespace detent::e2e {
namespace {

TEST(Calibrate, CostsOfAModelAreUsedBySimulate) {
  const std::string file = scratch("calibrate_costs") + "/costs.toml";
  const Answer answer = run_detent("calibrate resnet18:32 -o " + file + " --runs 3 --cold-runs 1 --json -");
  ASSERT_EQ(answer.exit_code, 0) << answer.error;
  const nlohmann::json json = parse(answer);
  EXPECT_EQ(json["schema"], "detent.calibrate/1");
  EXPECT_EQ(json["ops"], json["host"]["ops"].size());
  EXPECT_GE(json["ops"], 30);
  for (const auto& op : json["host"]["ops"]) {
    EXPECT_LE(op["warm"]["min_ps"], op["warm"]["median_ps"]);
    EXPECT_GT(op["cold"]["max_ps"], 0);
  }
  const std::string simulate =
      "simulate resnet18:32 --platform quad_npu --no-npu --timing-only --jitter worst --json -";
  const Answer measured = run_detent(simulate + " --costs " + file);
  ASSERT_EQ(measured.exit_code, 0) << measured.error;
  const Answer roofline = run_detent(simulate);
  EXPECT_NE(parse(measured)["makespan_ps"]["max"], parse(roofline)["makespan_ps"]["max"]);
  const Answer replay = run_detent("replay '" + parse(measured)["replay"].get<std::string>() + "'");
  EXPECT_EQ(replay.exit_code, 0) << replay.error << replay.output;
  const Answer empirical = run_detent(
      "simulate resnet18:32 --platform quad_npu --no-npu --timing-only --runs 20 --jitter empirical --costs " + file);
  EXPECT_EQ(empirical.exit_code, 0) << empirical.error;
}

TEST(Calibrate, ReproducibleAnswerOmitsMeasuredTimes) {
  const std::string file = scratch("calibrate_reproducible") + "/costs.toml";
  const std::string command = "calibrate diamond -o " + file + " --runs 2 --use-cold --reproducible --json -";
  const Answer answer = run_detent(command);
  ASSERT_EQ(answer.exit_code, 0) << answer.error;
  EXPECT_FALSE(parse(answer).contains("host"));
  EXPECT_NE(read_file(file).find("use_cold = true"), std::string::npos);
  EXPECT_EQ(answer.output, run_detent(command).output);
}

TEST(Calibrate, HostBecomesAPlatformThatSimulateReads) {
  const std::string file = scratch("calibrate_host") + "/host.toml";
  const Answer answer = run_detent("calibrate resnet18:32 --host -o " + file + " --runs 1 --json -");
  ASSERT_EQ(answer.exit_code, 0) << answer.error;
  const nlohmann::json host = parse(answer)["host"];
  EXPECT_GE(host["cpus"], 1);
  EXPECT_GT(host["clock_hz"], 0);
  EXPECT_GT(host["overheads_ps"]["wake"], 0);
  EXPECT_GE(host["overheads_ps"]["lock_contended"], host["overheads_ps"]["lock"]);
  const Answer simulated = run_detent("simulate resnet18:32 --timing-only --json - --platform " + file);
  ASSERT_EQ(simulated.exit_code, 0) << simulated.error;
  EXPECT_EQ(parse(simulated)["platform"], "host");
}

TEST(Calibrate, ValidateComparesOtherModelsAndWorkers) {
  const std::string file = scratch("calibrate_validate") + "/host.toml";
  // Instrumented kernels are slow: there, one network is predicted from another one.
  const std::string models = kIsInstrumented
                                 ? "calibrate --validate mobilenetv2:32 --fit resnet18:32 --runs 1 "
                                 : "calibrate --validate resnet18:32 mobilenetv2:32 --fit calibration:1 --runs 2 ";
  const Answer answer = run_detent(models + "-o " + file + " --json -");
  ASSERT_EQ(answer.exit_code, 0) << answer.error;
  const nlohmann::json json = parse(answer);
  EXPECT_EQ(json["rows"],
            kIsInstrumented ? 4 : 8);  // models, two numbers of workers, fitted on another model and on itself
  for (const auto& row : json["host"]["rows"]) {
    EXPECT_GT(row["predicted_ps"], 0);
    EXPECT_GE(row["measured_ps"], row["measured_min_ps"]);
  }
  for (const auto& ops : json["host"]["ops"]) EXPECT_LE(ops["median_error"], ops["p90_error"]);
  const Answer strict = run_detent(models + "--workers 1 --max-error 0.0000001 --platform " + file);
  EXPECT_EQ(strict.exit_code, 1) << strict.output;
  EXPECT_NE(strict.output.find("are off by more than"), std::string::npos);
}

TEST(Calibrate, ContradictoryOptionsAndForeignCostsAreRefused) {
  const std::string file = scratch("calibrate_refused") + "/costs.toml";
  EXPECT_EQ(run_detent("calibrate").exit_code, 2);
  EXPECT_EQ(run_detent("calibrate diamond").exit_code, 2);  // no -o
  EXPECT_EQ(run_detent("calibrate diamond chain -o " + file).exit_code, 2);
  EXPECT_EQ(run_detent("calibrate --host --validate").exit_code, 2);
  EXPECT_EQ(run_detent("calibrate diamond -o " + file + " --max-error 5").exit_code, 2);
  EXPECT_EQ(run_detent("calibrate --validate diamond --fit diamond").exit_code, 2);
  EXPECT_EQ(run_detent("calibrate --validate diamond --workers 0").exit_code, 2);
  EXPECT_EQ(run_detent("calibrate calibration:0 -o " + file).exit_code, 2);
  ASSERT_EQ(run_detent("calibrate diamond --runs 2 -o " + file).exit_code, 0);
  const Answer other = run_detent("simulate chain --timing-only --costs " + file);
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_NE(other.error.find("has no op of chain"), std::string::npos) << other.error;
  write_file(file, "schema = \"detent.costs/1\"\nmodell = \"x\"\n");
  const Answer unknown = run_detent("simulate diamond --timing-only --costs " + file);
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.error.find(":2: unknown key 'modell'"), std::string::npos) << unknown.error;
}

}  // namespace
}  // namespace detent::e2e
