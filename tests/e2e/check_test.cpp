// detent check: the main job, from a zoo name to a report.
#include <gtest/gtest.h>

#include <filesystem>

#include "models/zoo/zoo.hpp"
#include "tests/e2e/program.hpp"

namespace detent::e2e {
namespace {

const char* const kFiles[] = {"report.html", "report.json", "trace.pftrace",
                              "trace.btf",   "trace.vcd",   "findings.sarif"};

TEST(Check, WritesTheSameFilesTwice) {
  const std::string directory = scratch("check_twice");
  const std::string arguments = "check yolov8n:64 --runs 20 --reproducible --out " + directory;
  ASSERT_EQ(run_detent(arguments + "/a").exit_code, 0);
  ASSERT_EQ(run_detent(arguments + "/b").exit_code, 0);
  for (const char* file : kFiles) {
    const std::string first = read_file(directory + "/a/" + file);
    EXPECT_GT(first.size(), 100U) << file;
    EXPECT_EQ(first, read_file(directory + "/b/" + file)) << file;
  }
}

TEST(Check, AnswersTheQuestionsOnOneScreen) {
  const std::string directory = scratch("check_screen");
  const Answer answer = run_detent("check branchnet --platform quad_npu --runs 50 --out " + directory);
  EXPECT_EQ(answer.exit_code, 0) << answer.output << answer.error;
  for (const char* phrase : {"same on any schedule?", "buffer be corrupted?", "How long can it take on quad_npu?",
                             "simulated estimate (optimistic)", "critical_path", "report.html"}) {
    EXPECT_NE(answer.output.find(phrase), std::string::npos) << phrase << "\n" << answer.output;
  }
  const Answer again = run_detent("report " + directory);
  EXPECT_EQ(again.output, answer.output);
}

TEST(Check, SimulatedMaximumIsBelowTheBound) {
  const std::string directory = scratch("check_bound");
  for (const char* model : {"branchnet", "diamond", "wide", "random:3:40"}) {
    ASSERT_EQ(run_detent(std::string("check ") + model + " --runs 200 --out " + directory).exit_code, 0) << model;
    const auto report = nlohmann::json::parse(read_file(directory + "/report.json"));
    const auto maximum = report["simulated"]["makespan_ps"]["max"].get<std::uint64_t>();
    for (const auto& method : report["methods"]) {
      if (!method["is_upper"].get<bool>()) continue;
      EXPECT_LE(maximum, method["bound_ps"].get<std::uint64_t>()) << model;
    }
  }
}

TEST(Check, EveryBadModelOfTheZooGetsItsVerdict) {
  int bad_models = 0;
  for (const models::ZooEntry& entry : models::zoo()) {
    if (entry.expected.holds) continue;
    ++bad_models;
    const Answer answer = run_detent("verify " + entry.name + " --json -");
    EXPECT_EQ(answer.exit_code, 1) << entry.name << answer.error;
    bool found = false;
    const nlohmann::json json = parse(answer);
    for (const auto& verdict : json["verdicts"]) {
      if (verdict["property"] != entry.expected.property) continue;
      found = verdict["outcome"] == "violated" && !verdict["witness"].is_null();
    }
    EXPECT_TRUE(found) << entry.name << answer.output;
    const std::string directory = scratch("bad_" + entry.name);
    EXPECT_EQ(run_detent("check " + entry.name + " --runs 5 --out " + directory).exit_code, 1) << entry.name;
    for (const char* file : kFiles) EXPECT_TRUE(std::filesystem::exists(directory + "/" + file)) << file;
  }
  EXPECT_GE(bad_models, 6);
}

}  // namespace
}  // namespace detent::e2e
