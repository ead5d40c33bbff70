// Times of lists against lists that are played, op after op.
#include "verify/timing/list_times.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "base/random.hpp"
#include "tests/verify/timing/list_schedule.hpp"

namespace detent::verify {
namespace {

using namespace testing;

/// Each list goes on as soon as it can; ops in no list begin when they are ready. @return  ends, by op
std::vector<std::uint64_t> played(const TimingProblem& problem, const std::vector<CoreList>& lists,
                                  const std::vector<std::uint64_t>& times) {
  std::vector<std::uint64_t> ready(times.size(), 0), end(times.size(), 0), free_at(lists.size(), 0);
  std::vector<std::size_t> at(lists.size(), 0), list_of(times.size(), lists.size());
  std::vector<std::uint32_t> left(times.size(), 0);
  for (const std::uint32_t target : problem.targets) ++left[target];
  for (std::size_t i = 0; i < lists.size(); ++i) {
    for (const std::uint32_t op : lists[i].ops) list_of[op] = i;
  }
  std::vector<bool> done(times.size(), false);
  for (std::size_t count = 0; count < times.size();) {
    const std::size_t before = count;
    for (std::uint32_t op = 0; op < times.size(); ++op) {
      const std::size_t list = list_of[op];
      if (done[op] || left[op] != 0) continue;
      if (list < lists.size() && lists[list].ops[at[list]] != op) continue;
      end[op] = std::max(ready[op], list < lists.size() ? free_at[list] : 0) + times[op];
      if (list < lists.size()) {
        free_at[list] = end[op];
        ++at[list];
      }
      for (std::uint32_t k = problem.first[op]; k < problem.first[op + 1]; ++k) {
        ready[problem.targets[k]] = std::max(ready[problem.targets[k]], end[op]);
        --left[problem.targets[k]];
      }
      done[op] = true;
      ++count;
    }
    if (count == before) throw std::logic_error("the lists of the test deadlock");
  }
  return end;
}

/// Ops dealt in their order, which every edge follows, to the cores of their classes.
std::vector<CoreList> dealt(const TimingProblem& problem, RandomSource& random) {
  std::vector<CoreList> lists;
  std::vector<std::size_t> first;
  for (std::uint32_t kind = 0; kind < problem.cores.size(); ++kind) {
    first.push_back(lists.size());
    lists.resize(lists.size() + problem.cores[kind], {.core_class = kind});
  }
  for (std::uint32_t op = 0; op < problem.ops.size(); ++op) {
    const std::uint32_t kind = problem.ops[op].core_class;
    if (problem.cores[kind] != 0) lists[first[kind] + random.below(problem.cores[kind])].ops.push_back(OpId{op});
  }
  return lists;
}

TEST(ListTimes, NoRunLeavesThemAndCornersAttainThem) {
  RandomSource random(3);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const TimingProblem problem = make_random_problem(seed, 16);
    const std::vector<CoreList> lists = dealt(problem, random);
    const ListTimes times = list_times(problem, lists);
    std::vector<std::uint64_t> best, worst;
    for (const TimedOp& op : problem.ops) {
      best.push_back(op.best_ps);
      worst.push_back(op.worst_ps);
    }
    const std::vector<std::uint64_t> first = played(problem, lists, best), last = played(problem, lists, worst);
    EXPECT_EQ(times.best_ps, first.empty() ? 0 : *std::ranges::max_element(first));
    EXPECT_EQ(times.worst_ps, (last.empty() ? 0 : *std::ranges::max_element(last)) + problem.fixed_ps);
    for (int run = 0; run < 5; ++run) {
      std::vector<std::uint64_t> any;
      for (const TimedOp& op : problem.ops) {
        const bool is_corner = random.below(2) == 0;
        any.push_back(is_corner ? op.worst_ps : op.best_ps + random.below64(op.worst_ps - op.best_ps + 1));
      }
      const std::vector<std::uint64_t> ends = played(problem, lists, any);
      for (const Response& response : times.responses) {
        EXPECT_GE(ends[response.op], response.min_ps);
        EXPECT_LE(ends[response.op] + problem.fixed_ps, response.max_ps);
        EXPECT_EQ(first[response.op], response.min_ps);
        EXPECT_EQ(last[response.op] + problem.fixed_ps, response.max_ps);
      }
    }
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

TEST(ListTimes, AMutexIsNoMatterWhereListsOrEdgesOrderItsOps) {
  TimingProblem problem = make_problem({3, 2, 1}, {{0, 1}}, 2);
  problem.exclusive = {{0, 2}};
  EXPECT_FALSE(list_times(problem, {{0, {OpId{0}, OpId{2}}}, {0, {OpId{1}}}}).unordered);
  EXPECT_FALSE(list_times(problem, {{0, {OpId{0}}}, {0, {OpId{1}, OpId{2}}}}).unordered) << "over op 1";
  const auto pair = list_times(problem, {{0, {OpId{0}, OpId{1}}}, {0, {OpId{2}}}}).unordered;
  ASSERT_TRUE(pair);
  EXPECT_EQ(*pair, std::pair(OpId{0}, OpId{2}));
}

TEST(ListTimes, ListsThatWaitForEachOtherAreRefused) {
  const TimingProblem problem = make_problem({3, 2}, {{0, 1}}, 1);
  EXPECT_THROW(list_times(problem, {{0, {OpId{1}, OpId{0}}}}), std::invalid_argument);
}

TEST(ListTimes, AnUnknownTimeIsAnUnknownWorstCase) {
  TimingProblem problem = make_problem({3, 2}, {{0, 1}}, 1);
  problem.ops[1].worst_ps = kUnknownPs;
  EXPECT_EQ(list_times(problem, {{0, {OpId{0}, OpId{1}}}}).worst_ps, kUnknownPs);
}

/// Levels of two ops, each after both of the level before: 2^40 paths between the holders, each op seen once.
TEST(ListTimes, HoldersAmongManyPathsAreOrderedOrNot) {
  constexpr std::uint32_t kOps = 82;
  TimingProblem problem;
  problem.first = {0};
  for (std::uint32_t op = 0; op < kOps; ++op) {
    problem.ops.push_back({.best_ps = 1, .worst_ps = 1});
    for (std::uint32_t to = op / 2 * 2 + 2; to < std::min(op / 2 * 2 + 4, kOps); ++to) problem.targets.push_back(to);
    problem.first.push_back(static_cast<std::uint32_t>(problem.targets.size()));
  }
  problem.exclusive = {{0, kOps - 1}};
  EXPECT_EQ(find_unordered_holders(problem), std::nullopt);
  problem.exclusive = {{kOps - 2, kOps - 1}};
  EXPECT_EQ(find_unordered_holders(problem), (std::pair<OpId, OpId>(kOps - 2, kOps - 1)));
}

}  // namespace
}  // namespace detent::verify
