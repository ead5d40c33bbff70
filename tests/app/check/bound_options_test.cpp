#include <gtest/gtest.h>

#include "app/bound/bound_model.hpp"
#include "app/calibrate/calibrate.hpp"
#include "app/check/check.hpp"
#include "app/import/import_graph.hpp"
#include "app/runs/simulated_run.hpp"
#include "tests/app/answers.hpp"
#include "tests/golden.hpp"

namespace detent::app {
namespace {

BoundRequest bound_of(const std::string& model) {
  BoundRequest made;
  made.request.model = model;
  made.request.reproducible = true;
  made.cores = "2";
  return made;
}

std::uint64_t tightest_ps(const BoundRequest& request) {
  std::uint64_t least = UINT64_MAX;
  const Answer answer = bound_model(request);
  for (const Json& method : answer.json["methods"]) {
    if (method["is_upper"] == true && !method["bound_ps"].is_null()) {
      least = std::min(least, method["bound_ps"].get<std::uint64_t>());
    }
  }
  return least;
}

TEST(BoundOptions, LinesSayWhatTheJsonSays) {
  expect_golden(text_of(bound_model(bound_of("diamond"))), "app/check/golden/bound_diamond.txt");
}

TEST(BoundOptions, AnUnknownMethodIsRefused) {
  BoundRequest request = bound_of("diamond");
  for (const char* method : {"fast", "", "Graham"}) {
    request.method = method;
    EXPECT_EQ(
        refusal_of([&] { return bound_model(request); }),
        std::string("--method ") + method + ": choose graham, he2022, typed, serial, exact, smt, sag, lists or all");
  }
}

TEST(BoundOptions, MoreWorkersDoNotRaiseTheTightestBound) {
  BoundRequest request = bound_of("wide:6");
  request.workers = 1;
  const std::uint64_t one = tightest_ps(request);
  request.workers = 2;
  EXPECT_LE(tightest_ps(request), one);
}

TEST(BoundOptions, WithoutContentionOrOverheadsTheTightestBoundDoesNotRise) {
  BoundRequest request = bound_of("branchnet");
  request.cores.clear();
  request.platform = "am62a";
  const std::uint64_t whole = tightest_ps(request);
  request.no_contention = true;
  const std::uint64_t alone = tightest_ps(request);
  EXPECT_LE(alone, whole);
  request.no_overheads = true;
  EXPECT_LE(tightest_ps(request), alone);
}

TEST(BoundOptions, PlatformAndCoresExcludeEachOther) {
  BoundRequest request = bound_of("diamond");
  request.platform = "am62a";
  EXPECT_EQ(refusal_of([&] { return bound_model(request); }),
            "--platform: cannot stand beside --cores; leave one of them out");
  request.cores.clear();
  request.platform = "nothing";
  EXPECT_NE(refusal_of([&] { return bound_model(request); }), "");
}

TEST(BoundOptions, MeasuredSecondsAreLeftOutWhereAsked) {
  BoundRequest request = bound_of("diamond");
  expect_same_answer(bound_model(request), bound_model(request));
  request.request.reproducible = false;
  EXPECT_TRUE(bound_model(request).json["methods"][0].contains("seconds"));
}

TEST(CheckOptions, OrderWithoutThePolicyGivenIsRefusedBeforeARun) {
  CheckOptions options;
  options.request.model = "diamond";
  options.simulation.cores = "2";
  options.simulation.runs = 2;
  const sim::Platform platform = simulated_platform(options.simulation);
  const LoadedModel loaded = load("diamond", {});
  options.schedule.engine.policy = "given";
  EXPECT_EQ(refusal_of([&] { return check(options, loaded, platform, {}).bounds.size(); }),
            "--policy given: add --order FILE");
  options.schedule.engine.policy = "id";
  options.schedule.order_file = "o";
  EXPECT_EQ(refusal_of([&] { return check(options, loaded, platform, {}).bounds.size(); }),
            "--order o: only --policy given follows it; add that");
}

TEST(CheckOptions, ModesThatMayLeaveACoreIdleHaveNoBoundButTheSerialOne) {
  CheckOptions options;
  options.request.model = "diamond";
  options.simulation.cores = "2";
  options.simulation.runs = 2;
  options.schedule.engine.mode = DETENT_MODE_LAYERED;
  const CheckResult result = check(options, load("diamond", {}), simulated_platform(options.simulation), {});
  ASSERT_EQ(result.refused_bounds.size(), 3U);
  for (const verify::Bound& bound : result.refused_bounds) {
    EXPECT_EQ(bound.assumptions,
              "does not apply: the order, the mode or the workers that ops are for may leave a ready op waiting for an "
              "idle core");
  }
  EXPECT_EQ(result.bounds.size(), 3U);
}

TEST(ImportGraph, InvalidGraphIsRefusedAndWritesNothing) {
  const TemporaryDirectory place;
  ImportGraphOptions options;
  options.package = place.file("out.pkg");
  options.request.model = place.file("missing.json");
  EXPECT_EQ(refusal_of([&] { return import_graph(options); }).rfind(options.request.model, 0), 0U);
  for (const char* text : {"", "{}", "[1]", "{\"schema\":\"detent.graph/2\"}"}) {
    options.request.model = place.write("graph.json", text);
    EXPECT_EQ(refusal_of([&] { return import_graph(options); }).rfind(options.request.model, 0), 0U) << text;
  }
  EXPECT_FALSE(std::filesystem::exists(options.package));
}

TEST(ValidatePredictions, ContradictionsAreRefusedBeforeAnythingIsMeasured) {
  const auto refused = [](ValidationOptions options) {
    return refusal_of([&] { return validate_predictions(options).rows.size(); });
  };
  EXPECT_EQ(refused({}), "--validate: nothing to compare; give models, --fit models, --workers and --runs");
  EXPECT_EQ(refused({.models = {"diamond"}, .fit = {"chain"}, .workers = {1}, .runs = 0, .platform = ""}),
            "--validate: nothing to compare; give models, --fit models, --workers and --runs");
  EXPECT_EQ(refused({.models = {"diamond"}, .fit = {"diamond"}, .workers = {1}, .platform = ""}),
            "--validate diamond: is also fitted on; a prediction needs an unseen model");
  EXPECT_EQ(refused({.models = {"diamond"}, .fit = {"chain"}, .workers = {1, 0}, .platform = ""}),
            "--workers 0: runs serially; give 1 or more");
}

}  // namespace
}  // namespace detent::app
