#include "app/check/report_diff.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace detent::app {
namespace {

Json op(std::uint64_t id, const std::string& name, std::uint64_t worst_ps) {
  return {{"op", id}, {"name", name}, {"kernel", "k"}, {"class", "cpu"}, {"worst_ps", worst_ps}, {"source", "given"}};
}

Json answer_of(const std::string& races, std::uint64_t bound_ps) {
  return {{"schema", "detent.check/1"},
          {"detent_version", "1"},
          {"model", "m"},
          {"seed", 0},
          {"platform", "p"},
          {"ops", 2},
          {"answers", {{{"question", "How long can it take?"}, {"answer", "At most " + std::to_string(bound_ps)}}}},
          {"verdicts",
           {{{"property", "structure"}, {"outcome", "holds"}}, {{"property", "buffer_races"}, {"outcome", races}}}},
          {"native", {{"digest", "aa"}, {"serial_digest", "aa"}}},
          {"simulated", {{"makespan_ps", {{"min", 10}, {"median", 20}, {"p99", 30}, {"max", 40}}}}},
          {"methods", {{{"name", "typed"}, {"bound_ps", bound_ps}}}},
          {"op_times", {{"sources", {{{"source", "given"}, {"ops", 2}}}}}},
          {"op_list", {op(0, "a", 5), op(1, "b", 6)}}};
}

Answer compare(const Json& before, const Json& after) { return compare_reports({"A", before}, {"B", after}); }

std::string shown_text(const Answer& answer) {
  std::string text;
  for (const std::string& line : answer.lines) text += line + "\n";
  return text;
}

TEST(ReportDiff, EqualReportsHaveNoDifference) {
  const Answer answer = compare(answer_of("holds", 100), answer_of("holds", 100));
  EXPECT_EQ(answer.outcome, verify::Outcome::kHolds);
  EXPECT_EQ(answer.json["same"], true);
  EXPECT_EQ(shown_text(answer),
            "before  A: m on p, seed 0, detent 1\nafter   B: m on p, seed 0, detent 1\n"
            "no difference in verdicts, answers, bounds, times, digests or ops\n");
}

TEST(ReportDiff, AVerdictThatGotWorseIsAViolation) {
  const std::pair<const char*, const char*> kWorse[] = {
      {"holds", "unknown"}, {"holds", "violated"}, {"unknown", "violated"}};
  for (const auto& [was, is] : kWorse) {
    EXPECT_EQ(compare(answer_of(was, 1), answer_of(is, 1)).outcome, verify::Outcome::kViolated) << was << is;
    const Answer back = compare(answer_of(is, 1), answer_of(was, 1));
    EXPECT_EQ(back.outcome, verify::Outcome::kHolds) << is << was;
    EXPECT_EQ(back.json["same"], false);
    EXPECT_EQ(back.json["verdicts"][0]["change"], "better");
  }
}

TEST(ReportDiff, AVerdictThatIsGoneCountsAsUnknown) {
  Json after = answer_of("holds", 1);
  after["verdicts"].erase(1);
  const Answer answer = compare(answer_of("holds", 1), after);
  EXPECT_EQ(answer.outcome, verify::Outcome::kViolated);
  EXPECT_EQ(answer.json["verdicts"][0]["after"], "not checked");
  EXPECT_EQ(compare(after, answer_of("holds", 1)).outcome, verify::Outcome::kHolds);
}

TEST(ReportDiff, EveryKindOfDifferenceIsALine) {
  Json after = answer_of("violated", 150);
  after["native"]["digest"] = "bb";
  after["simulated"]["makespan_ps"]["max"] = 50;
  after["op_times"]["sources"] = {{{"source", "given"}, {"ops", 1}}, {{"source", "assumed"}, {"ops", 2}}};
  after["ops"] = 3;
  after["op_list"] = {op(0, "a", 9), op(1, "c", 6), op(2, "d", 6)};
  after["op_list"][0]["class"] = "npu";
  const Answer answer = compare(answer_of("holds", 100), after);
  EXPECT_EQ(shown_text(answer), R"(before  A: m on p, seed 0, detent 1
after   B: m on p, seed 0, detent 1
  verdict buffer_races: holds -> violated  WORSE
  answer  How long can it take? At most 100 -> At most 150
  bound   typed: 100 ps -> 150 ps (+50.0 %)
  time    longest run seen: 40 ps -> 50 ps (+25.0 %)
  times   op times: 2 given -> 1 given, 2 assumed
  digest  parallel run: aa -> bb
  ops     2 -> 3
  ops     2 added: c, d
  ops     1 removed: b
  ops     1 with another worst time: a 5 ps -> 9 ps
  ops     1 with another kernel, class of cores or source of their time: a
1 verdict got worse
)");
  EXPECT_EQ(answer.json["ops"]["changed"][0]["worst_ps"], (Json{{"before", 5}, {"after", 9}}));
  EXPECT_EQ(answer.json["ops"]["added"], (Json{"c", "d"}));
}

TEST(ReportDiff, ReportsWithoutAListOfOpsCompareTheirNumber) {
  Json old = answer_of("holds", 1);
  old.erase("op_list");
  old.erase("answers");
  old.erase("op_times");
  const Answer answer = compare(old, answer_of("holds", 1));
  EXPECT_EQ(answer.outcome, verify::Outcome::kHolds);
  EXPECT_TRUE(answer.json["ops"].contains("note"));
}

TEST(ReportDiff, ReadsDirectoriesAndFilesAndRefusesOtherAnswers) {
  const std::string directory = testing::TempDir();
  std::ofstream(directory + "/report.json") << answer_of("holds", 1).dump();
  EXPECT_EQ(read_checked_report(directory).answer["model"], "m");
  EXPECT_EQ(read_checked_report(directory + "/report.json").answer["model"], "m");
  std::ofstream(directory + "/other.json") << R"({"schema": "detent.run/1"})";
  EXPECT_THROW(read_checked_report(directory + "/other.json"), std::invalid_argument);
  EXPECT_ANY_THROW(read_checked_report(directory + "/missing.json"));
}

}  // namespace
}  // namespace detent::app
