// Task sets judged: bounds, exact values and simulated runs in one answer.
#include "app/tasks/judge_tasks.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/app/answers.hpp"
#include "tests/golden.hpp"

namespace detent::app {
namespace {

using verify::Outcome;

/// A chain of two ops of 1 and 2 us, and one op of 4 us.
class TaskFolder {
 public:
  TaskFolder() {
    static_cast<void>(place_.write("two.json", R"({"schema": "detent.graph/1", "deadline": "9us", "period": "10us",
      "ops": [{"id": 0, "time_ps": ["0.5us", "1us"]}, {"id": 1, "time_ps": "2us"}], "edges": [[0, 1]]})"));
    static_cast<void>(
        place_.write("one.json", R"({"schema": "detent.graph/1", "ops": [{"id": 0, "time_ps": "4us"}]})"));
  }
  void write(const std::string& name, const std::string& text) const { static_cast<void>(place_.write(name, text)); }
  [[nodiscard]] TasksRequest request(const std::string& rows) const {
    TasksRequest made;
    made.request.model = place_.write("set.toml", "schema = \"detent.task_set/1\"\n" + rows);
    made.simulation.cores = "1";
    made.simulation.runs = 4;
    return made;
  }
  [[nodiscard]] Answer judged(const std::string& rows) const { return judge_tasks(request(rows), {}); }

 private:
  TemporaryDirectory place_;
};

std::string task_row(const std::string& name, const std::string& model, const std::string& more = "") {
  return "[[tasks]]\nname = \"" + name + "\"\nmodel = \"" + model + "\"\n" + more;
}

const Json& task_bound(const Json& row, std::size_t k) { return row["bounds"][k]["bound_ps"]; }

TEST(JudgeTasks, LinesSayWhatTheJsonSays) {
  const TaskFolder folder;
  const TasksRequest set =
      folder.request(task_row("fast", "two.json") + task_row("slow", "one.json", "period = \"20us\"\npriority = 1\n"));
  expect_golden(text_of(judge_tasks(set, {}), set.request.model, "set.toml"), "app/tasks/golden/fast_and_slow.txt");
}

TEST(JudgeTasks, SimulatedExactAndBoundStandSideBySide) {
  const TaskFolder folder;
  const Answer answer =
      folder.judged(task_row("fast", "two.json") + task_row("slow", "one.json", "period = \"20us\"\npriority = 1\n"));
  EXPECT_EQ(answer.outcome, Outcome::kHolds);
  const Json& fast = answer.json["tasks"][0];
  const Json& slow = answer.json["tasks"][1];
  EXPECT_EQ(fast["period_ps"], 10'000'000U) << "of its file";
  EXPECT_EQ(fast["deadline"]["deadline_ps"], 9'000'000U);
  EXPECT_EQ(fast["bounds"][0]["name"], "rta");
  // Two ops may each find the 4 us op on the core: 3 + 2 * 4 us is above the period, so nothing is proved by it.
  EXPECT_TRUE(task_bound(fast, 0).is_null());
  EXPECT_NE(fast["bounds"][0]["assumptions"].get<std::string>().find("task 'fast' may have runs"), std::string::npos);
  EXPECT_EQ(task_bound(fast, 1), 7'000'000U) << "both are released at once, in any order";
  EXPECT_EQ(task_bound(slow, 1), 7'000'000U);
  EXPECT_EQ(slow["longest_at_worst_ps"], 7'000'000U);
  EXPECT_EQ(slow["deadline"]["source"], "the next release");
  EXPECT_NE(fast["deadline"]["condition"].get<std::string>().find("one clock releases"), std::string::npos);
  EXPECT_EQ(slow["runs"], 8) << "four drawn, four at worst times";
  EXPECT_EQ(answer.json["utilisation"][0]["utilisation"], 0.5);
  EXPECT_EQ(answer.json["horizon_ps"], 80'000'000U);
}

TEST(JudgeTasks, TheBoundNeedsNoClock) {
  const TaskFolder folder;
  const Answer answer =
      folder.judged(task_row("fast", "two.json", "period = \"20us\"\ndeadline = \"11us\"\n") +
                    task_row("slow", "one.json", "period = \"20us\"\npriority = 1\noffset = \"7us\"\n"));
  EXPECT_EQ(answer.outcome, Outcome::kHolds);
  EXPECT_EQ(task_bound(answer.json["tasks"][0], 0), 11'000'000U);
  EXPECT_EQ(answer.json["tasks"][0]["deadline"]["condition"], "if no op exceeds its worst time");
  EXPECT_EQ(task_bound(answer.json["tasks"][0], 1), 3'000'000U);
}

TEST(JudgeTasks, ARunThatIsTooLongViolatesItsDeadline) {
  const TaskFolder folder;
  const Answer answer =
      folder.judged(task_row("fast", "two.json") +
                    task_row("slow", "one.json", "period = \"20us\"\npriority = 1\ndeadline = \"6us\"\n"));
  EXPECT_EQ(answer.outcome, Outcome::kViolated);
  EXPECT_EQ(answer.json["tasks"][1]["deadline"]["margin_ps"], -1'000'000);
  EXPECT_TRUE(std::ranges::any_of(answer.lines, [](const std::string& line) {
    return line.find("slow: the longest run seen takes 7.00 µs") != std::string::npos;
  })) << text_of(answer);
}

TEST(JudgeTasks, WhatIsNeitherProvedNorSeenIsUnknown) {
  const TaskFolder folder;
  TasksRequest request =
      folder.request(task_row("fast", "two.json") + task_row("slow", "one.json", "period = \"20us\"\npriority = 1\n"));
  request.max_states = 0;
  const Answer answer = judge_tasks(request, {});
  EXPECT_EQ(answer.outcome, Outcome::kUnknown);
  EXPECT_EQ(answer.json["tasks"][0]["bounds"].size(), 1U);
}

TEST(JudgeTasks, CoresThatHaveMoreWorkThanTimeAreAViolation) {
  const TaskFolder folder;
  const Answer answer =
      folder.judged(task_row("a", "one.json", "period = \"5us\"\ndeadline = \"1s\"\n") +
                    task_row("b", "one.json", "period = \"10us\"\ndeadline = \"1s\"\npriority = 1\n"));
  EXPECT_EQ(answer.json["utilisation"][0]["overloaded"], true);
  EXPECT_EQ(answer.outcome, Outcome::kViolated);
}

TEST(JudgeTasks, ContextsTakeReleasesInTurnSoThatRunsOverlap) {
  const TaskFolder folder;
  TasksRequest request = folder.request(task_row("slow", "one.json", "period = \"3us\"\ncontexts = 2\n"));
  request.simulation.cores = "2";
  const Answer answer = judge_tasks(request, {});
  const Json& row = answer.json["tasks"][0];
  EXPECT_EQ(row["deadline"]["deadline_ps"], 6'000'000U) << "the next release of the same context";
  EXPECT_EQ(row["longest_seen_ps"], 4'000'000U);
  EXPECT_EQ(row["overruns"], 0);
  EXPECT_EQ(answer.outcome, Outcome::kHolds) << text_of(answer);
  const Answer single = folder.judged(task_row("slow", "one.json", "period = \"3us\"\n"));
  EXPECT_EQ(single.outcome, Outcome::kViolated) << "one context alone falls behind";
}

TEST(JudgeTasks, ChainsAreBoundedSeenAndJudged) {
  const TaskFolder folder;
  const std::string tasks = task_row("first", "one.json", "period = \"20us\"\n") +
                            task_row("second", "two.json", "period = \"20us\"\ndeadline = \"20us\"\npriority = 1\n");
  const std::string chain = "[[chains]]\nname = \"both\"\ntasks = [\"first\", \"second\"]\n";
  const auto row_of = [&](const std::string& latency) { return folder.judged(tasks + chain + latency); };
  const Answer plain = row_of("");
  const Json& row = plain.json["chains"][0];
  EXPECT_EQ(row["tasks"], Json({"first", "second"}));
  EXPECT_FALSE(row.contains("outcome"));
  const auto bound_ps = row["bound_ps"].get<std::uint64_t>(), seen_ps = row["longest_seen_ps"].get<std::uint64_t>();
  EXPECT_EQ(bound_ps, 20'000'000U + 6'000'000U + 20'000'000U + 7'000'000U);
  EXPECT_LE(seen_ps, bound_ps);
  EXPECT_GT(seen_ps, 20'000'000U);
  EXPECT_EQ(plain.outcome, Outcome::kHolds);
  EXPECT_EQ(row_of("latency = \"53us\"\n").json["chains"][0]["outcome"], "holds");
  EXPECT_EQ(row_of("latency = \"52.9us\"\n").outcome, Outcome::kUnknown);
  EXPECT_EQ(row_of("latency = \"" + std::to_string(seen_ps - 1) + "ps\"\n").outcome, Outcome::kViolated);
}

TEST(JudgeTasks, StepsOfTheRuntimeAreCounted) {
  const TaskFolder folder;
  TasksRequest request = folder.request(task_row("fast", "two.json", "period = \"1ms\"\ndeadline = \"1ms\"\n") +
                                        task_row("slow", "one.json", "period = \"1ms\"\npriority = 1\n"));
  request.simulation.cores = "";
  request.simulation.platform = "quad_npu";
  const Answer on_chip = judge_tasks(request, {});
  EXPECT_EQ(on_chip.outcome, Outcome::kHolds) << text_of(on_chip);
  const Json& fast = on_chip.json["tasks"][0];
  EXPECT_GT(task_bound(fast, 0), fast["longest_seen_ps"]);
  EXPECT_GT(fast["longest_seen_ps"], 3'000'000U);
  EXPECT_TRUE(task_bound(fast, 1).is_null());
  EXPECT_NE(fast["bounds"][1]["assumptions"].get<std::string>().find("--no-overheads leaves them out"),
            std::string::npos);
  request.simulation.no_overheads = true;
  const Answer without = judge_tasks(request, {});
  EXPECT_EQ(without.outcome, Outcome::kHolds) << text_of(without);
  EXPECT_EQ(task_bound(without.json["tasks"][0], 0), 3'000'000U) << "four cores for two chains of ops";
}

TEST(JudgeTasks, OfExclusiveBranchesTheLongerCounts) {
  const TaskFolder folder;
  folder.write("branches.json", R"({"schema": "detent.graph/2", "ops": [{"id": 0, "time_ps": "1us"},
      {"id": 1, "time_ps": "2us", "guard": "c0=then"}, {"id": 2, "time_ps": "3us", "guard": "c0=else"},
      {"id": 3, "time_ps": "1us"}], "edges": [[0, 1], [1, 2], [2, 3]]})");
  const Answer answer = folder.judged(task_row("a", "branches.json", "period = \"20us\"\n"));
  EXPECT_EQ(answer.outcome, Outcome::kHolds) << text_of(answer);
  const Json& row = answer.json["tasks"][0];
  EXPECT_EQ(row["outcomes"], Json({{"combinations", 2}, {"all", true}}));
  EXPECT_EQ(task_bound(row, 0), 5'000'000U) << "and not 7 us, which no run takes";
  EXPECT_EQ(row["longest_seen_ps"], 5'000'000U);
  EXPECT_EQ(task_bound(row, 1), 7'000'000U) << "of all ops that may take no time";
  EXPECT_FALSE(row["bounds"][1]["exact"].get<bool>());
  EXPECT_EQ(answer.json["utilisation"][0]["utilisation"], 0.25);
}

TEST(JudgeTasks, EqualQuestionsHaveEqualAnswers) {
  const TaskFolder folder;
  const TasksRequest request = folder.request(task_row("fast", "two.json", "jitter = \"1us\"\n") +
                                              task_row("slow", "one.json", "period = \"20us\"\npriority = 1\n"));
  expect_same_answer(judge_tasks(request, {}), judge_tasks(request, {}));
}

TEST(JudgeTasks, WhatCannotBeIsRefused) {
  const TaskFolder folder;
  const auto refused = [&](const std::string& rows) { return refusal_of([&] { return folder.judged(rows); }); };
  EXPECT_NE(refused(task_row("a", "one.json")).find("task 'a': neither it nor its model has a period"),
            std::string::npos);
  EXPECT_NE(refused(task_row("a", "one.json", "period = \"5us\"\noffset = \"5us\"\n")).find("not below the period"),
            std::string::npos);
  EXPECT_NE(refused(task_row("a", "one.json", "period = \"5us\"\njitter = \"6us\"\n")).find("above the period"),
            std::string::npos);
  EXPECT_NE(refused(task_row("a", "one.json", "period = \"1ps\"\n") + task_row("b", "one.json", "period = \"1s\"\n"))
                .find("--runs"),
            std::string::npos);
  TasksRequest none = folder.request(task_row("a", "one.json", "period = \"5us\"\n"));
  none.simulation.runs = 0;
  EXPECT_NE(refusal_of([&] { return judge_tasks(none, {}); }), "");
}

}  // namespace
}  // namespace detent::app
