// Synthesised lists against every order on every core, which shares nothing with the search.
#include "verify/synthesis/synthesize.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "base/random.hpp"
#include "tests/build.hpp"
#include "tests/verify/timing/list_schedule.hpp"
#include "verify/synthesis/deadline_search.hpp"
#include "verify/synthesis/windows.hpp"

namespace detent::verify {
namespace {

using namespace testing;

const int kRounds = kIsInstrumented ? 30 : 200;

/// Ops in every order that edges allow, each on every core of its class, as early as that lets them.
class EveryList {
 public:
  explicit EveryList(const TimingProblem& problem)
      : problem_(problem), end_(problem.ops.size(), 0), done_(problem.ops.size(), false), before_(problem.ops.size()) {
    for (std::uint32_t op = 0; op < problem.ops.size(); ++op) {
      for (std::uint32_t k = problem.first[op]; k < problem.first[op + 1]; ++k)
        before_[problem.targets[k]].push_back(op);
    }
    for (const std::uint32_t cores : problem.cores) free_.emplace_back(cores, 0);
  }

  std::uint64_t shortest() {
    place(0, 0);
    return best_;
  }

 private:
  void place(std::size_t count, std::uint64_t makespan) {
    if (makespan >= best_) return;
    if (count == problem_.ops.size()) {
      best_ = makespan;
      return;
    }
    for (std::uint32_t op = 0; op < problem_.ops.size(); ++op) {  // what takes no core has no choice
      if (!may_place(op) || !free_[problem_.ops[op].core_class].empty()) continue;
      done_[op] = true;
      end_[op] = ready_at(op) + problem_.ops[op].worst_ps;
      place(count + 1, std::max(makespan, end_[op]));
      done_[op] = false;
      return;
    }
    for (std::uint32_t op = 0; op < problem_.ops.size(); ++op) {
      if (!may_place(op)) continue;
      const std::uint64_t ready = ready_at(op);
      done_[op] = true;
      std::vector<std::uint64_t>& cores = free_[problem_.ops[op].core_class];
      for (std::size_t core = 0; core < cores.size(); ++core) {
        const std::uint64_t before = cores[core];
        cores[core] = end_[op] = std::max(ready, before) + problem_.ops[op].worst_ps;
        place(count + 1, std::max(makespan, end_[op]));
        cores[core] = before;
      }
      done_[op] = false;
    }
  }

  [[nodiscard]] bool may_place(std::uint32_t op) const {
    return !done_[op] && std::ranges::all_of(before_[op], [&](std::uint32_t p) { return done_[p]; });
  }

  [[nodiscard]] std::uint64_t ready_at(std::uint32_t op) const {
    std::uint64_t ready = 0;
    for (const std::uint32_t p : before_[op]) ready = std::max(ready, end_[p]);
    return ready;
  }

  const TimingProblem& problem_;
  std::vector<std::uint64_t> end_;
  std::vector<bool> done_;
  std::vector<std::vector<std::uint32_t>> before_;
  std::vector<std::vector<std::uint64_t>> free_;
  std::uint64_t best_ = UINT64_MAX;
};

struct ProblemSize {
  std::uint32_t fewest_ops = 2, most_ops = 6;
  std::uint32_t density_tenths = 6;  ///< of all edges that there could be; less than this
};

/// A few ops on one or two classes, some of no time, with delays and releases between them.
TimingProblem random_typed_problem(RandomSource& random, const ProblemSize& size = {}) {
  TimingProblem problem;
  const std::uint32_t kinds = 1 + random.below(2);
  const std::uint32_t ops = size.fewest_ops + random.below(size.most_ops - size.fewest_ops + 1);
  for (std::uint32_t i = 0; i < kinds; ++i) problem.cores.push_back(1 + random.below(3));
  problem.cores.push_back(0);
  const bool has_delays = random.below(2) == 0, has_instants = random.below(3) == 0;
  const std::uint32_t density = random.below(size.density_tenths);
  std::vector<std::vector<std::uint32_t>> after(ops);
  for (std::uint32_t i = 0; i < ops; ++i) {
    const std::uint64_t time = has_instants && random.below(4) == 0 ? 0 : 1 + random.below(9);
    problem.ops.push_back({.best_ps = time / 2, .worst_ps = time, .core_class = random.below(kinds)});
  }
  const auto add_delay = [&](std::uint32_t to) {
    const std::uint64_t time = 1 + random.below(6);
    problem.ops.push_back({.best_ps = 0, .worst_ps = time, .core_class = kinds});
    after.push_back({to});
    return static_cast<std::uint32_t>(after.size()) - 1;
  };
  for (std::uint32_t to = 0; to < ops; ++to) {
    if (has_delays && random.below(5) == 0) static_cast<void>(add_delay(to));
    for (std::uint32_t from = 0; from < to; ++from) {
      if (random.below(10) >= density) continue;
      const std::uint32_t target = has_delays && random.below(3) == 0 ? add_delay(to) : to;
      after[from].push_back(target);
    }
  }
  problem.first.push_back(0);
  for (const std::vector<std::uint32_t>& targets : after) {
    problem.targets.insert(problem.targets.end(), targets.begin(), targets.end());
    problem.first.push_back(static_cast<std::uint32_t>(problem.targets.size()));
  }
  return problem;
}

/// Each op of a bounded class once, in the list of a core of its class; as many lists as cores.
void expect_whole(const TimingProblem& problem, const std::vector<CoreList>& lists) {
  std::vector<int> seen(problem.ops.size(), 0);
  std::vector<std::uint32_t> cores(problem.cores.size(), 0);
  for (const CoreList& list : lists) {
    ++cores[list.core_class];
    for (const std::uint32_t op : list.ops) {
      ++seen[op];
      EXPECT_EQ(problem.ops[op].core_class, list.core_class);
    }
  }
  EXPECT_EQ(cores, problem.cores);
  for (std::uint32_t op = 0; op < seen.size(); ++op) {
    EXPECT_EQ(seen[op], problem.cores[problem.ops[op].core_class] == 0 ? 0 : 1) << "op " << op;
  }
}

TEST(Synthesize, EqualsTheBestOfEveryOrderOnEveryCore) {
  RandomSource random(20261127);
  for (int round = 0; round < kRounds; ++round) {
    const TimingProblem problem = random_typed_problem(random);
    const std::uint64_t best = EveryList(problem).shortest();
    const Synthesis found = synthesize(problem);
    EXPECT_TRUE(found.is_optimal);
    EXPECT_EQ(found.makespan_ps, best);
    EXPECT_EQ(found.lower_bound_ps, best);
    expect_whole(problem, found.lists);
    EXPECT_EQ(list_times(problem, found.lists).worst_ps, best);
    if (HasFailure()) FAIL() << "round " << round;
  }
}

/// An op of 1 before four of 3 on two cores, and an op of 2 behind them all.
TimingProblem fork_join_problem() {
  TimingProblem problem{
      .ops = {{.worst_ps = 1}}, .first = {0, 4}, .targets = {1, 2, 3, 4}, .cores = {2}, .exclusive = {}};
  for (int op = 0; op < 4; ++op) {
    problem.ops.push_back({.worst_ps = 3});
    problem.targets.push_back(5);
    problem.first.push_back(static_cast<std::uint32_t>(problem.targets.size()));
  }
  problem.ops.push_back({.worst_ps = 2});
  problem.first.push_back(problem.first.back());
  return problem;
}

TEST(WorkAroundJobs, CountsWhatSharesTheCoresBeforeAndBehindAJob) {
  JobGraph graph = job_graph(fork_join_problem());
  EXPECT_EQ(graph.tail[0], 5) << "a path: 3 and 2";
  EXPECT_EQ(graph.head[5], 4);
  count_work_around_jobs(graph);
  EXPECT_EQ(graph.tail[0], 8) << "four of 3 on two cores take 6";
  EXPECT_EQ(graph.head[5], 7);
  EXPECT_EQ(graph.tail[5], 0);
  EXPECT_EQ(graph.tail[1], 2) << "nothing but the last follows one of the four";
}

/// Windows of paths alone, so that the search itself has something to refute.
Windows path_windows(const JobGraph& graph, Ticks deadline) {
  Windows windows{.earliest = graph.head, .latest = {}};
  for (std::uint32_t job = 0; job < graph.size(); ++job) {
    windows.latest.push_back(deadline - graph.tail[job] - graph.work[job]);
  }
  return windows;
}

TEST(DeadlineSearch, FindsTheBestAndRefutesWhatIsBelowInBothDirections) {
  RandomSource random(11);
  for (int round = 0; round < kRounds; ++round) {
    const TimingProblem problem = random_typed_problem(random);
    const JobGraph graph = job_graph(problem);
    const auto best = static_cast<Ticks>(EveryList(problem).shortest() / graph.unit_ps);
    for (const JobGraph& one : {graph, reversed(graph)}) {
      const DeadlineAnswer found = search_by_deadline(one, path_windows(one, best), {.nodes = 100'000});
      ASSERT_EQ(found.outcome, Searched::kFound) << "round " << round;
      EXPECT_EQ(found.schedule->makespan, best) << "round " << round;
      if (best == one.least) continue;
      EXPECT_TRUE(windows_of(one, best, 4, {}).has_value()) << "round " << round;
      const Windows shorter = path_windows(one, best - 1);
      if (!std::ranges::equal(shorter.earliest, shorter.latest, [](Ticks a, Ticks b) { return a <= b; })) continue;
      EXPECT_EQ(search_by_deadline(one, shorter, {.nodes = 100'000}).outcome, Searched::kRefuted) << "round " << round;
    }
  }
}

/// A schedule read backwards is one of the reversed graph, in which the search meets other states in another order.
TEST(DeadlineSearch, SaysTheSameOfAGraphAndOfItsReverse) {
  RandomSource random(4);
  for (int round = 0; round < 5 * kRounds; ++round) {
    const JobGraph graph =
        job_graph(random_typed_problem(random, {.fewest_ops = 12, .most_ops = 24, .density_tenths = 3}));
    const JobGraph backwards = reversed(graph);
    Searched outcome = Searched::kRefuted;
    for (Ticks deadline = graph.least; outcome == Searched::kRefuted; ++deadline) {
      const Windows windows = path_windows(graph, deadline);
      if (!std::ranges::equal(windows.earliest, windows.latest, [](Ticks a, Ticks b) { return a <= b; })) continue;
      outcome = search_by_deadline(graph, windows, {.nodes = 10'000}).outcome;
      const DeadlineAnswer other = search_by_deadline(backwards, path_windows(backwards, deadline), {.nodes = 10'000});
      if (outcome == Searched::kUndecided || other.outcome == Searched::kUndecided) break;
      ASSERT_EQ(other.outcome, outcome) << "round " << round << ", deadline " << deadline;
      if (outcome == Searched::kFound) ASSERT_LE(other.schedule->makespan, deadline);
    }
  }
}

TEST(Synthesize, NothingIsClaimedThatALimitLeftOpen) {
  RandomSource random(5);
  int open = 0;
  for (int round = 0; round < kRounds; ++round) {
    const TimingProblem problem = random_typed_problem(random);
    const std::uint64_t best = EveryList(problem).shortest();
    const Synthesis stopped = synthesize(problem, {.max_nodes = 0, .must_stop = [] { return true; }});
    EXPECT_LE(stopped.lower_bound_ps, best);
    EXPECT_GE(stopped.makespan_ps, best);
    EXPECT_EQ(stopped.is_optimal, stopped.lower_bound_ps == stopped.makespan_ps);
    expect_whole(problem, stopped.lists);
    open += stopped.is_optimal ? 0 : 1;
    if (HasFailure()) FAIL() << "round " << round;
  }
  EXPECT_GT(open, 0);
}

/// Graham 1969, figure 1: nine jobs on three cores need 12 and no less.
TEST(Synthesize, GrahamsExampleIsOptimal) {
  const TimingProblem problem = make_problem({3, 2, 2, 2, 4, 4, 4, 4, 9}, {{0, 8}, {3, 4}, {3, 5}, {3, 6}, {3, 7}}, 3);
  const Synthesis found = synthesize(problem);
  EXPECT_TRUE(found.is_optimal);
  EXPECT_EQ(found.makespan_ps, 12U);
}

/// A core has to wait: op 0 at once would keep the only core from the long chain behind op 1.
TEST(Synthesize, ACoreMayStayIdleBesideAReadyOp) {
  TimingProblem problem = make_problem({10, 1, 20}, {{1, 2}}, 1);
  problem.cores = {1, 1, 0};
  problem.ops[2].core_class = 1;
  problem.ops.push_back({.best_ps = 1, .worst_ps = 1, .core_class = 2});  // op 1 is released at 1
  problem.first = {0, 0, 1, 1, 2};
  problem.targets = {2, 1};
  const Synthesis found = synthesize(problem);
  EXPECT_TRUE(found.is_optimal);
  EXPECT_EQ(found.makespan_ps, 22U);
}

TEST(Synthesize, OpsOfAMutexMustBeOrdered) {
  TimingProblem problem = make_problem({3, 2, 1}, {{0, 1}}, 2);
  problem.exclusive = {{1, 0}};
  EXPECT_EQ(synthesize(problem).makespan_ps, 5U);
  problem.exclusive = {{0, 2}};
  EXPECT_THROW(synthesize(problem), std::invalid_argument);
}

TEST(Synthesize, WhatIsNotKnownOrTooLongIsRefused) {
  TimingProblem problem = make_problem({3, 2}, {}, 2);
  problem.ops[0].worst_ps = kUnknownPs;
  EXPECT_THROW(synthesize(problem), std::invalid_argument);
  problem.ops[0].worst_ps = (std::uint64_t{1} << 62U) + 1;
  problem.ops[1].worst_ps = 2;
  EXPECT_THROW(synthesize(problem), std::invalid_argument);
}

/// Windows of billions of ticks are not narrowed tick by tick: this ends at its limit of nodes.
TEST(Synthesize, TimesOfManyTicksHaveAnEnd) {
  RandomSource random(7);
  std::vector<std::uint64_t> times;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t op = 0; op < 60; ++op) {
    times.push_back(1'000'000'000 + random.below(1'000'000'000));
    for (std::uint32_t from = op - std::min(op, 6U); from < op; ++from) {
      if (random.below(4) == 0) edges.emplace_back(from, op);
    }
  }
  const Synthesis found = synthesize(make_problem(times, edges, 2), {.max_nodes = 2'000});
  EXPECT_LE(found.lower_bound_ps, found.makespan_ps);
  EXPECT_GT(found.lower_bound_ps, found.makespan_ps / 2);
}

TEST(Synthesize, NoOpsTakeNoTime) {
  TimingProblem problem;
  problem.first = {0};
  problem.cores = {2};
  const Synthesis found = synthesize(problem);
  EXPECT_TRUE(found.is_optimal);
  EXPECT_EQ(found.makespan_ps, 0U);
  EXPECT_EQ(found.lists.size(), 2U);
}

}  // namespace
}  // namespace detent::verify
