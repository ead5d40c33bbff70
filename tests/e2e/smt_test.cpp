// detent verify --smt: Z3 beside L0, limits, and files for other solvers.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "tests/e2e/program.hpp"

namespace detent::e2e {
namespace {

nlohmann::json verdict_of(const nlohmann::json& answer, const std::string& property) {
  const auto& verdicts = answer["verdicts"];
  const auto found = std::ranges::find_if(verdicts, [&](const auto& one) { return one["property"] == property; });
  return found == verdicts.end() ? nlohmann::json() : *found;
}

TEST(Smt, Yolov8nIsProvedAndBothCheckersAgree) {
  const Answer answer = run_detent("verify yolov8n:64 --smt --json -");
  EXPECT_EQ(answer.exit_code, 0) << answer.error;
  const nlohmann::json json = parse(answer);
  for (const char* property : {"memory_plan_smt", "buffer_races_smt", "checkers_agree"}) {
    EXPECT_EQ(verdict_of(json, property)["outcome"], "holds") << property;
  }
  EXPECT_EQ(json["smt"]["racing_pairs"], 0);
  EXPECT_EQ(json["smt"]["agrees"], true);
  EXPECT_EQ(json["smt"]["buffer_races"]["complete"], true);
  EXPECT_GT(json["smt"]["buffer_races"]["steps"], 0);
  EXPECT_GT(json["host"]["smt_seconds"], 0);
}

TEST(Smt, ARaceComesWithItsSchedule) {
  const Answer answer = run_detent("verify bad_reuse_war --smt --json -");
  EXPECT_EQ(answer.exit_code, 1) << answer.error;
  const nlohmann::json json = parse(answer);
  EXPECT_EQ(json["smt"]["racing_pairs"], json["racing_pairs"]);
  ASSERT_EQ(json["smt"]["races"].size(), 1U);
  for (const char* key : {"op_a", "op_b", "kind", "region", "name_a", "name_b"}) {
    EXPECT_EQ(json["smt"]["races"][0][key], json["races"][0][key]) << key;
  }
  const nlohmann::json verdict = verdict_of(json, "buffer_races_smt");
  EXPECT_EQ(verdict["outcome"], "violated");
  EXPECT_EQ(verdict["witness"]["schedule"].size(), json["ops"]);
  EXPECT_EQ(verdict_of(json, "checkers_agree")["outcome"], "holds");
}

TEST(Smt, PeopleSeeOneLineEach) {
  const Answer answer = run_detent("verify bad_overlap --smt");
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_NE(answer.output.find("memory_plan_smt violated  Z3 "), std::string::npos) << answer.output;
  EXPECT_NE(answer.output.find("    B42: "), std::string::npos);
  EXPECT_NE(answer.output.find("checkers_agree  holds     L0 and Z3 say the same"), std::string::npos);
}

TEST(Smt, EqualRunsGiveEqualBytes) {
  const std::string command = "verify bad_reuse_waw --smt --reproducible --json -";
  const Answer answer = run_detent(command);
  EXPECT_EQ(answer.output, run_detent(command).output);
  EXPECT_FALSE(parse(answer).contains("host"));
}

TEST(Smt, LimitIsReportedAndExitsWithThree) {
  const Answer answer = run_detent("verify diamond --smt --smt-steps 1");
  EXPECT_EQ(answer.exit_code, 3) << answer.output;
  EXPECT_NE(answer.output.find("not decided: limit of 1 solver steps"), std::string::npos) << answer.output;
  EXPECT_EQ(run_detent("verify diamond --smt --smt-limit 0").exit_code, 2);
}

TEST(Smt, FilesCarryTheirExpectedAnswer) {
  const std::string directory = scratch("smt_files");
  const std::string files = " --smt2 " + directory + "/races.smt2 --smt2-plan " + directory + "/plan.smt2";
  EXPECT_EQ(run_detent("verify diamond" + files).exit_code, 0);
  EXPECT_NE(read_file(directory + "/races.smt2").find("(set-info :status unsat)"), std::string::npos);
  EXPECT_NE(read_file(directory + "/plan.smt2").find("(set-info :status unsat)"), std::string::npos);
  EXPECT_EQ(run_detent("verify bad_reuse_war" + files).exit_code, 1);
  const std::string races = read_file(directory + "/races.smt2");
  EXPECT_NE(races.find("(set-info :status sat)"), std::string::npos);
  EXPECT_NE(races.find("model bad_reuse_war"), std::string::npos);
  EXPECT_TRUE(races.ends_with("(assert claim)\n(check-sat)\n(exit)\n"));
}

TEST(Smt, AFileIsWrittenWholeOrNotAtAll) {
  const std::string directory = scratch("smt_refused");
  const Answer refused = run_detent("verify diamond --smt2 " + directory + "/missing/races.smt2");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.error.find("races.smt2"), std::string::npos) << refused.error;
  const Answer broken =
      run_detent("verify bad_overlap --smt2 " + directory + "/races.smt2 --smt2-plan " + directory + "/plan.smt2");
  EXPECT_EQ(broken.exit_code, 1);
  EXPECT_NE(broken.output.find("races.smt2: not written"), std::string::npos) << broken.output;
  EXPECT_FALSE(std::filesystem::exists(directory + "/races.smt2"));
  EXPECT_NE(read_file(directory + "/plan.smt2").find("(set-info :status sat)"), std::string::npos);
}

}  // namespace
}  // namespace detent::e2e
