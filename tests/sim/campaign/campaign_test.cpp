// Parts of campaigns against the whole: known runs, parts, seeds that are given.
#include <gtest/gtest.h>

#include <stdexcept>

#include "sim/cost/jitter.hpp"
#include "sim/simulate.hpp"
#include "tests/sim/graph.hpp"

namespace detent::sim::test {
namespace {

constexpr RandomGraphOptions kPartGraphs{
    .max_ops = 30, .max_time_ps = 1000, .npu = true, .delays = true, .range = true};

SimOptions campaign_options(std::uint64_t runs) {
  SimOptions options;
  options.runs = runs;
  options.seeds.schedule = 5;
  options.jitter.core_correlation = 0.5;
  return options;
}

class Parts : public testing::Test {
 protected:
  Parts() : tables_(random_graph(3, kPartGraphs)), platform_(find_platform("quad_npu")) {}
  SimResult run(const SimOptions& options) { return simulate(tables_.desc(), platform_, options); }
  GraphDesc tables_;
  Platform platform_;
};

TEST_F(Parts, PartsOfACampaignAreItsRuns) {
  const SimResult whole = run(campaign_options(20));
  std::vector<std::uint64_t> joined;
  for (const RunRange part : {RunRange{0, 7}, RunRange{7, 1}, RunRange{8, 12}}) {
    SimOptions options = campaign_options(20);
    options.part = part;
    std::vector<std::uint64_t> reported;
    options.on_run = [&](const RunOutcome& outcome) {
      EXPECT_EQ(outcome.run, part.first + reported.size());
      EXPECT_EQ(outcome.digest.has_value(), outcome.run < options.execute_runs);
      reported.push_back(outcome.makespan_ps);
    };
    const SimResult result = run(options);
    ASSERT_FALSE(result.failure) << *result.failure;
    EXPECT_EQ(result.makespans_ps, reported);
    EXPECT_EQ(result.executed_runs, part.first == 0 ? 3U : 0U);
    EXPECT_EQ(result.worst_seed, run_seed(5, result.worst_run));
    EXPECT_GE(result.worst_run, part.first);
    joined.insert(joined.end(), reported.begin(), reported.end());
  }
  EXPECT_EQ(joined, whole.makespans_ps);
}

TEST_F(Parts, KnownRunsAreTakenAndTheRestIsSimulated) {
  const SimResult whole = run(campaign_options(20));
  for (const std::size_t count : {0U, 1U, 13U, 20U}) {
    KnownRuns known{{whole.makespans_ps.begin(), whole.makespans_ps.begin() + static_cast<std::ptrdiff_t>(count)},
                    whole.digests};
    SimOptions options = campaign_options(20);
    options.known = &known;
    std::uint64_t simulated = 0;
    options.on_run = [&](const RunOutcome& outcome) { EXPECT_EQ(outcome.run, count + simulated++); };
    const SimResult result = run(options);
    ASSERT_FALSE(result.failure) << *result.failure;
    EXPECT_EQ(simulated, 20 - count);
    EXPECT_EQ(result.makespans_ps, whole.makespans_ps);
    EXPECT_EQ(result.digests, whole.digests);
    EXPECT_EQ(result.worst.trace.spans.size(), whole.worst.trace.spans.size());
    EXPECT_EQ(result.executed_runs, whole.executed_runs);
    EXPECT_EQ(result.mean_ps, whole.mean_ps);
    EXPECT_TRUE(known.makespans_ps.empty()) << "8 bytes per run, once";
  }
}

TEST_F(Parts, AKnownRunThatTheSimulatorDoesNotRepeatIsAFailure) {
  SimResult whole = run(campaign_options(20));
  KnownRuns known{whole.makespans_ps, {}};
  ++known.makespans_ps[whole.worst_run];
  SimOptions options = campaign_options(20);
  options.known = &known;
  const SimResult result = run(options);
  ASSERT_TRUE(result.failure);
  EXPECT_NE(result.failure->find("repeated with a trace"), std::string::npos);
}

TEST_F(Parts, WorstRunsAreRepeatedByTheirSeeds) {
  SimOptions options = campaign_options(50);
  options.keep_worst = 4;
  const SimResult whole = run(options);
  ASSERT_EQ(whole.worst_runs.size(), 4U);
  EXPECT_EQ(whole.worst_runs[0].makespan_ps, whole.max_ps);
  SimOptions again = campaign_options(4);
  again.with_traces = false;
  for (const RankedRun& ranked : whole.worst_runs) {
    EXPECT_EQ(ranked.makespan_ps, whole.makespans_ps[ranked.run]);
    SimOptions alone = campaign_options(1);
    alone.seeds.schedule = ranked.seed;
    EXPECT_EQ(run(alone).max_ps, ranked.makespan_ps);
    again.run_seeds.push_back(ranked.seed);
  }
  const SimResult repeated = run(again);
  EXPECT_TRUE(repeated.worst.trace.spans.empty());
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(repeated.makespans_ps[i], whole.worst_runs[i].makespan_ps);
}

TEST_F(Parts, ImpossiblePartsAreRefused) {
  SimOptions options = campaign_options(10);
  for (const RunRange part : {RunRange{10, 1}, RunRange{0, 11}, RunRange{5, UINT64_MAX}}) {
    options.part = part;
    EXPECT_THROW(run(options), std::invalid_argument);
  }
  options.part = {};
  options.run_seeds = {1, 2};
  EXPECT_THROW(run(options), std::invalid_argument);
  options.run_seeds.clear();
  KnownRuns known{std::vector<std::uint64_t>(11), {}};
  options.known = &known;
  EXPECT_THROW(run(options), std::invalid_argument);
}

TEST_F(Parts, ExceptionOfOnRunReachesTheCaller) {
  SimOptions options = campaign_options(10);
  options.on_run = [](const RunOutcome&) { throw std::runtime_error("disk full"); };
  EXPECT_THROW(run(options), std::runtime_error);
  EXPECT_FALSE(run(campaign_options(2)).failure);
}

}  // namespace
}  // namespace detent::sim::test
