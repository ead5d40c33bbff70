#include "app/check/check.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/answer/verdicts.hpp"
#include "app/bound/bound_model.hpp"
#include "app/check/report.hpp"
#include "app/runs/simulated_run.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

using verify::Outcome;

CheckOptions options_for(const std::string& model) {
  CheckOptions options;
  options.request.model = model;
  options.simulation.cores = "2";
  options.simulation.runs = 10;
  return options;
}

CheckResult checked(const CheckOptions& options) {
  const sim::Platform platform = simulated_platform(options.simulation);
  return check(options, load(options.request.model, options.model), platform, {});
}

Outcome outcome_of_property(const CheckResult& result, verify::Property property) {
  const auto place = std::ranges::find(result.verdicts, property, &verify::Verdict::property);
  if (place == result.verdicts.end()) ADD_FAILURE() << "no verdict on " << verify::property_name(property);
  return place == result.verdicts.end() ? Outcome::kUnknown : place->outcome;
}

TEST(Check, ASoundModelHoldsInEveryPart) {
  const CheckResult result = checked(options_for("diamond"));
  EXPECT_EQ(outcome_of(result.verdicts), Outcome::kHolds);
  using verify::Property;
  for (const Property property :
       {Property::kDeterminism, Property::kStructure, Property::kMemoryPlan, Property::kBufferRaces,
        Property::kTraceRules, Property::kBound, Property::kResponses, Property::kOpSchedules, Property::kCoverGoals}) {
    EXPECT_EQ(outcome_of_property(result, property), Outcome::kHolds) << verify::property_name(property);
  }
  ASSERT_TRUE(result.native && result.simulated);
  EXPECT_EQ(result.native->digest, result.simulated->digests.front());
  EXPECT_FALSE(result.bounds.empty());
  EXPECT_EQ(result.responses.size(), 4U);
}

TEST(Check, ARaceIsAViolationWithAStory) {
  const CheckResult result = checked(options_for("bad_reuse_war"));
  EXPECT_EQ(outcome_of(result.verdicts), Outcome::kViolated);
  EXPECT_EQ(outcome_of_property(result, verify::Property::kBufferRaces), Outcome::kViolated);
  ASSERT_EQ(result.failures.size(), 2U);
  EXPECT_EQ(result.failures.front().constraints.size(), 1U);
  EXPECT_EQ(result.failures.back().level, "values") << "the same buffer, told of the value that is lost";
}

TEST(Check, WhatDoesNotHoldComesWithARemedy) {
  EXPECT_TRUE(checked(options_for("diamond")).remedy.json.is_null());
  const CheckResult result = checked(options_for("bad_reuse_war"));
  EXPECT_EQ(result.remedy.json.at("kind"), "edges");
  EXPECT_EQ(result.remedy.json.at("edges"), (Json{{1, 3}}));
  EXPECT_TRUE(result.remedy.lines.front().starts_with("remedy: 1 racing pair; the first: op 1 (slow_reader)"));
}

TEST(Check, ReadsAreFollowedInWhatWasRun) {
  const CheckResult result = checked(options_for("diamond"));
  const auto flow = std::ranges::find(result.verdicts, verify::Property::kValueFlow, &verify::Verdict::property);
  ASSERT_NE(flow, result.verdicts.end());
  EXPECT_TRUE(flow->summary.ends_with(" explored, 2 simulated and 1 native run")) << flow->summary;
  EXPECT_EQ(flow->summary.find("in 0 explored"), std::string::npos);
}

// Known fault: a check of the short branch bounded the network by it.
TEST(Check, BoundsAreOfAllOutcomesAndTheRunsOfOne) {
  const TemporaryDirectory place;
  CheckOptions options = options_for(place.write("g.json", R"({"schema": "detent.graph/2", "name": "g",
    "regions": [{"name": "ws", "size": 64}], "ops": [
    {"id": 0, "name": "c", "time_ps": [1000, 1000]},
    {"id": 1, "guard": "c=then", "time_ps": [10000, 10000]},
    {"id": 2, "guard": "c=else", "time_ps": [30000, 30000]}], "edges": [[0, 1], [0, 2]]})"));
  options.model.guards = ModelOptions::Guards::kResolved;
  options.model.outcomes = "c=then";
  options.simulation.no_overheads = true;
  const LoadedModel loaded = load(options.request.model, options.model);
  const sim::Platform platform = simulated_platform(options.simulation);
  const CheckResult result = check(options, loaded, platform, {});
  EXPECT_EQ(result.simulated->max_ps, 11'000U);
  for (const verify::Bound& bound : result.bounds) {
    if (!bound.is_upper) continue;
    EXPECT_GE(bound.bound_ps, 31'000U) << bound.name;
  }
  EXPECT_EQ(outcome_of_property(result, verify::Property::kResponses), Outcome::kHolds);
  const reports::ReportData data = make_report_data(options.request, options.simulation, loaded, platform, result);
  const Json json = Json::parse(reports::report_json(data));
  EXPECT_EQ(json["outcomes"]["text"],
            "Runs and explored schedules are of outcomes c=then; bounds are of all 2 combinations of outcomes; each "
            "bound is the largest of them, so of exclusive branches the longer one counts.");
  EXPECT_EQ(json["op_times"]["sources"][0]["ops"], 3);
  EXPECT_NE(json["op_times"]["below_lower_bound"].get<std::string>().find("the runs have outcomes c=then"),
            std::string::npos);
  const auto explored = std::ranges::find(result.verdicts, verify::Property::kOpSchedules, &verify::Verdict::property);
  EXPECT_NE(explored->summary.find("; of outcomes c=then"), std::string::npos) << explored->summary;
}

TEST(Check, ABrokenStructureIsNotRun) {
  const CheckResult result = checked(options_for("bad_cycle"));
  EXPECT_EQ(outcome_of_property(result, verify::Property::kStructure), Outcome::kViolated);
  EXPECT_EQ(outcome_of_property(result, verify::Property::kBufferRaces), Outcome::kUnknown);
  EXPECT_FALSE(result.native);
  EXPECT_FALSE(result.simulated);
}

TEST(Check, TimingOnlyExecutesNoKernel) {
  CheckOptions options = options_for("diamond");
  options.simulation.timing_only = true;
  const CheckResult result = checked(options);
  EXPECT_FALSE(result.native);
  EXPECT_EQ(result.simulated->executed_runs, 0U);
  EXPECT_EQ(result.schedules.note, "no kernel was executed: orders of ops are judged without runs only");
}

TEST(Check, ZeroSchedulesGiveNoCoverGoalsVerdict) {
  CheckOptions options = options_for("diamond");
  options.schedules = 0;
  const CheckResult result = checked(options);
  EXPECT_EQ(result.schedules.note, "no schedules were explored: --schedules 0");
  EXPECT_TRUE(
      std::ranges::none_of(result.verdicts, [](const auto& v) { return v.property == verify::Property::kCoverGoals; }));
}

TEST(Check, ReportHasTheAssumptionsBehindItsFigures) {
  CheckOptions options = options_for("diamond");
  options.simulation.migrating = true;
  options.request.reproducible = true;
  const sim::Platform platform = simulated_platform(options.simulation);
  const LoadedModel loaded = load("diamond", {});
  const CheckResult result = check(options, loaded, platform, {});
  const reports::ReportData data = make_report_data(options.request, options.simulation, loaded, platform, result);
  const auto says = [&](const std::string& subject, const std::string& text) {
    return std::ranges::any_of(data.assumptions, [&](const reports::Assumption& a) {
      return a.key == subject && a.text.find(text) != std::string::npos;
    });
  };
  EXPECT_TRUE(says("workers", "move to an idle core"));
  EXPECT_TRUE(says("op times", "uniform:0.1"));
  EXPECT_TRUE(says("simulation", "optimistic"));
  for (const reports::TimelineRun& run : data.timelines) EXPECT_EQ(run.title.find("native"), std::string::npos);
}

TEST(BoundModel, MethodsAreAskedForByName) {
  BoundRequest request;
  request.request.model = "diamond";
  request.cores = "2";
  const Answer all = bound_model(request);
  EXPECT_EQ(all.json["methods"].size(), 7U);
  EXPECT_EQ(all.outcome, Outcome::kHolds);
  request.method = "serial";
  const Answer serial = bound_model(request);
  EXPECT_EQ(serial.json["methods"].size(), 3U);
  ASSERT_EQ(serial.lines.size(), 8U) << "three methods, and four ops under their heading";
  EXPECT_EQ(serial.lines[2],
            "serial              40.0 µs  upper bound: all ops one after another; an op runs whenever the run is "
            "unfinished; op times at most their worst, overheads included");
}

}  // namespace
}  // namespace detent::app
