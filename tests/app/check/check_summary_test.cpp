#include "app/check/check_summary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "tests/golden.hpp"
#include "verify/static/memory_plan.hpp"

namespace detent::app {
namespace {

Json answer_with(const std::string& race_outcome) {
  return Json::parse(
      R"({"model": "m", "platform": "p", "ops": 3, "arena_bytes": 1024, "replay": "detent-replay/1 model=m",
    "verdicts": [
      {"property": "determinism", "outcome": "holds", "summary": "one digest", "witnesses": []},
      {"property": "buffer_races", "outcome": ")" +
      race_outcome + R"(", "summary": "3 pairs",
       "witnesses": [{"text": "op 1 and op 2 write x"}]}],
    "simulated": {"runs": 5, "executed_runs": 3,
                  "makespan_ps": {"min": 1000, "median": 2000, "p99": 3000, "max": 4000, "worst_seed": 7}},
    "methods": [{"name": "critical_path", "bound_ps": 900, "is_upper": false},
                {"name": "graham", "bound_ps": 6000, "is_upper": true},
                {"name": "typed", "bound_ps": 5000, "is_upper": true}]})");
}

TEST(Screen, AnswersInPlainWords) {
  expect_golden(format_summary(answer_with("holds"), "out") + "\n", "app/check/golden/screen_that_holds.txt");
}

TEST(Screen, WholeScreenIsTheseLines) {
  Json answer = answer_with("violated");
  answer["verdicts"][1]["witnesses"].push_back({{"text", "another"}});
  answer["verdicts"][1]["witnesses"].push_back({{"text", "a third"}});
  answer["verdicts"].push_back({{"property", "cover_goals"},
                                {"outcome", "unknown"},
                                {"summary", "s"},
                                {"witnesses", {{{"text", std::string(60, 'a') + " " + std::string(60, 'b') + " c"}}}}});
  answer["schedules"] = {{"traces", {{"seen", 3}, {"exact", false}, {"total", 10}}},
                         {"pair_coverage", {{"unordered_both", nullptr}, {"unordered_total", 7}}}};
  expect_golden(format_summary(answer, "out") + "\n", "app/check/golden/screen_whole.txt");
}

Json counts(int covered, int total) { return {{"covered", covered}, {"total", total}}; }

Json file_of(const std::string& name, int uncovered) {
  Json file = {{"name", name},
               {"lines", counts(3, 9)},
               {"branches", counts(1, 4)},
               {"functions", counts(2, 2 + uncovered)},
               {"uncovered", Json::array()}};
  for (int i = 0; i < uncovered; ++i) file["uncovered"].push_back({{"function", "f" + std::to_string(i)}, {"line", i}});
  return file;
}

/// What the screen says of code.
std::string code_of(const Json& files, const std::string& note) {
  Json answer = answer_with("holds");
  answer["code_coverage"] = file_of("", 0);
  answer["code_coverage"]["files"] = files;
  answer["code_coverage"]["note"] = note;
  const std::string text = format_summary(answer, "out");
  const std::size_t begin = text.find("  code ");
  return begin == std::string::npos ? "" : text.substr(begin, text.find("  verdicts", begin) - begin);
}

TEST(Screen, CodeIsToldByFileWithWhatWasNeverCalled) {
  EXPECT_EQ(code_of(Json::array({file_of("a.c", 0)}), ""),
            "  code      a.c: 3 of 9 lines, 1 of 4 branches, 2 of 2 functions\n");
  EXPECT_EQ(code_of(Json::array({file_of("a.c", 2), file_of("b.c", 0)}), "stopped"),
            "  code      a.c: 3 of 9 lines, 1 of 4 branches, 2 of 4 functions\n"
            "            never called: f0 (line 0), f1 (line 1)\n"
            "            b.c: 3 of 9 lines, 1 of 4 branches, 2 of 2 functions\n"
            "            all files: 3 of 9 lines, 1 of 4 branches, 2 of 2 functions\n"
            "            stopped\n");
  EXPECT_EQ(code_of(Json::array(), "not measured"), "  code      not measured\n");
  EXPECT_EQ(format_summary(answer_with("holds"), "out").find("  code "), std::string::npos) << "not asked for";
}

TEST(Screen, OfManyFilesAndFunctionsTheFirstAreNamed) {
  Json files = Json::array();
  for (int i = 0; i < 15; ++i) files.push_back(file_of("f" + std::to_string(i) + ".c", i == 0 ? 10 : 0));
  const std::string text = code_of(files, "");
  EXPECT_NE(text.find("f7 (line 7)"), std::string::npos) << text;
  EXPECT_EQ(text.find("f8 (line 8)"), std::string::npos) << text;
  EXPECT_NE(text.find("and 2 more\n"), std::string::npos) << text;
  EXPECT_NE(text.find("f11.c: "), std::string::npos) << text;
  EXPECT_EQ(text.find("f12.c: "), std::string::npos) << text;
  EXPECT_NE(text.find("            3 files more in the report\n"), std::string::npos) << text;
}

/// What the screen says of time where op times come from these sources.
std::string time_of(const std::string& weakest, const std::string& more) {
  Json answer = answer_with("holds");
  answer["op_times"] = Json::parse(R"({"weakest": ")" + weakest + R"(", "condition": "if C.")" + more + "}");
  const std::string text = format_summary(answer, "out");
  const std::size_t begin = text.find("  How long");
  return text.substr(begin, text.find("\n\n", begin) - begin);
}

TEST(Screen, ABoundStandsWithItsConditionAndAssumedTimesAreSaid) {
  const std::string given = time_of("given", "");
  EXPECT_EQ(given.find("  How long can it take on p?                  at most 5.00 ns\n      if C.\n"), 0U) << given;
  const std::string assumed = time_of("assumed", R"(, "remedy": "do R")");
  EXPECT_EQ(assumed.find("  How long can it take on p?                  at most 5.00 ns (ASSUMED times)\n      if C.\n"
                         "      firmer: do R\n"),
            0U)
      << assumed;
}

TEST(Screen, RunsBelowTheCriticalPathAndUnusedRowsAreSaid) {
  const std::string text = time_of("given", R"(, "below_lower_bound": "Below.", "unused_rows": {"text": "Rows."})");
  EXPECT_NE(text.find("\n      Below.\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n      Rows.\n"), std::string::npos) << text;
}

TEST(Screen, UpperBoundsAreRoundedUp) {
  Json answer = answer_with("holds");
  answer["methods"][2]["bound_ps"] = 5001;
  EXPECT_NE(format_summary(answer, "out").find("at most 5.01 ns"), std::string::npos);
}

TEST(Screen, ARaceIsToldInWordsWithTheScheduleThatFails) {
  Json answer = answer_with("violated");
  answer["verdicts"][1]["witnesses"][0]["text"] = "war: op 1 (a) reads and op 2 (b) writes x";
  answer["verdicts"][0] = {{"property", "determinism"},
                           {"outcome", "violated"},
                           {"summary", "3 racing pairs"},
                           {"witnesses", {{{"text", "war: op 1 (a) reads and op 2 (b) writes x"}}}}};
  answer["failures"] = {{{"level", "ops"}, {"constraints", {"op 2 (b) before op 1 (a)"}}, {"shown", "op 1 reads z"}}};
  const std::string text = format_summary(answer, "out");
  const std::string sentence = "op 1 (a) reads and op 2 (b) writes x";
  const std::size_t at = text.find(sentence);
  ASSERT_NE(at, std::string::npos) << text;
  EXPECT_EQ(text.find(sentence, at + 1), std::string::npos) << "once: " << text;
  EXPECT_EQ(text.find("war:"), std::string::npos);
  EXPECT_NE(text.find("      fails with op 2 (b) before op 1 (a): op 1 reads z\n"), std::string::npos) << text;
}

TEST(Screen, NumbersStayWithTheirUnitAndLinesWithinEightyColumns) {
  Json answer = answer_with("holds");
  for (std::size_t length = 40; length < 74; ++length) {
    answer["verdicts"][0]["summary"] = std::string(length, 'x') + " 1234 ms and 7 pairs of words";
    std::istringstream lines(format_summary(answer, "out"));
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(line.size(), 80U) << line;
      EXPECT_TRUE(line.empty() || !line.ends_with("1234")) << line;
      EXPECT_TRUE(line.empty() || !line.ends_with(" 7")) << line;
    }
  }
}

TEST(Screen, LinesAreAsWideAsTheScreen) {
  Json answer = answer_with("violated");
  std::string sentence = "3 pairs";
  for (int i = 0; i < 60; ++i) sentence += " of words";
  answer["verdicts"][0]["summary"] = answer["verdicts"][1]["summary"] = sentence;
  for (const std::size_t width : {60U, 80U, 120U, 200U}) {
    std::istringstream lines(format_summary(answer, "out", width));
    std::size_t widest = 0;
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(line.size(), width) << line;
      widest = std::max(widest, line.size());
    }
    EXPECT_GT(widest + 10, width) << "as far as the words allow";
  }
}

TEST(Screen, FindingsThatAreNotListedAreCounted) {
  const auto text_with = [](std::uint64_t findings, std::size_t listed) {
    Json answer = answer_with("holds");
    answer["verdicts"].push_back({{"property", "memory_plan"},
                                  {"outcome", "violated"},
                                  {"summary", "many faults"},
                                  {"findings", findings},
                                  {"witnesses", Json::array()}});
    for (std::size_t i = 0; i < listed; ++i) {
      answer["verdicts"][2]["witnesses"].push_back({{"text", "fault " + std::to_string(i)}});
    }
    return format_summary(answer, "out");
  };
  EXPECT_NE(text_with(40, 16).find("fault 0\n      and 39 more, 15 of them in the report\n"), std::string::npos);
  EXPECT_NE(text_with(3, 3).find("fault 0\n      and 2 more in the report\n"), std::string::npos);
  EXPECT_NE(text_with(3, 1).find("fault 0\n      and 2 more\n"), std::string::npos);
  EXPECT_EQ(text_with(0, 1).find("more"), std::string::npos) << "a file that counts less than it lists";
}

TEST(Screen, ARunAboveTheBoundIsTheAnswer) {
  Json answer = answer_with("holds");
  answer["verdicts"].push_back(
      {{"property", "bound"}, {"outcome", "violated"}, {"summary", "s"}, {"witnesses", Json::array()}});
  const std::string text = format_summary(answer, "out");
  expect_golden(text + "\n", "app/check/golden/screen_bound_exceeded.txt");
}

TEST(Screen, LinesBreakAfterTheEightiethColumn) {
  Json answer = answer_with("holds");
  const auto first_line = [&](std::size_t length) {
    answer["verdicts"][0]["summary"] = std::string(length, 'x') + " yy";
    const std::string text = format_summary(answer, "out");
    return text.find(std::string(length, 'x') + " yy\n") != std::string::npos;
  };
  std::size_t longest = 20;
  while (first_line(longest + 1)) ++longest;
  EXPECT_EQ(longest + 6 + 3, 80U);
}

TEST(Screen, MissingMembersReadUnknown) {
  const Json answer = Json::parse(R"({"model": "m", "platform": "p", "ops": 0, "arena_bytes": 0, "verdicts": [],
    "simulated": {"runs": 0, "executed_runs": 0, "makespan_ps": null}, "methods": []})");
  EXPECT_EQ(format_summary(answer, "o"), R"(m on p: 0 ops, 0 B of workspace

  Is the output the same on any schedule?     UNKNOWN
      not checked
  Can a buffer be corrupted?                  UNKNOWN
      not checked
  How long can it take on p?                  UNKNOWN

  verdicts  )"
                                         "\n  report    o/report.html");
}

TEST(Screen, ShowsTheWitnessOfAViolation) {
  expect_golden(format_summary(answer_with("violated"), "out") + "\n", "app/check/golden/screen_with_a_witness.txt");
}

Json with_plan(const std::string& race_outcome, const std::string& plan_outcome, const std::string& summary) {
  Json answer = answer_with(race_outcome);
  answer["verdicts"].push_back(
      {{"property", "memory_plan"}, {"outcome", plan_outcome}, {"summary", summary}, {"witnesses", Json::array()}});
  return answer;
}

TEST(Screen, BuffersAreSafeOnlyWhereThePlanHoldsToo) {
  const auto answer = [](const std::string& races, const std::string& plan, const std::string& summary) {
    const std::string text = format_summary(with_plan(races, plan, summary), "out");
    const std::size_t begin = text.find("  Can a buffer");
    return text.substr(begin, text.find("  How long") - begin);
  };
  const std::string question = "  Can a buffer be corrupted?                  ";
  EXPECT_EQ(answer("holds", "holds", "fine"), question + "NO\n      3 pairs\n");
  EXPECT_EQ(answer("holds", "violated", "1 fault"), question + "YES\n      1 fault\n");
  EXPECT_EQ(answer("unknown", "violated", "1 fault"), question + "YES\n      1 fault\n");
  EXPECT_EQ(answer("holds", "unknown", "a cycle"), question + "UNKNOWN\n      a cycle\n");
  const std::string ranges = std::string("they are ") + verify::kRangesNameNoValue;
  EXPECT_EQ(
      answer("holds", "holds", ranges),
      question +
          "NOT BY A RACE\n      3 pairs\n      they are byte ranges, which name no value: whether a read finds what "
          "it\n      wants is not judged\n");
}

TEST(Screen, OnAssumedBytesTheAnswersSaySo) {
  Json answer = with_plan("holds", "holds", "fine");
  for (Json& verdict : answer["verdicts"]) verdict["assumes"] = "op 1 (f) touches nothing else";
  const std::string text = format_summary(answer, "out");
  EXPECT_NE(text.find("  Can a buffer be corrupted?                  NO (ASSUMED bytes)\n"
                      "      if op 1 (f) touches nothing else\n      3 pairs\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("  Is the output the same on any schedule?     YES (ASSUMED bytes)\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("buffer_races assumed"), std::string::npos) << text;
  EXPECT_EQ(text.find(" holds"), std::string::npos) << text;
}

TEST(Screen, ExitCodeTakesTheWorstVerdict) {
  EXPECT_EQ(summary_outcome(answer_with("holds")), verify::Outcome::kHolds);
  EXPECT_EQ(summary_outcome(answer_with("unknown")), verify::Outcome::kUnknown);
  EXPECT_EQ(summary_outcome(answer_with("violated")), verify::Outcome::kViolated);
}

}  // namespace
}  // namespace detent::app
