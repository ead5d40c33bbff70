// detent check: the main job, from a zoo name to a report.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "models/zoo/zoo.hpp"
#include "tests/build.hpp"
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
                             "simulated estimate (optimistic)", "critical path", "report.html", "(ASSUMED times)",
                             "if no op exceeds its worst time", "schedules ran 1 of 1 order of conflicting ops"}) {
    EXPECT_NE(answer.output.find(phrase), std::string::npos) << phrase << "\n" << answer.output;
  }
  const Answer again = run_detent("report " + directory);
  EXPECT_EQ(again.output, answer.output);
}

TEST(Check, RacyPackagesOfTvmComeWithAScheduleThatFails) {
  const std::string directory = scratch("check_racy_tvm");
  for (const char* fixture : {"usmp", "no_usmp", "gather"}) {
    const std::string package = directory + "_" + fixture + ".pkg";
    ASSERT_EQ(run_detent("import tvm " DETENT_SOURCE_DIR "/tests/models/import/tvm/fixtures/" + std::string(fixture) +
                         " --edges names -o " + package)
                  .exit_code,
              0)
        << fixture;
    const Answer answer = run_detent("check " + package + " --cores 2 --runs 2 --out " + directory);
    EXPECT_EQ(answer.exit_code, 1) << answer.output << answer.error;
    EXPECT_NE(answer.output.find("racing pair"), std::string::npos) << answer.output;
    EXPECT_NE(answer.output.find("      fails with "), std::string::npos) << answer.output;
    const auto report = nlohmann::json::parse(read_file(directory + "/report.json"));
    ASSERT_FALSE(report["failures"].empty()) << fixture;
    EXPECT_FALSE(report["failures"][0]["constraints"].empty());
  }
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

/// The bounds that a schedule or a chip breaks are left out and named; responses hold whatever is left.
TEST(Check, BoundsWhoseAssumptionsDoNotHoldAreRefusedWithTheReason) {
  const std::string directory = scratch("check_refused");
  const std::string ops = directory + ".json";
  std::ofstream(ops) << R"({"schema": "detent.graph/1", "name": "npu", "regions": [], "edges": [], "ops": [
    {"id": 0, "name": "a", "core": "npu", "time_ps": 1000000}, {"id": 1, "name": "b", "core": "npu", "time_ps": 1000000}]})";
  const auto refused = [&](const std::string& words) {
    const Answer answer = run_detent("check " + ops + " --timing-only --runs 3 --out " + directory + words);
    EXPECT_EQ(answer.exit_code, 0) << answer.output << answer.error;
    EXPECT_NE(answer.output.find("responses"), std::string::npos) << answer.output;
    std::string names;
    const auto report = nlohmann::json::parse(read_file(directory + "/report.json"));
    for (const auto& verdict : report["verdicts"]) {
      if (verdict["property"] == "responses") names += verdict["outcome"].get<std::string>();
    }
    for (const auto& assumption : report["assumptions"]) {
      const auto what = assumption["key"].get<std::string>();
      if (what.starts_with("no ")) names += "; " + what + ": " + assumption["text"].get<std::string>();
    }
    return names;
  };
  EXPECT_EQ(refused(" --platform quad_npu"), "holds");
  EXPECT_EQ(refused(" --platform rk3588"),
            "holds; no graham, he2022 bound: does not apply: several cores queue ops, so that one may wait behind a "
            "busy core "
            "beside an idle one");
  EXPECT_EQ(
      refused(" --platform quad_npu --mode layered"),
      "holds; no graham, typed, he2022 bound: does not apply: the order, the mode or the workers that ops are for "
      "may leave a ready op waiting for an idle core");
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

/// `schedules` and the verdict "cover_goals" of a check.
struct Covered {
  nlohmann::json schedules;
  nlohmann::json cover_goals;
  int exit_code = 0;
};

Covered check_coverage(const std::string& arguments) {
  const std::string directory = scratch("check_coverage");
  Covered covered;
  const Answer answer = run_detent("check " + arguments + " --quiet --runs 5 --out " + directory);
  covered.exit_code = answer.exit_code;
  const nlohmann::json report = nlohmann::json::parse(read_file(directory + "/report.json"));
  covered.schedules = report["schedules"];
  for (const auto& verdict : report["verdicts"]) {
    if (verdict["property"] == "cover_goals") covered.cover_goals = verdict;
  }
  return covered;
}

TEST(CheckCoverage, GoodModelsExerciseAllThatApplies) {
  std::vector<const char*> all{"diamond",
                               "chain:1",
                               "branchnet --mode serial",
                               "branchnet --workers 1",
                               "branchnet",
                               "chain:5",
                               "random:3:40",
                               "wide",
                               "branchnet --mode layered",
                               "branchnet --mode static",
                               "branchnet --scheduler thread",
                               "yolov8n:64 --seed 9"};
  if (kIsInstrumented) all.resize(2);
  for (const char* arguments : all) {
    const Covered covered = check_coverage(arguments);
    EXPECT_EQ(covered.exit_code, 0) << arguments << covered.cover_goals;
    EXPECT_EQ(covered.cover_goals["outcome"], "holds") << arguments;
    const nlohmann::json& pairs = covered.schedules["pair_coverage"];
    EXPECT_EQ(pairs["unordered_both"], pairs["unordered_total"]) << arguments;
    EXPECT_EQ(covered.schedules["traces"]["total"], 1) << arguments;
    EXPECT_EQ(covered.schedules["traces"]["seen"], 1) << arguments;
  }
}

TEST(CheckCoverage, AModelOfWhichOneOrderWasRunIsAFinding) {
  const Covered covered = check_coverage("branchnet --schedules 1 --workers 1");
  EXPECT_EQ(covered.exit_code, 3);
  EXPECT_EQ(covered.cover_goals["outcome"], "unknown");
  const std::string text = covered.cover_goals["witness"]["text"];
  EXPECT_NE(text.find("not covered"), std::string::npos) << text;
  EXPECT_NE(text.find("--schedules"), std::string::npos) << "says how to bring it about: " << text;
}

TEST(CheckCoverage, ZeroSchedulesGiveNoCoverGoalsAndANote) {
  const Covered covered = check_coverage("branchnet --schedules 0");
  EXPECT_EQ(covered.exit_code, 0);
  EXPECT_TRUE(covered.cover_goals.is_null());
  EXPECT_TRUE(covered.schedules["traces"].is_null());
  EXPECT_NE(covered.schedules["note"].get<std::string>().find("--schedules 0"), std::string::npos);
}

TEST(CheckCoverage, ARaceIsShownByItsSchedule) {
  const std::string directory = scratch("check_race_story");
  EXPECT_EQ(run_detent("check bad_reuse_war --runs 5 --out " + directory).exit_code, 1);
  const nlohmann::json report = nlohmann::json::parse(read_file(directory + "/report.json"));
  ASSERT_EQ(report["failures"].size(), 2U) << "the race, and the value that it loses";
  const std::string line = report["failures"][0]["replay"].get<std::string>();
  EXPECT_EQ(run_detent("replay '" + line + "'").exit_code, 0) << line;
  EXPECT_NE(read_file(directory + "/report.html").find("<code>detent replay 'detent-replay/1 "), std::string::npos);
  EXPECT_EQ(report["schedules"]["pair_coverage"]["conflicting_both"], 1);
  EXPECT_EQ(report["schedules"]["traces"]["seen"], 2);
}

TEST(CheckCoverage, SchedulesThatAreNotExecutedHaveANoteWithTheReason) {
  const Covered covered = check_coverage("branchnet --timing-only");
  EXPECT_EQ(covered.exit_code, 0);
  EXPECT_TRUE(covered.schedules["traces"].is_null());
  EXPECT_NE(covered.schedules["note"].get<std::string>().find("no kernel was executed"), std::string::npos);
  if (kIsInstrumented) return;  // thousands of ops
  const Covered large = check_coverage("wide:4100");
  EXPECT_EQ(large.exit_code, 0);
  EXPECT_NE(large.schedules["note"].get<std::string>().find("more than 4096 ops"), std::string::npos);
}

TEST(CheckBundle, IsMadeAndCheckedAgain) {
  const std::string bundle = scratch("check_bundle") + "/evidence";
  const Answer made = run_detent("check diamond --cores 2 --runs 2 --bundle " + bundle);
  ASSERT_EQ(made.exit_code, 0) << made.output << made.error;
  const Answer whole = run_detent("verify-bundle " + bundle + " --again");
  EXPECT_EQ(whole.exit_code, 0) << whole.output << whole.error;
  write_file(bundle + "/report.html", read_file(bundle + "/report.html") + " ");
  const Answer changed = run_detent("verify-bundle " + bundle);
  EXPECT_EQ(changed.exit_code, 1) << changed.output << changed.error;
  EXPECT_NE(changed.output.find("report.html"), std::string::npos) << changed.output;
}

TEST(CheckBundle, ItsOptionsStandTogether) {
  const Answer nowhere = run_detent("check diamond");
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_NE(nowhere.error.find("--out is missing"), std::string::npos) << nowhere.error;
  const Answer alone = run_detent("check diamond --requirements absent.toml --out " + scratch("no_bundle"));
  EXPECT_EQ(alone.exit_code, 2);
  EXPECT_NE(alone.error.find("add --bundle"), std::string::npos) << alone.error;
}

}  // namespace
}  // namespace detent::e2e
