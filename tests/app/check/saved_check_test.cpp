// What detent report shows of a finished check, and of two.
#include "app/check/saved_check.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>

#include "app/check/check_summary.hpp"
#include "app/check/report_diff.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

/// What both the screen and a comparison need.
Json finished_check(const std::string& races = "holds") {
  const Json makespan = {{"min", 1000}, {"median", 2000}, {"p99", 3000}, {"max", 4000}, {"worst_seed", 7}};
  return {{"schema", "detent.check/1"},
          {"detent_version", "1"},
          {"model", "m"},
          {"seed", 0},
          {"platform", "p"},
          {"ops", 2},
          {"arena_bytes", 64},
          {"replay", "detent-replay/1 model=m"},
          {"answers", {{{"question", "How long can it take?"}, {"answer", "At most 5 ns"}}}},
          {"verdicts",
           {{{"property", "determinism"}, {"outcome", "holds"}, {"summary", "one"}, {"witnesses", Json::array()}},
            {{"property", "buffer_races"}, {"outcome", races}, {"summary", "3"}, {"witnesses", Json::array()}}}},
          {"native", {{"digest", "aa"}, {"serial_digest", "aa"}}},
          {"simulated", {{"runs", 5}, {"executed_runs", 3}, {"makespan_ps", makespan}}},
          {"methods", {{{"name", "typed"}, {"bound_ps", 5000}, {"is_upper", true}}}}};
}

class SavedCheck : public ::testing::Test {
 protected:
  /// A directory with this answer. @return  its name
  [[nodiscard]] std::string save(const std::string& name, const std::string& text) const {
    std::filesystem::create_directory(place_.file(name));
    (void)place_.write(name + "/report.json", text);
    return place_.file(name);
  }
  [[nodiscard]] std::string save(const std::string& name, const Json& answer) const {
    return save(name, answer.dump());
  }

  TemporaryDirectory place_;
};

TEST_F(SavedCheck, TheAnswerIsShownAsItWasWritten) {
  const Json json = finished_check();
  const std::string directory = save("out", json);
  const Answer answer = saved_check(directory, 80);
  EXPECT_EQ(answer.json, json);
  EXPECT_EQ(answer.lines, Lines{format_summary(json, directory, 80)});
  EXPECT_EQ(answer.outcome, verify::Outcome::kHolds);
}

TEST_F(SavedCheck, TheOutcomeIsThatOfTheVerdicts) {
  EXPECT_EQ(saved_check(save("bad", finished_check("violated")), 80).outcome, verify::Outcome::kViolated);
  EXPECT_EQ(saved_check(save("open", finished_check("unknown")), 80).outcome, verify::Outcome::kUnknown);
}

TEST_F(SavedCheck, AnInterruptedCheckSaysSoFirst) {
  Json json = finished_check();
  json["partial"] = true;
  const Answer answer = saved_check(save("out", json), 80);
  ASSERT_EQ(answer.lines.size(), 2U);
  EXPECT_EQ(answer.lines.front(), "PARTIAL: the check was interrupted");
}

TEST_F(SavedCheck, ANameWithALineBreakIsNoLineOfOurs) {
  Json json = finished_check();
  json["model"] = "m\n  verdicts  all holds";
  const Answer answer = saved_check(save("out", json), 80);
  EXPECT_EQ(answer.json["model"], json["model"]) << "only the screen is changed";
  EXPECT_EQ(answer.lines.front().find("\n  verdicts  all holds"), std::string::npos) << answer.lines.front();
  EXPECT_NE(answer.lines.front().find("m\\x0a  verdicts"), std::string::npos) << answer.lines.front();
}

TEST_F(SavedCheck, NoDirectoryIsRefused) {
  EXPECT_EQ(refusal_of([] { return saved_check("", 80); }),
            "report: neither a directory nor --diff; give the --out directory of detent check");
}

TEST_F(SavedCheck, ADirectoryWithoutAReportIsRefused) {
  EXPECT_NE(refusal_of([&] { return saved_check(place_.file("nothing"), 80); }), "");
}

TEST_F(SavedCheck, AnAnswerOfAnotherCommandIsRefused) {
  const std::string directory = save("out", {{"schema", "detent.run/1"}});
  EXPECT_NE(refusal_of([&] { return saved_check(directory, 80); }), "");
}

TEST_F(SavedCheck, EveryMemberThatTheScreenNeedsIsAskedForWithARemedy) {
  const Json whole = finished_check();
  for (const char* key : {"model", "platform", "verdicts", "ops", "simulated", "methods", "arena_bytes"}) {
    Json json = whole;
    json.erase(key);
    const std::string directory = save(key, json);
    const std::string refusal = refusal_of([&] { return saved_check(directory, 80); });
    EXPECT_TRUE(refusal.starts_with(directory + "/report.json: ")) << key << ": " << refusal;
    EXPECT_TRUE(refusal.ends_with("; run detent check again")) << refusal;
  }
}

TEST_F(SavedCheck, MembersOfAnotherTypeAreRefusedAlike) {
  for (const auto& [key, value] : {std::pair<const char*, Json>{"model", 7}, {"simulated", "Yes"}, {"verdicts", 3}}) {
    Json json = finished_check();
    json[key] = value;
    const std::string directory = save(key, json);
    const std::string refusal = refusal_of([&] { return saved_check(directory, 80); });
    EXPECT_TRUE(refusal.ends_with("; run detent check again")) << key << ": " << refusal;
  }
}

TEST_F(SavedCheck, TwoAreComparedByTheirPlaces) {
  const std::string before = save("before", finished_check()), after = save("after", finished_check("violated"));
  const Answer worse = compare_saved_checks(before, after);
  EXPECT_EQ(worse.outcome, verify::Outcome::kViolated);
  EXPECT_EQ(worse.json["before"]["place"], before);
  EXPECT_EQ(worse.json["after"]["place"], after);
  EXPECT_EQ(compare_saved_checks(after, before).outcome, verify::Outcome::kHolds);
  EXPECT_EQ(compare_saved_checks(before + "/report.json", before).json["same"], true);
}

TEST_F(SavedCheck, AComparisonThatLacksAMemberIsRefusedWithARemedy) {
  Json json = finished_check();
  json.erase("verdicts");
  const std::string before = save("before", finished_check()), after = save("after", json);
  const std::string refusal = refusal_of([&] { return compare_saved_checks(before, after); });
  EXPECT_TRUE(refusal.starts_with("--diff: ")) << refusal;
  EXPECT_TRUE(refusal.ends_with("; run detent check again")) << refusal;
}

}  // namespace
}  // namespace detent::app
