// The deadline among the verdicts of check and simulate: proven, missed by a run that replays, open; on assumed times.
#include <gtest/gtest.h>

#include <string>

#include "app/bound/bound_model.hpp"
#include "app/check/check_summary.hpp"
#include "app/check/reported_check.hpp"
#include "app/replay/replay.hpp"
#include "app/runs/simulated_run.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

using verify::Outcome;

/// Three ops on two cores: from 4 to 6 ns in truth, at most 6.5 ns by the best bound that check computes.
std::string ops_with_deadline(const std::string& keys) {
  return R"({"schema": "detent.graph/1", )" + keys + R"("ops": [{"id": 0, "time_ps": [2000, 3000]},
    {"id": 1, "time_ps": [2000, 3000]}, {"id": 2, "time_ps": [2000, 3000]}], "edges": [[0, 2]]})";
}

class DeadlineOfRuns : public ::testing::Test {
 protected:
  [[nodiscard]] Answer checked(const std::string& model, const std::string& deadline, const std::string& cores = "2",
                               const std::string& policy = "id") const {
    CheckRequest made;
    made.check.request = {.model = model, .seeds = {.schedule = 1}, .reproducible = true};
    made.check.simulation.cores = cores;
    made.check.simulation.runs = 4;
    made.check.simulation.deadline = deadline;
    made.check.schedules = 0;
    made.check.schedule.engine.policy = policy;
    if (policy == "given") made.check.schedule.order_file = place_.write("order.txt", "0 1 2\n");
    made.directory = place_.file("out");
    made.ci.baseline = baseline_;
    return report_check(made, start_check(made), 80, {});
  }
  static Json verdict_of(const Answer& answer) {
    for (const Json& verdict : answer.json["verdicts"]) {
      if (verdict["property"] == "deadline") return verdict;
    }
    return nullptr;
  }

  TemporaryDirectory place_;
  std::string baseline_{};
};

TEST_F(DeadlineOfRuns, IsProvenByTheBestBoundOfTheSchedule) {
  const std::string file = place_.write("net.json", ops_with_deadline(""));
  EXPECT_TRUE(verdict_of(checked(file, "")).is_null()) << "nobody demands one";
  const Answer answer = checked(file, "7ns");
  EXPECT_EQ(answer.outcome, Outcome::kHolds);
  EXPECT_EQ(verdict_of(answer)["outcome"], "holds");
  const Json& deadline = answer.json["deadline"];
  EXPECT_EQ(deadline["source"], "--deadline");
  EXPECT_EQ(deadline["margin_ps"].get<std::int64_t>(), 7'000 - deadline["bound_ps"].get<std::int64_t>());
  EXPECT_EQ(deadline["longest_seen_ps"], answer.json["simulated"]["makespan_ps"]["max"]);
  EXPECT_EQ(deadline["assumed_times"], false);
  EXPECT_NE(answer.lines.front().find("Does every run end within 7.00 ns?          YES\n"), std::string::npos)
      << answer.lines.front();
  EXPECT_EQ(answer.json["answers"][3]["answer"], "Yes");
  EXPECT_EQ(answer.json["answers"][3]["outcome"], "holds");
}

/// What is assumed of failures stands in every sentence about time.
TEST_F(DeadlineOfRuns, SaysHowManyOpsMayFail) {
  CheckRequest made;
  made.check.request = {.model = "branchnet", .seeds = {.schedule = 1}, .reproducible = true};
  made.check.model.set = place_.write("s.toml", "schema = \"detent.set/1\"\n[[fallbacks]]\nfrom = \"npu\"\n");
  made.check.model.most_failures = 1;
  made.check.simulation.runs = 2;
  made.check.simulation.deadline = "100ms";
  made.check.schedules = 0;
  made.directory = place_.file("out");
  const Answer answer = report_check(made, start_check(made), 80, {});
  const std::string condition = "if at most 1 op fails and no op exceeds its worst time";
  EXPECT_EQ(answer.json["deadline"]["condition"], condition);
  EXPECT_EQ(answer.json["op_times"]["condition"].get<std::string>().rfind(condition + ". ", 0), 0U);
  EXPECT_NE(text_of(answer).find("combinations of outcomes in which at most 1 op fails"), std::string::npos);
}

TEST_F(DeadlineOfRuns, OfTheFileIsMissedByARunThatReplays) {
  const Answer answer = checked(place_.write("net.json", ops_with_deadline("\"deadline\": \"5ns\", ")), "");
  EXPECT_EQ(answer.outcome, Outcome::kViolated);
  const Json verdict = verdict_of(answer);
  EXPECT_EQ(verdict["summary"], "the longest run seen takes 6.00 ns, 1.00 ns more than the deadline of 5.00 ns");
  const std::string text = verdict["witness"]["text"].get<std::string>();
  const std::string line = answer.json["replay"].get<std::string>();
  EXPECT_EQ(text, "the run that is longer: detent replay '" + line + "'");
  EXPECT_EQ(answer.json["deadline"]["margin_ps"], -1'000);
  EXPECT_NE(answer.lines.front().find("Does every run end within 5.00 ns?          NO\n"), std::string::npos);
  EXPECT_EQ(answer.json["answers"][3]["answer"], "No");
  EXPECT_EQ(replay({.source = line}).answer.outcome, Outcome::kHolds) << "it takes as long again";
}

TEST_F(DeadlineOfRuns, IsOpenBetweenTheBoundAndTheLongestRun) {
  const Answer answer =
      checked(place_.write("net.json", ops_with_deadline("\"deadline\": \"5ns\", ")), "6ns", "2", "given");
  EXPECT_EQ(answer.outcome, Outcome::kUnknown);
  EXPECT_EQ(
      verdict_of(answer)["summary"],
      "the lowest upper bound, 9.00 ns (serial), is 3.00 ns more than the deadline of 6.00 ns, and the longest run "
      "seen takes 6.00 ns; more --search, or of the closed loop detent bound --method exact, may tell more");
  EXPECT_NE(answer.lines.front().find("Does every run end within 6.00 ns?          UNKNOWN\n"), std::string::npos);
  EXPECT_EQ(answer.json["answers"][3]["answer"], "Not known");
  EXPECT_EQ(answer.json["deadline"]["margin_ps"], nullptr);
  const Answer missed = checked(place_.file("net.json"), "", "2", "given");
  EXPECT_EQ(verdict_of(missed)["witness"]["text"], verdict_of(missed)["summary"]) << "no line says a given order";
}

TEST_F(DeadlineOfRuns, OnAssumedTimesIsNoGoodNews) {
  const Answer answer = checked("mobilenetv2:32", "1s");
  EXPECT_EQ(verdict_of(answer)["outcome"], "holds");
  EXPECT_EQ(answer.json["deadline"]["assumed_times"], true);
  EXPECT_NE(answer.lines.front().find("YES (ASSUMED times)"), std::string::npos) << answer.lines.front();
  EXPECT_EQ(answer.json["answers"][3]["answer"], "Yes, on assumed op times");
  EXPECT_EQ(answer.json["answers"][3]["outcome"], "unknown");
  const Answer missed = checked("mobilenetv2:32", "1us");
  EXPECT_EQ(missed.outcome, Outcome::kViolated);
  EXPECT_EQ(missed.json["answers"][3]["answer"], "No, on assumed op times");
}

TEST_F(DeadlineOfRuns, ABaselineKnowsItWhicheverRunWasTheLongest) {
  const std::string file = place_.write("net.json", ops_with_deadline(""));
  static_cast<void>(checked(file, "5ns"));
  baseline_ = place_.write("baseline.json", bytes_of(place_.file("out/report.json")));
  EXPECT_EQ(checked(file, "4ns").outcome, Outcome::kHolds) << "missed before, too";
  static_cast<void>(place_.write("net.json", ops_with_deadline("\"deadline\": 5000, ")));
  EXPECT_EQ(checked(file, "").outcome, Outcome::kHolds);
  baseline_.clear();
  static_cast<void>(checked(file, "7ns"));
  baseline_ = place_.write("baseline.json", bytes_of(place_.file("out/report.json")));
  EXPECT_EQ(checked(file, "5ns").outcome, Outcome::kViolated) << "met before";
}

TEST_F(DeadlineOfRuns, IsNotJudgedWhereNothingCanRun) {
  const std::string file = place_.write("net.json", ops_with_deadline("\"deadline\": \"1s\", "));
  EXPECT_EQ(refusal_of([&] { return checked(file, "late"); }).rfind("--deadline late: ", 0), 0U);
}

Answer simulated(const std::string& model, const std::string& deadline, const std::string& fail = "") {
  SimulateRequest made;
  made.request.model = model;
  made.simulation.cores = "2";
  made.simulation.runs = 3;
  if (fail.empty()) made.simulation.search = 3;
  made.simulation.deadline = deadline;
  made.model.guards = ModelOptions::Guards::kResolved;
  if (!fail.empty()) made.faults.values[0] = {fail};
  const SimulationStart start = start_simulation(made, {});
  return simulate(made, start.loaded, start.platform, start.part.get(), {});
}

TEST_F(DeadlineOfRuns, SimulateSaysTheSame) {
  const std::string file = place_.write("net.json", ops_with_deadline("\"deadline\": \"5ns\", "));
  const Answer missed = simulated(file, "");
  EXPECT_EQ(missed.outcome, Outcome::kViolated);
  EXPECT_EQ(missed.json["verdicts"][0]["outcome"], "violated");
  EXPECT_EQ(missed.lines.back(),
            "  the run that is longer: detent replay '" + missed.json["replay"].get<std::string>() + "'");
  EXPECT_EQ(missed.json["deadline"]["deadline_ps"], 5'000);
  const Answer met = simulated(file, "7ns");
  EXPECT_EQ(met.outcome, Outcome::kHolds);
  EXPECT_EQ(met.json["deadline"]["source"], "--deadline");
  EXPECT_FALSE(simulated("diamond", "").json.contains("deadline"));
}

TEST_F(DeadlineOfRuns, AFailureOfARunCountsMoreThanTheDeadline) {
  const std::string file = place_.write(
      "long.json",
      R"({"schema": "detent.graph/1", "deadline": 5, "ops": [{"id": 0, "time_ps": 4611686018427387904}]})");
  SimulateRequest made;
  made.request.model = file;
  made.simulation.cores = "1";
  made.simulation.runs = 6;
  const SimulationStart start = start_simulation(made, {});
  const Answer answer = simulate(made, start.loaded, start.platform, start.part.get(), {});
  EXPECT_EQ(answer.outcome, Outcome::kUnknown);
  EXPECT_EQ(answer.json["verdicts"][0]["summary"].get<std::string>().rfind("not every run ends: ", 0), 0U);
}

TEST_F(DeadlineOfRuns, OfRunsWithFaultsIsNotJudged) {
  const std::string file = place_.write("net.json", ops_with_deadline("\"deadline\": \"5ns\", "));
  const Answer faulty = simulated(file, "", "0=7");
  EXPECT_EQ(faulty.lines.back(), "deadline 5.00 ns: not judged, for no bound counts faults; leave them out");
  EXPECT_FALSE(faulty.json.contains("deadline"));
  EXPECT_EQ(
      refusal_of([&] { return simulated(file, "5ns", "0=7"); }).rfind("--deadline: is of runs in which nothing", 0),
      0U);
}

TEST_F(DeadlineOfRuns, OfAPeriodHoldsWhereRunsCannotOverlap) {
  const Answer kept = checked(place_.write("net.json", ops_with_deadline("\"period\": \"7ns\", ")), "");
  EXPECT_EQ(verdict_of(kept)["outcome"], "holds");
  const Json& deadline = kept.json["deadline"];
  EXPECT_EQ(deadline["deadline_ps"], 7'000);
  EXPECT_EQ(deadline["period_ps"], 7'000);
  EXPECT_EQ(deadline["source"], place_.file("net.json") + ", period");
  EXPECT_EQ(deadline["utilisation"],
            Json::parse(R"([{"class": "cpu", "cores": 2, "utilisation": 0.642857, "overloaded": false}])"));
  EXPECT_NE(kept.json["answers"][3]["detail"].get<std::string>().find("64.3 % of cpu (2 cores)"), std::string::npos);
  EXPECT_NE(kept.lines.front().find("\n      a period of 7.00 ns uses 64.3 % of cpu (2 cores)\n"), std::string::npos)
      << kept.lines.front();

  const Answer overlapping =
      checked(place_.write("net.json", ops_with_deadline("\"period\": \"5ns\", \"deadline\": \"20ns\", ")), "");
  EXPECT_EQ(verdict_of(overlapping)["outcome"], "unknown") << "a bound of one run alone is not theirs";
  const Answer behind =
      checked(place_.write("net.json", ops_with_deadline("\"period\": \"4ns\", \"deadline\": \"20ns\", ")), "");
  EXPECT_EQ(behind.outcome, Outcome::kViolated);
  EXPECT_EQ(verdict_of(behind)["summary"],
            "where every op takes its worst time, the work of cpu takes more than the period of 4.00 ns, so runs fall "
            "behind without end");
  EXPECT_NE(behind.lines.front().find("a period of 4.00 ns uses 112.5 % of cpu (2 cores): MORE WORK THAN TIME\n"),
            std::string::npos)
      << behind.lines.front();
  const Answer simulated_one = simulated(place_.file("net.json"), "");
  EXPECT_EQ(simulated_one.outcome, Outcome::kViolated);
  EXPECT_EQ(simulated_one.json["deadline"]["utilisation"], behind.json["deadline"]["utilisation"]);

  BoundRequest bound;
  bound.request.model = place_.file("net.json");
  bound.cores = "2";
  bound.method = "typed";
  const Answer bounded = bound_model(bound);
  EXPECT_EQ(bounded.json["deadline"]["utilisation"], behind.json["deadline"]["utilisation"]);
  EXPECT_EQ(bounded.lines[1],
            "utilisation          112.5%  of cpu (2 cores), at worst times of ops: VIOLATED, more work "
            "than time, so runs fall behind without end");
  bound.request.model = place_.write("net.json", ops_with_deadline("\"deadline\": \"20ns\", "));
  EXPECT_FALSE(bound_model(bound).json["deadline"].contains("period_ps"));
}

/// Of exclusive branches no single sum is the work of a period.
TEST_F(DeadlineOfRuns, OfAPeriodHasNoUtilisationWhereDecisionsChoose) {
  BoundRequest bound;
  bound.request.model = place_.write(
      "guarded.json", R"({"schema": "detent.graph/2", "period": "7ns", "regions": [{"name": "ws", "size": 8}],
      "ops": [{"id": 0, "name": "d", "time_ps": 1000}, {"id": 1, "time_ps": 5000, "guard": ["d=a"]},
              {"id": 2, "time_ps": 5000, "guard": ["d=b"]}], "edges": [[0, 1], [0, 2]]})");
  bound.cores = "1";
  bound.method = "typed";
  const Answer bounded = bound_model(bound);
  EXPECT_EQ(bounded.outcome, Outcome::kHolds) << "6 ns with either branch";
  EXPECT_EQ(bounded.json["deadline"]["utilisation"], Json::array());
  SimulateRequest made;
  made.request.model = bound.request.model;
  made.simulation.cores = "1";
  made.simulation.runs = 2;
  made.model.guards = ModelOptions::Guards::kResolved;
  made.model.outcomes = "d=a";
  const SimulationStart start = start_simulation(made, {});
  const Answer simulated_one = simulate(made, start.loaded, start.platform, start.part.get(), {});
  EXPECT_EQ(simulated_one.json["deadline"]["utilisation"], Json::array());
}

/// Static lists have a bound of their own, which is exact here: one core does all.
TEST_F(DeadlineOfRuns, OfStaticListsIsProvenByTheirBound) {
  SimulateRequest made;
  made.request.model = place_.write("net.json", ops_with_deadline(""));
  made.model.schedule = place_.write("lists.toml", "schema = \"detent.schedule/1\"\nlists = [[0, 2], [1]]\n");
  made.simulation.cores = "2";
  made.simulation.runs = 3;
  made.simulation.deadline = "6ns";
  made.schedule.engine.mode = DETENT_MODE_STATIC;
  made.schedule.engine.workers = 2;
  const SimulationStart start = start_simulation(made, {});
  const Answer answer = simulate(made, start.loaded, start.platform, start.part.get(), {});
  EXPECT_EQ(answer.outcome, Outcome::kHolds);
  EXPECT_EQ(answer.json["deadline"]["method"], "lists");
  EXPECT_EQ(answer.json["deadline"]["bound_ps"], 6'000);
  EXPECT_EQ(answer.json["deadline"]["margin_ps"], 0);
}

/// Of exclusive branches the longer one counts, whichever is simulated.
TEST_F(DeadlineOfRuns, HoldsForAllOutcomes) {
  const std::string file = place_.write(
      "guarded.json", R"({"schema": "detent.graph/2", "deadline": "4ns", "regions": [{"name": "ws", "size": 8}],
      "ops": [{"id": 0, "name": "d", "time_ps": 1000}, {"id": 1, "time_ps": 1000, "guard": ["d=a"]},
              {"id": 2, "time_ps": 5000, "guard": ["d=b"]}], "edges": [[0, 1], [0, 2]]})");
  SimulateRequest made;
  made.request.model = file;
  made.simulation.cores = "1";
  made.simulation.runs = 2;
  made.model.guards = ModelOptions::Guards::kResolved;
  made.model.outcomes = "d=a";
  const SimulationStart start = start_simulation(made, {});
  const Answer answer = simulate(made, start.loaded, start.platform, start.part.get(), {});
  EXPECT_EQ(answer.json["makespan_ps"]["max"], 2'000);
  EXPECT_EQ(answer.outcome, Outcome::kViolated) << "of runs in which d=b";
  EXPECT_EQ(answer.json["deadline"]["margin_ps"], -2'000);
}

}  // namespace
}  // namespace detent::app
