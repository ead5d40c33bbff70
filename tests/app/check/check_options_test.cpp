#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "app/bound/bound_model.hpp"
#include "app/check/check.hpp"
#include "app/runs/simulated_run.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

using verify::Outcome;

CheckOptions check_of(const std::string& model) {
  CheckOptions options;
  options.request = {.model = model, .seeds = {.schedule = 1}};
  options.simulation.cores = "2";
  options.simulation.runs = 6;
  options.schedules = 0;  // the schedules are another test's subject
  return options;
}

CheckResult result_of(const CheckOptions& options, const OnProgress& on_progress = {}) {
  const LoadedModel loaded = load(options.request.model, options.model);
  return check(options, loaded, simulated_platform(options.simulation), on_progress);
}

Outcome outcome_on(const CheckResult& result, verify::Property property) {
  const auto place = std::ranges::find(result.verdicts, property, &verify::Verdict::property);
  if (place == result.verdicts.end()) ADD_FAILURE() << "no verdict on " << verify::property_name(property);
  return place == result.verdicts.end() ? Outcome::kUnknown : place->outcome;
}

TEST(CheckOptionsByEffect, WorkersAreThoseOfTheNativeRunAndOfTheChip) {
  CheckOptions options = check_of("wide:6");
  options.simulation.jitter = "worst";
  options.schedule.engine.workers = 1;
  const CheckResult one = result_of(options);
  options.schedule.engine.workers = 2;
  const CheckResult two = result_of(options);
  EXPECT_EQ(one.native_workers, 1U);
  EXPECT_EQ(two.native_workers, 2U);
  EXPECT_LT(two.simulated->max_ps, one.simulated->max_ps);
}

TEST(CheckOptionsByEffect, WorkersThatAreNotGivenAreTheRuntimesOwn) {
  EXPECT_EQ(result_of(check_of("diamond")).native_workers, detent_default_worker_count());
}

TEST(CheckOptionsByEffect, MoreWorkersThanCoresAreRefused) {
  CheckOptions options = check_of("diamond");
  options.schedule.engine.workers = 3;
  EXPECT_EQ(refusal_of([&] { return result_of(options).bounds.size(); }),
            "workers: 3 on platform 'plain', which has 2 CPU cores; ask for at most that many");
}

TEST(CheckOptionsByEffect, GivenOrderIsFollowedNativelyAndInSimulation) {
  const TemporaryDirectory place;
  CheckOptions options = check_of("diamond");
  options.schedule.engine.workers = 1;
  options.schedule.engine.policy = "given";
  options.schedule.order_file = place.write("order", "0 2 1 3");
  const CheckResult result = result_of(options);
  for (const harness::Run* run : {&*result.native, &result.simulated->worst}) {
    std::vector<std::uint32_t> began;
    for (const harness::Span& span : run->trace.spans) began.push_back(span.op);
    EXPECT_EQ(began, (std::vector<std::uint32_t>{0, 2, 1, 3}));
  }
}

TEST(CheckOptionsByEffect, WorstJitterLeavesOneTimeAndASpreadMore) {
  CheckOptions options = check_of("diamond");
  options.simulation.jitter = "worst";
  const CheckResult worst = result_of(options);
  EXPECT_EQ(worst.simulated->min_ps, worst.simulated->max_ps);
  options.simulation.jitter = "uniform:0.5";
  const CheckResult spread = result_of(options);
  EXPECT_LT(spread.simulated->min_ps, spread.simulated->max_ps);
}

TEST(CheckOptionsByEffect, InputSeedChangesTheBytesAndNoVerdict) {
  CheckOptions options = check_of("diamond");
  const CheckResult one = result_of(options);
  options.request.seeds.input = 8;
  const CheckResult other = result_of(options);
  EXPECT_NE(one.native->digest, other.native->digest);
  EXPECT_EQ(other.native->digest, other.simulated->digests.front());
  EXPECT_EQ(outcome_of(one.verdicts), outcome_of(other.verdicts));
}

TEST(CheckOptionsByEffect, ProgressCountsEverySimulatedRun) {
  std::uint64_t last = 0, all = 0;
  static_cast<void>(result_of(check_of("diamond"), [&](std::uint64_t done, std::uint64_t total) {
    EXPECT_GE(done, last);
    last = done;
    all = total;
  }));
  EXPECT_EQ(all, 12U) << "six of the search";
  EXPECT_EQ(last, all);
}

TEST(CheckOptionsByEffect, OfVeryManyOpsFewerRunsAreSimulated) {
  EXPECT_EQ(scaled_runs(200, 1), 200U);
  EXPECT_EQ(scaled_runs(200, 20'000), 200U);
  EXPECT_EQ(scaled_runs(200, 40'000), 100U);
  EXPECT_EQ(scaled_runs(200, 1'000'000), 20U) << "enough to say something";
  EXPECT_EQ(scaled_runs(5, 1'000'000), 5U) << "never more than asked for";
  EXPECT_EQ(scaled_runs(200, 0), 200U);
}

TEST(CheckOptionsByEffect, StepsAreTold) {
  CheckOptions options = check_of("diamond");
  std::vector<std::string> steps;
  options.on_step = [&](const std::string& step) { steps.push_back(step); };
  result_of(options);
  EXPECT_EQ(steps, (std::vector<std::string>{"checks the memory plan", "looks for races", "follows the values",
                                             "runs natively", "simulates and bounds", "explores schedules"}));
}

TEST(CheckResultOf, NoUpperBoundIsBelowASimulatedRun) {
  for (const char* model : {"diamond", "wide:6", "chain:5", "erdos:2:12"}) {
    const CheckResult result = result_of(check_of(model));
    std::uint32_t upper = 0;
    for (const verify::Bound& bound : result.bounds) {
      if (!bound.is_upper) continue;
      ++upper;
      EXPECT_GE(bound.bound_ps, result.simulated->max_ps) << model << " " << bound.name;
      EXPECT_FALSE(bound.assumptions.empty()) << bound.name;
    }
    EXPECT_GT(upper, 0U) << model;
    EXPECT_EQ(outcome_on(result, verify::Property::kBound), Outcome::kHolds) << model;
  }
}

TEST(CheckResultOf, DeterminismComparesEachRunWithTheSerialOne) {
  const CheckResult result = result_of(check_of("diamond"));
  ASSERT_TRUE(result.determinism);
  EXPECT_EQ(result.determinism->serial_digest, result.native->digest);
  std::set<std::string> kinds;
  for (const verify::DigestRun& run : result.determinism->runs) {
    EXPECT_EQ(run.digest, result.determinism->serial_digest) << run.how;
    kinds.insert(run.how);
  }
  EXPECT_GT(kinds.size(), 8U) << "modes, workers, policies and orders differ";
}

/// Runs leave ops out as the values of their input say, and no bound or response may count on an op that is left out.
TEST(CheckResultOf, RunsThatTakeTheirDecisionsStayWithinTheBoundsOfAllOutcomes) {
  for (const char* model : {"cascade:16", "refine", "fallback:16"}) {
    CheckOptions options = check_of(model);
    options.simulation.cores = "cpu=4,npu=1";
    options.simulation.runs = 100;  // more than those that execute kernels where no value decides
    const CheckResult result = result_of(options);
    for (const verify::Verdict& verdict : result.verdicts) {
      EXPECT_NE(verdict.outcome, Outcome::kViolated) << model << ": " << verdict.summary;
    }
    EXPECT_FALSE(result.guarded_bounds.empty()) << model;
  }
}

/// Each set of failures that a run survives has outcomes, and no run with it takes longer than the bound of those.
TEST(CheckResultOf, FailuresThatARunSurvivesStayWithinTheBoundOfTheirOutcomes) {
  BoundRequest wanted;
  wanted.request.model = "fallback:16";
  const Json bounds = bound_model(wanted).json.at("outcomes").at("bounds");
  ASSERT_EQ(bounds.size(), 4U);
  std::set<std::string> digests;
  for (const Json& bound : bounds) {
    const auto outcomes = bound.at("outcomes").get<std::string>();
    SimulateRequest options;
    options.request = {.model = "fallback:16", .seeds = {.schedule = 1}};
    options.simulation.runs = 100;
    for (const auto& [op, name] : {std::pair{1U, "first.npu=fails"}, {6U, "second.npu=fails"}}) {
      if (outcomes.find(name) != std::string::npos) options.faults.values[0].push_back(std::to_string(op));
    }
    SimulationStart start = start_simulation(options, {});
    const Answer run = simulate(options, start.loaded, start.platform, nullptr, {});
    EXPECT_NE(run.outcome, Outcome::kViolated) << outcomes;
    EXPECT_LE(run.json.at("makespan_ps").at("max").get<std::uint64_t>(), bound.at("bound_ps").get<std::uint64_t>())
        << outcomes;
    EXPECT_EQ(run.json.at("executed_runs"), 100) << outcomes;
    digests.insert(run.json.value("digest", run.json.dump()));
  }
  EXPECT_EQ(digests.size(), 1U);
}

TEST(CheckResultOf, PlanThatSharesLiveBytesIsViolatedAndNotRun) {
  const CheckResult result = result_of(check_of("bad_overlap"));
  EXPECT_EQ(outcome_on(result, verify::Property::kMemoryPlan), Outcome::kViolated);
  EXPECT_EQ(outcome_of(result.verdicts), Outcome::kViolated);
  EXPECT_FALSE(result.native);
  EXPECT_FALSE(result.simulated);
  EXPECT_TRUE(result.bounds.empty());
}

/// With the other outcome an op reads what no op writes, and the runtime takes nothing of the network.
TEST(CheckResultOf, OutcomesWithWhichNothingCanBeginAreViolatedAndNotRun) {
  const TemporaryDirectory directory;
  const std::string file = directory.file("net.json");
  std::ofstream(file) << R"({"schema": "detent.graph/2", "deadline": "5us",
    "buffers": [{"name": "b", "size": 16}, {"name": "y", "size": 16, "role": "output"}],
    "ops": [{"id": 0, "time_ps": 100}, {"id": 1, "time_ps": 100, "guard": "c0=then", "writes": [{"buffer": "b"}]},
            {"id": 2, "time_ps": 100, "reads": [{"buffer": "b"}], "writes": [{"buffer": "y"}]}],
    "edges": [[0, 1], [1, 2]]})";
  CheckOptions options = check_of(file);
  options.model.guards = ModelOptions::Guards::kResolved;
  options.model.outcomes = "c0=other";
  const CheckResult result = result_of(options);
  EXPECT_EQ(outcome_on(result, verify::Property::kValueFlow), Outcome::kViolated);
  EXPECT_EQ(outcome_on(result, verify::Property::kSimulation), Outcome::kViolated);
  EXPECT_EQ(outcome_on(result, verify::Property::kDeadline), Outcome::kUnknown);
  EXPECT_EQ(outcome_on(result, verify::Property::kDeterminism), Outcome::kUnknown);
  EXPECT_FALSE(result.native);
  EXPECT_FALSE(result.simulated);
  options.model.outcomes = "c0=then";
  EXPECT_TRUE(result_of(options).simulated);
}

TEST(CheckResultOf, EachVerdictSaysWhatItIsAbout) {
  for (const char* model : {"diamond", "bad_cycle", "bad_reuse_waw", "bad_out_of_arena"}) {
    std::set<verify::Property> properties;
    for (const verify::Verdict& verdict : result_of(check_of(model)).verdicts) {
      EXPECT_TRUE(properties.insert(verdict.property).second)
          << model << " twice: " << verify::property_name(verdict.property);
      EXPECT_FALSE(verdict.summary.empty()) << model << " " << verify::property_name(verdict.property);
      EXPECT_EQ(verdict.outcome == Outcome::kViolated, !verdict.witnesses.empty())
          << model << " " << verify::property_name(verdict.property);
    }
  }
}

}  // namespace
}  // namespace detent::app
