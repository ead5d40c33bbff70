// The search for long runs, by itself and in campaigns.
#include "sim/campaign/run_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>

#include "sim/simulate.hpp"
#include "tests/sim/graph.hpp"

namespace detent::sim::test {
namespace {

using Times = std::vector<std::uint64_t>;

/// All runs of a search over ops that run one after another; `makespan` says how long a run is.
std::vector<ChosenRun> runs_of(RunSearch& search, const std::function<std::uint64_t(const ChosenRun&)>& makespan) {
  std::vector<ChosenRun> runs;
  while (const auto run = search.next()) {
    SeenTimes seen;
    std::uint64_t now = 0;
    for (const std::uint64_t time_ps : run->times_ps) {
      seen.begin_ps.push_back(now);
      seen.end_ps.push_back(now += time_ps);
    }
    runs.push_back(*run);
    search.tell(makespan(*run), seen);
  }
  return runs;
}

std::uint64_t sum_of(const ChosenRun& run) {
  return std::accumulate(run.times_ps.begin(), run.times_ps.end(), std::uint64_t{0});
}

TEST(RunSearch, BeginsWithAllWorstThenEachOpAloneThenCorners) {
  RunSearch search({{1, 4}, {5, 5}, {2, 6}}, 100, 7);
  const auto runs = runs_of(search, sum_of);
  ASSERT_GE(runs.size(), 4U);
  EXPECT_EQ(runs[0].times_ps, (Times{4, 5, 6}));
  EXPECT_EQ(runs[1].times_ps, (Times{1, 5, 6}));
  EXPECT_EQ(runs[2].times_ps, (Times{4, 5, 2}));
  EXPECT_EQ(runs[3].times_ps, (Times{1, 5, 2})) << "the one corner of two ops";
  EXPECT_EQ(search.all_worst_ps(), 15U);
  EXPECT_EQ(search.longest_ps(), 15U);
  EXPECT_EQ(search.longest().times_ps, (Times{4, 5, 6}));
  EXPECT_EQ(search.runs(), runs.size());
}

TEST(RunSearch, StaysWithinRangesAndBudget) {
  const std::vector<OpTime> ranges = {{1, 40}, {5, 50}, {2, 60}, {7, 7}, {0, 9}};
  for (const std::uint64_t budget : {1U, 2U, 5U, 37U, 300U}) {
    RunSearch search(ranges, budget, budget);
    const auto runs = runs_of(search, [](const ChosenRun& run) { return run.times_ps[0] + 60 - run.times_ps[2]; });
    EXPECT_LE(runs.size(), budget);
    for (const ChosenRun& run : runs) {
      for (std::size_t op = 0; op < ranges.size(); ++op) {
        EXPECT_GE(run.times_ps[op], ranges[op].best_ps);
        EXPECT_LE(run.times_ps[op], ranges[op].worst_ps);
      }
      const std::set<std::uint32_t> ties(run.ties.begin(), run.ties.end());
      EXPECT_EQ(ties.size(), run.ties.size());
    }
  }
}

TEST(RunSearch, FindsACornerAndLeavesOutWhatItDoesNotNeed) {
  std::vector<OpTime> ranges(12, {10, 20});
  RunSearch search(ranges, 2000, 3);
  const auto length = [](const ChosenRun& run) {
    return std::uint64_t{100} + (run.times_ps[3] == 10 && run.times_ps[9] == 10 && run.times_ps[11] == 10 ? 50 : 0);
  };
  runs_of(search, length);
  EXPECT_EQ(search.longest_ps(), 150U);
  Times wanted(12, 20);
  wanted[3] = wanted[9] = wanted[11] = 10;
  EXPECT_EQ(search.longest().times_ps, wanted);
  EXPECT_TRUE(search.longest().ties.empty());
}

TEST(RunSearch, OneRunSaysAllWhereNothingIsToBeChosen) {
  RunSearch search({{4, 4}, {5, 5}}, 100, 7);
  EXPECT_EQ(runs_of(search, sum_of).size(), 1U);
}

TEST(RunSearch, SameSeedSameRuns) {
  const std::vector<OpTime> ranges(9, {3, 30});
  RunSearch first(ranges, 400, 11), second(ranges, 400, 11);
  EXPECT_EQ(runs_of(first, sum_of), runs_of(second, sum_of));
}

/// Graham 1969, figure 1: ops that take one less make the run longer.
Graph anomaly() {
  Graph graph;
  for (const std::uint64_t worst_ps : {30U, 20U, 20U, 20U, 40U, 40U, 40U, 40U, 90U}) {
    GraphOp op;
    op.best_ps = worst_ps - 10;
    op.worst_ps = worst_ps;
    graph.push_back(op);
  }
  graph[0].successors = {8};
  graph[3].successors = {4, 5, 6, 7};
  return graph;
}

std::string search_refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::invalid_argument& refused) {
    return refused.what();
  }
  return "";
}

TEST(SearchedCampaign, FindsGrahamsAnomalyAndRepeatsIt) {
  const GraphDesc tables(anomaly());
  const Platform platform = plain_platform({{"cpu", 3}});
  SimOptions options;
  options.runs = 3;
  options.search_runs = 200;
  const SimResult result = simulate(tables.desc(), platform, options);
  ASSERT_FALSE(result.failure) << *result.failure;
  ASSERT_TRUE(result.search);
  EXPECT_EQ(result.search->all_worst_ps, 120U);
  EXPECT_EQ(result.search->longest_ps, 160U);
  EXPECT_TRUE(result.is_longest_found);
  EXPECT_EQ(result.max_ps, result.search->longest_ps);
  EXPECT_EQ(result.worst.makespan_ps, result.max_ps);
  EXPECT_EQ(result.makespans_ps.size(), 3U) << "percentiles are of drawn runs";
  options.search_runs = 0;
  options.runs = 1;
  options.chosen = result.search->longest;
  const SimResult alone = simulate(tables.desc(), platform, options);
  EXPECT_EQ(alone.max_ps, result.max_ps);
  EXPECT_EQ(alone.worst_seed, result.search->longest.seed);
}

TEST(SearchedCampaign, TiesDecideWhichEndComesFirst) {
  const GraphDesc tables(anomaly());
  SimOptions options;
  options.chosen = ChosenRun{.times_ps = Times{30, 20, 20, 10, 40, 40, 40, 40, 90}};
  const auto makespan_ps = [&] { return simulate(tables.desc(), plain_platform({{"cpu", 3}}), options).max_ps; };
  EXPECT_EQ(makespan_ps(), 120U);
  options.chosen->ties = {3U};
  EXPECT_EQ(makespan_ps(), 160U);
}

TEST(SearchedCampaign, DrawnRunsAreThoseWithoutASearch) {
  const GraphDesc tables(random_graph(3, {.max_time_ps = 100, .npu = true, .delays = true, .range = true}));
  SimOptions options;
  options.runs = 20;
  options.keep_ends = true;
  const SimResult without = simulate(tables.desc(), find_platform("quad_npu"), options);
  std::uint64_t told = 0, of = 0;
  options.search_runs = 30;
  options.progress = [&](std::uint64_t done, std::uint64_t total) { told = done, of = total; };
  const SimResult with = simulate(tables.desc(), find_platform("quad_npu"), options);
  EXPECT_EQ(with.makespans_ps, without.makespans_ps);
  EXPECT_EQ(with.median_ps, without.median_ps);
  EXPECT_GE(with.max_ps, without.max_ps);
  for (std::size_t op = 0; op < with.ends.size(); ++op) EXPECT_EQ(with.ends[op].latest_ps, without.ends[op].latest_ps);
  EXPECT_EQ(told, 50U);
  EXPECT_EQ(of, 50U);
}

TEST(SearchedCampaign, OnlyAllWorstWhereDrawsOfACoreAreEqual) {
  const GraphDesc tables(anomaly());
  SimOptions options;
  options.search_runs = 200;
  options.jitter.core_correlation = 1;
  EXPECT_EQ(simulate(tables.desc(), plain_platform({{"cpu", 3}}), options).search->runs, 1U);
}

TEST(SearchedCampaign, OpsThatAlwaysTakeTheirWorstTimeHaveNoChoice) {
  const GraphDesc tables(anomaly());
  SimOptions options;
  options.search_runs = 200;
  options.jitter.kind = Jitter::Kind::kWorst;
  const SimResult result = simulate(tables.desc(), plain_platform({{"cpu", 3}}), options);
  for (std::uint32_t op = 0; op < 9; ++op) {
    EXPECT_EQ(result.search->longest.times_ps[op], tables.desc().costs[op].worst_ps);
  }
}

TEST(SearchedCampaign, RefusesTimesThatNoOpTakes) {
  const GraphDesc tables(anomaly());
  const Platform platform = plain_platform({{"cpu", 3}});
  SimOptions options;
  const auto refusal = [&](const ChosenRun& run) {
    options.chosen = run;
    return search_refusal([&] { simulate(tables.desc(), platform, options); });
  };
  ChosenRun run{.times_ps = Times{30, 20, 20, 20, 40, 40, 40, 40, 90}};
  EXPECT_EQ(refusal(run), "");
  run.times_ps[2] = 21;
  EXPECT_NE(refusal(run).find("op 2 takes 10 to 20 ps here, not 21"), std::string::npos);
  run.times_ps[2] = 9;
  EXPECT_NE(refusal(run).find("op 2 takes 10 to 20 ps here, not 9"), std::string::npos);
  run.times_ps[2] = 20;
  run.ties = {9U};
  EXPECT_NE(refusal(run).find("ties: there is no op 9"), std::string::npos);
  run.times_ps.pop_back();
  EXPECT_NE(refusal(run).find("8 for 9 ops"), std::string::npos);
}

TEST(SearchedCampaign, RefusesFaultsAndTooManyRuns) {
  const GraphDesc tables(anomaly());
  const Platform platform = plain_platform({{"cpu", 3}});
  SimOptions options;
  options.search_runs = 100'000'001;
  EXPECT_NE(search_refusal([&] { simulate(tables.desc(), platform, options); }).find("search: 100000001; give 0"),
            std::string::npos);
  options.search_runs = 1;
  options.faults.op_deadline_ps = 5;
  EXPECT_NE(search_refusal([&] { simulate(tables.desc(), platform, options); }).find("leave out the faults"),
            std::string::npos);
}

}  // namespace
}  // namespace detent::sim::test
