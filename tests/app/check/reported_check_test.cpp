// A check with all files that it writes.
#include "app/check/reported_check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include "app/check/check_summary.hpp"
#include "app/replay/replay_line.hpp"
#include "models/files/package.hpp"
#include "tests/app/answers.hpp"
#include "tests/models/import/tvm/import_text.hpp"

namespace detent::app {
namespace {

using verify::Outcome;

class ReportedCheck : public ::testing::Test {
 protected:
  [[nodiscard]] CheckRequest check_of(const std::string& model) const {
    CheckRequest made;
    made.check.request = {.model = model, .seeds = {.schedule = 1}, .reproducible = true};
    made.check.simulation.cores = "2";
    made.check.simulation.runs = 4;
    made.check.schedules = 0;
    made.check.schedule.engine.workers = 2;
    made.directory = place_.file("out");
    return made;
  }
  static Answer reported(const CheckRequest& request) { return report_check(request, start_check(request), 80, {}); }
  [[nodiscard]] std::string written(const std::string& name) const { return bytes_of(place_.file("out/" + name)); }
  [[nodiscard]] std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(place_.file("out"))) {
      names.insert(entry.path().filename().string());
    }
    return names;
  }

  TemporaryDirectory place_;
};

/// A device's ops by its commands natively, one at a time elsewhere: one digest, said in every output.
TEST_F(ReportedCheck, ADeviceExecutesTheOpsOfItsClass) {
  CheckRequest request = check_of("branchnet");
  request.check.simulation.cores.clear();
  request.check.simulation.platform = "quad_npu";
  const Answer plain = reported(request);
  request.check.model.device = harness::read_device("software");
  const Answer answer = reported(request);
  EXPECT_EQ(answer.json.at("native"), plain.json.at("native"));
  EXPECT_EQ(answer.json.at("simulated"), plain.json.at("simulated"));
  const Json& device = answer.json.at("device");
  const auto ops = device.at("model_ops").get<std::uint64_t>();
  EXPECT_GT(ops, 10U);
  // The run that users see, the serial one, 32 others, and simulated ones: each op of each.
  const auto simulated = answer.json.at("simulated").at("executed_runs").get<std::uint64_t>();
  EXPECT_GE(device.at("ops"), ops * (34 + simulated));
  EXPECT_EQ(device.at("ops").get<std::uint64_t>() % ops, 0U);
  EXPECT_FALSE(device.contains("most_commands"));
  EXPECT_NE(answer.lines.front().find("device software NPU: "), std::string::npos) << answer.lines.front();
  EXPECT_EQ(Json::parse(written("report.json")), answer.json);
  EXPECT_NE(written("report.html").find("executes " + std::to_string(ops) + " ops of class npu"), std::string::npos);
  EXPECT_NE(answer.json.at("replay").get<std::string>().find(" device=software"), std::string::npos);
  request.check.request.reproducible = false;
  EXPECT_GE(reported(request).json.at("device").at("most_commands"), 1) << "native runs give it commands";
}

TEST_F(ReportedCheck, CoverageCountsNoKernelsOfADevice) {
  CheckRequest request = check_of("branchnet");
  request.coverage = true;
  request.check.model.device = harness::read_device("software");
  EXPECT_NE(refusal_of([&] { return start_check(request).platform.name; }).find("--coverage: counts kernels of CPU"),
            std::string::npos);
}

TEST_F(ReportedCheck, WritesEachFileOnceAndSaysWhatTheJsonSays) {
  const CheckRequest request = check_of("diamond");
  const Answer answer = reported(request);
  EXPECT_EQ(answer.outcome, Outcome::kHolds);
  EXPECT_EQ(files(), (std::set<std::string>{"report.html", "report.json", "findings.sarif", "trace.pftrace",
                                            "trace.btf", "trace.vcd"}));
  EXPECT_EQ(Json::parse(written("report.json")), answer.json);
  ASSERT_FALSE(answer.lines.empty());
  EXPECT_EQ(answer.lines.front(), format_summary(answer.json, request.directory, 80));
  EXPECT_TRUE(Json::parse(written("findings.sarif"))["runs"][0]["results"].empty());
  EXPECT_FALSE(answer.json.contains("partial"));
  EXPECT_FALSE(answer.json.contains("remedy"));
}

TEST_F(ReportedCheck, TheReplayLineIsOfTheLongestSimulatedRun) {
  const Answer answer = reported(check_of("diamond"));
  const ReplayLine line = parse_replay_line(answer.json["replay"].get<std::string>());
  EXPECT_EQ(line.on, "sim");
  EXPECT_EQ(line.model, "diamond");
  EXPECT_EQ(line.platform, "cores:2");
  EXPECT_EQ(line.seeds.schedule, answer.json["simulated"]["makespan_ps"]["worst_seed"].get<std::uint64_t>());
  EXPECT_EQ(line.makespan_ps, answer.json["simulated"]["makespan_ps"]["max"].get<std::uint64_t>());
}

TEST_F(ReportedCheck, AGivenOrderHasNoLine) {
  CheckRequest request = check_of("diamond");
  request.check.schedule.engine.policy = "given";
  request.check.schedule.order_file = place_.write("order.txt", "0 1 2 3\n");
  const Answer answer = reported(request);
  EXPECT_FALSE(answer.json.contains("replay"));
}

TEST_F(ReportedCheck, ARacingModelIsMendableInTheAnswerAndInItsFile) {
  const Answer answer = reported(check_of("bad_reuse_war"));
  EXPECT_EQ(answer.outcome, Outcome::kViolated);
  ASSERT_TRUE(answer.json.contains("remedy"));
  EXPECT_EQ(Json::parse(written("report.json"))["remedy"], answer.json["remedy"]);
  EXPECT_GT(answer.lines.size(), 1U) << "the remedy stands below the screen";
  EXPECT_FALSE(Json::parse(written("findings.sarif"))["runs"][0]["results"].empty());
}

TEST_F(ReportedCheck, WhatABaselineHasDoesNotFail) {
  CheckRequest request = check_of("bad_reuse_war");
  EXPECT_EQ(reported(request).outcome, Outcome::kViolated);
  request.ci.baseline = place_.write("baseline.json", written("report.json"));
  request.ci.junit = place_.file("out.xml");
  const Answer answer = reported(request);
  EXPECT_EQ(answer.outcome, Outcome::kHolds);
  EXPECT_TRUE(answer.json["baseline"]["new"].empty());
  EXPECT_NE(bytes_of(request.ci.junit).find("failures=\"0\""), std::string::npos);
}

TEST_F(ReportedCheck, TwoChecksGiveTheSameBytes) {
  const Answer first = reported(check_of("wide:3"));
  std::set<std::string> before;
  for (const std::string& name : files()) before.insert(name + "\n" + written(name));
  expect_same_answer(first, reported(check_of("wide:3")));
  std::set<std::string> after;
  for (const std::string& name : files()) after.insert(name + "\n" + written(name));
  EXPECT_EQ(before, after);
}

TEST_F(ReportedCheck, ThePlatformDecidesWhetherOpsGoToAnNpu) {
  CheckRequest request = check_of("branchnet");
  EXPECT_EQ(start_check(request).check.model.accelerator, "");
  request.check.simulation.cores.clear();
  request.check.simulation.platform = "quad_npu";
  EXPECT_EQ(start_check(request).check.model.accelerator, "npu");
  request.check.simulation.no_npu = true;
  EXPECT_EQ(start_check(request).check.model.accelerator, "");
}

TEST_F(ReportedCheck, WhatCannotBeIsRefusedBeforeADirectoryIsMade) {
  CheckRequest request = check_of("nothing");
  EXPECT_NE(refusal_of([&] { return start_check(request); }), "");
  request = check_of("diamond");
  request.check.simulation.platform = "quad_npu";
  EXPECT_NE(refusal_of([&] { return start_check(request); }), "") << "a platform and cores";
  request = check_of("diamond");
  request.ci.baseline = place_.file("missing.json");
  EXPECT_NE(refusal_of([&] { return start_check(request); }), "");
  request = check_of("diamond");
  request.check.schedule.engine.policy = "given";
  EXPECT_NE(refusal_of([&] { return start_check(request); }), "") << "an order without a file";
  EXPECT_EQ(place_.file_count(), 0U);
}

TEST_F(ReportedCheck, CoverageIsWrittenBesideTheReportAndSaidInIt) {
  const models::Model model = models::tvm::imported_model(models::tvm::import_of(
      models::tvm::artifact_of("#include <stdint.h>\n" + models::tvm::diamond_text(0, 64, 128, 192))));
  const std::string package = place_.file("net.pkg");
  models::write_package(model, package);
  CheckRequest request = check_of(package);
  request.coverage = true;
  const Answer answer = reported(request);
  EXPECT_EQ(answer.outcome, Outcome::kHolds);
  for (const char* const name :
       {"report.html", "coverage.html", "coverage.css", "coverage.xml", "coverage.functions.html"}) {
    EXPECT_TRUE(files().contains(name)) << name;
  }
  EXPECT_EQ(Json::parse(written("report.json")), answer.json);
  EXPECT_EQ(answer.json["code_coverage"]["functions"], (Json{{"covered", 4}, {"total", 5}}));
  EXPECT_NE(written("report.html").find("<a href=\"coverage.html\">"), std::string::npos);
  EXPECT_NE(answer.lines.front().find("  code      operators.c: "), std::string::npos) << answer.lines.front();
  request.coverage = false;
  Json plain = reported(request).json;
  Json counted = answer.json;
  counted.erase("code_coverage");
  const auto of_coverage = [](const Json& verdict) { return verdict["property"] == "coverage_runs"; };
  const auto found = std::ranges::find_if(counted["verdicts"], of_coverage);
  ASSERT_NE(found, counted["verdicts"].end());
  counted["verdicts"].erase(found);
  EXPECT_EQ(counted, plain) << "all else is as without";
}

TEST_F(ReportedCheck, CoverageOfWhatHasNoCodeIsRefusedBeforeADirectoryIsMade) {
  CheckRequest request = check_of("diamond");
  request.coverage = true;
  EXPECT_TRUE(refusal_of([&] { return start_check(request); }).starts_with("diamond: --coverage: has no C of its own"));
  request.check.simulation.timing_only = true;
  EXPECT_EQ(refusal_of([&] { return start_check(request); }),
            "--coverage: --timing-only executes no kernel; leave one of them out");
  EXPECT_EQ(place_.file_count(), 0U);
}

TEST_F(ReportedCheck, AFileInThePlaceOfTheDirectoryIsRefused) {
  CheckRequest request = check_of("diamond");
  request.directory = place_.write("taken", "x");
  EXPECT_NE(refusal_of([&] { return start_check(request); }), "");
  EXPECT_EQ(bytes_of(request.directory), "x");
}

}  // namespace
}  // namespace detent::app
