// Several models at once on a simulated chip: what is said of each, and what is refused.
#include "app/simulate/together.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>

#include "app/model/loaded_model.hpp"
#include "tests/app/answers.hpp"
#include "tests/golden.hpp"

namespace detent::app {
namespace {

using verify::Outcome;

TogetherRequest together(const std::vector<std::string>& models) {
  TogetherRequest made;
  made.request.model = models.front();
  made.models = models;
  made.simulation.runs = 6;
  return made;
}

TEST(TogetherSimulation, ResponsesAndOutputsOfEachModelStandBesideThoseAlone) {
  TogetherRequest request = together({"branchnet", "diamond"});
  request.priorities = {0, 1};
  request.periods = {"2ms", "1ms"};
  const Answer answer = simulate_models_together(request, {});
  EXPECT_EQ(answer.outcome, Outcome::kHolds);
  EXPECT_EQ(answer.json["status"], "OK");
  const Json& networks = answer.json["networks"];
  ASSERT_EQ(networks.size(), 2U);
  for (const Json& network : networks) {
    EXPECT_EQ(network["runs"], 6);
    EXPECT_EQ(network["overruns"], 0);
    EXPECT_EQ(network["digests"], network["digests_alone"]);
    EXPECT_EQ(network["digests"].size(), 1U);
    EXPECT_LE(network["response_ps"]["min"], network["response_ps"]["max"]);
    EXPECT_TRUE(network.contains("op_times"));
  }
  EXPECT_EQ(answer.json["assumes"].size(), 1U);
  EXPECT_NE(answer.lines.back().find("assumes"), std::string::npos);
  EXPECT_EQ(networks[0]["period_ps"], 2'000'000'000U);
  EXPECT_EQ(simulate_models_together(request, {}).json.dump(), answer.json.dump());
}

TEST(TogetherSimulation, LinesSayWhatTheJsonSays) {
  TogetherRequest request = together({"chain:3", "diamond"});
  request.priorities = {0, 1};
  request.periods = {"200us", "100us"};
  expect_golden(text_of(simulate_models_together(request, {})), "app/simulate/golden/chain_and_diamond.txt");
}

TEST(TogetherSimulation, ADeadlineIsOfOneNetworkAlone) {
  const TemporaryDirectory place;
  const std::string timed = place.write(
      "timed.json", R"({"schema": "detent.graph/1", "deadline": "5ms", "ops": [{"id": 0, "time_ps": 1000}]})");
  const Answer answer = simulate_models_together(together({"chain", timed}), {});
  EXPECT_EQ(std::ranges::count(answer.lines, timed + ": deadline 5.00 ms: not judged here; detent tasks judges it "
                                                     "beside the other networks"),
            1);
  EXPECT_EQ(answer.outcome, Outcome::kHolds);
}

TEST(TogetherSimulation, OutcomesAreDrawnBySeedAndSaidAsOfOneModel) {
  const std::string branches = DETENT_SOURCE_DIR "/tests/cli/transcripts/inputs/branches.json";
  std::set<std::string> seen;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    TogetherRequest request = together({branches, "chain"});
    request.request.seeds.schedule = seed;
    request.simulation.runs = 1;
    request.model.guards = ModelOptions::Guards::kResolved;
    const Answer answer = simulate_models_together(request, {});
    const std::string outcomes = answer.json["networks"][0]["outcomes"];
    EXPECT_EQ(outcomes, load(branches, {.guards = ModelOptions::Guards::kResolved, .outcome_seed = seed}).outcomes);
    EXPECT_TRUE(std::ranges::count(answer.lines, branches + ": outcomes " + outcomes) == 1);
    EXPECT_FALSE(answer.json["networks"][1].contains("outcomes"));
    seen.insert(outcomes);
  }
  EXPECT_GT(seen.size(), 1U);
}

TEST(TogetherSimulation, ProgressCountsTheRunsOfAllNetworks) {
  std::uint64_t told = 0;
  simulate_models_together(together({"chain", "diamond"}), [&](std::uint64_t done, std::uint64_t total) {
    EXPECT_EQ(done, ++told);
    EXPECT_EQ(total, 12U);
  });
  EXPECT_EQ(told, 12U);
}

TEST(TogetherSimulation, AModelThatCannotBeBoundIsNamed) {
  TogetherRequest request = together({"chain", "bad_out_of_arena"});
  request.simulation.timing_only = true;
  const Answer answer = simulate_models_together(request, {});
  EXPECT_EQ(answer.outcome, Outcome::kViolated);
  EXPECT_TRUE(std::string(answer.json["failure"]).starts_with("bad_out_of_arena: cannot be bound: B40"));
}

TEST(TogetherSimulation, OnePeriodIsThatOfAll) {
  TogetherRequest request = together({"chain", "diamond", "chain"});
  request.periods = {"1ms"};
  request.simulation.timing_only = true;
  const Answer answer = simulate_models_together(request, {});
  for (const Json& network : answer.json["networks"]) EXPECT_EQ(network["period_ps"], 1'000'000'000U);
}

TEST(TogetherSimulation, AnOverrunIsCounted) {
  TogetherRequest request = together({"chain", "diamond"});
  request.periods = {"1ns"};
  const Answer answer = simulate_models_together(request, {});
  EXPECT_EQ(answer.json["networks"][0]["overruns"], 6);
}

TEST(TogetherSimulation, NumbersThatFitNoModelAreRefused) {
  TogetherRequest request = together({"chain", "diamond"});
  request.periods = {"1ms", "2ms", "3ms"};
  EXPECT_THROW(simulate_models_together(request, {}), std::invalid_argument);
  request.periods = {"soon"};
  EXPECT_THROW(simulate_models_together(request, {}), std::invalid_argument);
  request.periods = {};
  request.priorities = {1};
  EXPECT_THROW(simulate_models_together(request, {}), std::invalid_argument);
  request.priorities = {};
  request.schedule.engine.mode = DETENT_MODE_STATIC;
  EXPECT_THROW(simulate_models_together(request, {}), std::invalid_argument);
}

}  // namespace
}  // namespace detent::app
