// Models with guards: explored, executed, simulated and bounded under each combination of outcomes.
#include "app/explore/combinations.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "app/bound/bound_model.hpp"
#include "app/check/check.hpp"
#include "app/check/report.hpp"
#include "app/explore/ops.hpp"
#include "app/replay/replay_source.hpp"
#include "app/replay/replay_worlds.hpp"
#include "app/runs/native_run.hpp"
#include "app/runs/simulated_run.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

using verify::Outcome;

constexpr const char* kExecutorch = "tests/regress/planner_bugs/executorch_21490.json";

std::string in_source(const std::string& file) { return std::string(DETENT_SOURCE_DIR) + "/" + file; }

/// Op 0 decides; ops 1 (10 us) and 2 (30 us) are its branches and write one place; op 3 reads what is there.
std::string branches(const std::string& read = "[\"a\", \"b\"]") {
  return R"({"schema": "detent.graph/2", "name": "branches", "regions": [{"name": "ws", "size": 64}], "ops": [
    {"id": 0, "time_ps": [1000000, 1000000], "writes": [{"region": "ws", "offset": 0, "size": 8, "value": "c"}]},
    {"id": 1, "guard": "c=then", "time_ps": [10000000, 10000000],
     "reads": [{"region": "ws", "offset": 0, "size": 8, "value": "c"}],
     "writes": [{"region": "ws", "offset": 8, "size": 8, "value": "a"}]},
    {"id": 2, "guard": "c=else", "time_ps": [30000000, 30000000],
     "reads": [{"region": "ws", "offset": 0, "size": 8, "value": "c"}],
     "writes": [{"region": "ws", "offset": 8, "size": 8, "value": "b"}]},
    {"id": 3, "time_ps": [1000000, 1000000], "reads": [{"region": "ws", "offset": 8, "size": 8, "value": )" +
         read + R"(}], "writes": [{"region": "ws", "offset": 16, "size": 8, "value": "y"}]}],
    "edges": [[0, 1], [0, 2], [1, 3], [2, 3]]})";
}

ModelOptions resolved(const std::string& outcomes = "") {
  ModelOptions options;
  options.guards = ModelOptions::Guards::kResolved;
  options.outcomes = outcomes;
  return options;
}

Answer explored(const std::string& file) {
  const Request request{.model = file};
  const auto explore = [&](const ModelOptions& options, bool) {
    const LoadedModel loaded = load(file, options);
    OpExploreRequest orders;
    orders.request = request;
    orders.outcomes = loaded.outcomes;
    return explore_orders(orders, loaded, {});
  };
  return explore_combinations(request, resolved(), combinations_of(file, resolved()), explore);
}

TEST(Combinations, BothBranchesMayShareOnePlace) {
  const TemporaryDirectory place;
  const Answer answer = explored(place.write("g.json", branches()));
  EXPECT_EQ(answer.outcome, Outcome::kHolds) << text_of(answer);
  ASSERT_EQ(answer.json["combinations"].size(), 2U);
  EXPECT_EQ(answer.json["all_combinations"], true);
  EXPECT_EQ(answer.json["combinations"][0]["outcomes"], "c=then");
  EXPECT_EQ(answer.json["combinations"][1]["outcomes"], "c=else");
  EXPECT_NE(answer.json["combinations"][0]["serial_digest"], answer.json["combinations"][1]["serial_digest"])
      << "digests are compared within one combination";
  EXPECT_EQ(answer.lines.at(0).substr(answer.lines.at(0).find(": ")), ": all 2 combinations of outcomes");
}

/// The reader wants the value of the branch that does not run in one of the two combinations.
TEST(Combinations, AReadOfOneBranchMissesItsValueWhenTheOtherRuns) {
  const TemporaryDirectory place;
  const Answer answer = explored(place.write("g.json", branches("\"a\"")));
  EXPECT_EQ(answer.outcome, Outcome::kViolated);
  EXPECT_EQ(answer.json["combinations"][0]["verdict"], "holds");
  EXPECT_EQ(answer.json["combinations"][1]["verdict"], "violated");
}

TEST(Combinations, TheStaleReadOfConsecutiveConditionalsIsFollowedInEachOfThem) {
  const Answer answer = explored(in_source(kExecutorch));
  EXPECT_EQ(answer.outcome, Outcome::kViolated);
  ASSERT_EQ(answer.json["combinations"].size(), 4U);
  for (const Json& one : answer.json["combinations"]) EXPECT_EQ(one["verdict"], "violated") << one["outcomes"];
}

TEST(Combinations, ARunTakesItsOutcomesFromTheOptionsOrTheSeedAndTheLineKeepsThem) {
  const TemporaryDirectory place;
  RunRequest run;
  run.request.model = place.write("g.json", branches());
  EXPECT_NE(refusal_of([&] { return run_once(run); }).find("has a guard"), std::string::npos);
  run.model = resolved();
  EXPECT_EQ(refusal_of([&] { return run_once(run); }),
            "decision c has no outcome; add --outcome c= and one of then, else");
  std::set<std::string> digests;
  for (const char* outcomes : {"c=then", "c=else"}) {
    run.model.outcomes = outcomes;
    const Answer answer = run_once(run);
    EXPECT_EQ(answer.json["outcomes"], outcomes);
    EXPECT_EQ(answer.lines.back(), std::string("outcomes ") + outcomes);
    digests.insert(answer.json["digest"].get<std::string>());
    const ReplaySource source = read_replay_source(answer.json["replay"].get<std::string>());
    for (const char* world : {"native", "sim"}) {
      const ReplayLine line = line_for(source, "", world);
      EXPECT_EQ(line.outcomes, outcomes);
      const sim::Platform platform = platform_of(line);
      EXPECT_EQ(difference_to(line, replay_in_world(line, load_for(line, platform), platform, {})), "") << world;
    }
  }
  EXPECT_EQ(digests.size(), 2U);
  run.model.outcomes = "";
  run.model.outcome_seed = 3;
  const std::string drawn = run_once(run).json["outcomes"];
  EXPECT_TRUE(drawn == "c=then" || drawn == "c=else") << drawn;
}

std::uint64_t simulated_ps(const std::string& file, const std::string& outcomes) {
  SimulateRequest wanted;
  wanted.request.model = file;
  wanted.simulation.cores = "1";
  wanted.simulation.runs = 1;
  wanted.model = resolved(outcomes);
  const LoadedModel loaded = load(file, wanted.model);
  const Answer answer = simulate(wanted, loaded, simulated_platform(wanted.simulation), nullptr, {});
  EXPECT_EQ(answer.json["outcomes"], outcomes);
  EXPECT_NE(answer.json["replay"].get<std::string>().find(" outcomes=" + outcomes), std::string::npos);
  return answer.json["makespan_ps"]["max"].get<std::uint64_t>();
}

std::uint64_t bound_ps(const Answer& answer, const std::string& name) {
  for (const Json& method : answer.json["methods"]) {
    if (method["name"] == name) return method["bound_ps"];
  }
  return 0;
}

Answer bounded(const std::string& file, const std::string& outcomes = "") {
  BoundRequest request;
  request.request.model = file;
  request.cores = "1";
  request.model = resolved(outcomes);
  return bound_model(request);
}

TEST(Combinations, OfExclusiveBranchesTheLongerOneCounts) {
  const TemporaryDirectory place;
  const std::string file = place.write("g.json", branches());
  const Answer answer = bounded(file);
  EXPECT_EQ(bound_ps(answer, "serial"), 32'000'000U) << "not 42 us";
  EXPECT_EQ(bound_ps(answer, "critical_path"), 32'000'000U);
  EXPECT_EQ(answer.json["outcomes"]["combinations"], 2);
  EXPECT_EQ(answer.json["outcomes"]["all"], true);
  const Json& of_each = answer.json["outcomes"]["bounds"];
  ASSERT_EQ(of_each.size(), 2U);
  EXPECT_EQ(of_each[0], (Json{{"outcomes", "c=then"}, {"method", "serial"}, {"bound_ps", 12'000'000U}}));
  EXPECT_EQ(of_each[1]["bound_ps"], 32'000'000U);
  EXPECT_EQ(bound_ps(bounded(file, "c=then"), "serial"), 12'000'000U);
  for (const Json& response : answer.json["response_ps"]) {
    if (response["op"] == 2) {
      EXPECT_EQ(response["min"], 1'000'000U) << "it may not run, and ends with its decision";
    }
  }
  EXPECT_EQ(simulated_ps(file, "c=then"), 12'000'000U);
  EXPECT_EQ(simulated_ps(file, "c=else"), 32'000'000U);
}

TEST(Combinations, CheckJudgesAllOutcomesRunsOneAndNamesTheGuards) {
  const TemporaryDirectory place;
  const std::string file = place.write("g.json", branches("\"a\""));
  CheckOptions options;
  options.request.model = file;
  options.simulation.cores = "2";
  options.simulation.runs = 2;
  options.model = resolved("c=then");
  const LoadedModel loaded = load(file, options.model);
  const sim::Platform platform = simulated_platform(options.simulation);
  const CheckResult result = check(options, loaded, platform, {});
  for (const verify::Verdict& verdict : result.verdicts) {
    const bool is_flow = verdict.property == verify::Property::kValueFlow;
    EXPECT_EQ(verdict.outcome == Outcome::kViolated, is_flow) << verdict.summary;
    if (is_flow) {
      EXPECT_NE(verdict.summary.find("2 guarded ops"), std::string::npos) << verdict.summary;
    }
  }
  ASSERT_EQ(result.lost_values.size(), 1U);
  const reports::ReportData data = make_report_data(options.request, options.simulation, loaded, platform, result);
  const auto assumption = std::ranges::find(data.assumptions, "outcomes", &reports::Assumption::key);
  ASSERT_NE(assumption, data.assumptions.end());
  EXPECT_TRUE(assumption->text.starts_with("c=then: runs, their times and explored schedules are of these"))
      << assumption->text;
  EXPECT_NE(assumption->text.find(") runs where c=else"), std::string::npos) << assumption->text;
}

/// Nine decisions have 512 combinations: 256 are looked at, and upper bounds count all ops.
TEST(Combinations, WhereThereAreTooManyUpperBoundsCountEveryOp) {
  std::string ops, edges;
  for (int i = 0; i < 9; ++i) {
    const std::string c = std::to_string(3 * i), a = std::to_string(3 * i + 1), b = std::to_string(3 * i + 2);
    ops += (i > 0 ? "," : "") + std::string(R"({"id": )") + c + R"(, "time_ps": [1000, 1000]},{"id": )" + a +
           R"(, "guard": "c)" + c + R"(=then", "time_ps": [5000, 5000]},{"id": )" + b + R"(, "guard": "c)" + c +
           R"(=else", "time_ps": [9000, 9000]})";
    edges += (i > 0 ? "," : "") + std::string("[") + c + "," + a + "],[" + c + "," + b + "]";
  }
  const TemporaryDirectory place;
  const std::string file =
      place.write("g.json", R"({"schema": "detent.graph/2", "name": "nine", "regions": [], "ops": [)" + ops +
                                "], \"edges\": [" + edges + "]}");
  const Answer answer = bounded(file);
  EXPECT_EQ(answer.json["outcomes"]["combinations"], 256);
  EXPECT_EQ(answer.json["outcomes"]["all"], false);
  EXPECT_EQ(answer.json["outcomes"]["bounds"].size(), 256U);
  EXPECT_EQ(bound_ps(answer, "serial"), 9U * 15'000U);
  EXPECT_LE(bound_ps(answer, "work_per_core"), 9U * 10'000U) << "of one run";
  for (const Json& response : answer.json["response_ps"]) EXPECT_EQ(response["min"], 0);
  const Json& sag = answer.json["methods"].back();
  EXPECT_EQ(sag["name"], "sag");
  EXPECT_TRUE(sag["bound_ps"].is_null()) << "a run without an op may take longer";
  EXPECT_EQ(explored(file).outcome, Outcome::kUnknown) << "not every combination was explored";
}

}  // namespace
}  // namespace detent::app
