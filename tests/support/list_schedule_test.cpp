// The definition on schedules by hand; the simulator (tests/sim) and the bounds (tests/verify) are compared with it.
#include "tests/support/list_schedule.hpp"

#include <gtest/gtest.h>

namespace detent::support {
namespace {

ListOp op(std::uint64_t duration_ps, std::uint64_t rank, std::vector<std::uint32_t> successors = {}) {
  return {.duration_ps = duration_ps, .rank = rank, .tie_rank = rank, .successors = std::move(successors)};
}

using Times = std::vector<std::uint64_t>;

TEST(ListSchedule, NoOpsEndWhereTheyBegin) {
  EXPECT_EQ(list_schedule({}).makespan_ps, 0U);
  EXPECT_EQ(list_schedule({.cores = {1}, .begin_ps = 7}).makespan_ps, 7U);
}

TEST(ListSchedule, LowestRankStartsFirstOnOneCore) {
  const ListSchedule schedule = list_schedule({.ops = {op(3, 2), op(5, 1), op(1, 0)}, .cores = {1}, .begin_ps = 10});
  EXPECT_EQ(schedule.begin_ps, (Times{16, 11, 10}));
  EXPECT_EQ(schedule.end_ps, (Times{19, 16, 11}));
  EXPECT_EQ(schedule.makespan_ps, 19U);
}

TEST(ListSchedule, ClassesHaveCoresOfTheirOwnAndDelaysNeedNone) {
  ListProblem problem{.ops = {op(4, 0), op(4, 1), op(4, 2), op(4, 3)}, .cores = {1, kUnbounded}};
  problem.ops[2].core_class = problem.ops[3].core_class = 1;
  EXPECT_EQ(list_schedule(problem).begin_ps, (Times{0, 4, 0, 0}));
}

TEST(ListSchedule, AHeldMutexLetsOthersPass) {
  ListProblem problem{.ops = {op(4, 0), op(4, 1), op(1, 2)}, .cores = {2}};
  problem.ops[0].mutexes = problem.ops[1].mutexes = {3};
  EXPECT_EQ(list_schedule(problem).begin_ps, (Times{0, 4, 0}));
}

TEST(ListSchedule, AMutexSharedBetweenClassesGoesToTheLowerRank) {
  ListProblem problem{.ops = {op(4, 1), op(4, 0)}, .cores = {1, 1}};
  problem.ops[1].core_class = 1;
  problem.ops[0].mutexes = problem.ops[1].mutexes = {0};
  EXPECT_EQ(list_schedule(problem).begin_ps, (Times{4, 0}));
}

TEST(ListSchedule, AfterEachCompletionOfAnInstantCoresAreGivenAtOnce) {
  // Ops 0 and 1 end at 2; the first of them handled makes its successor ready, which takes the core before the better
  // one of the second is ready.
  ListProblem problem{.ops = {op(2, 0, {2}), op(2, 1, {3}), op(5, 3), op(5, 2)}, .cores = {2, 1}};
  problem.ops[2].core_class = problem.ops[3].core_class = 1;
  EXPECT_EQ(list_schedule(problem).begin_ps, (Times{0, 0, 2, 7}));
  std::swap(problem.ops[0].tie_rank, problem.ops[1].tie_rank);
  EXPECT_EQ(list_schedule(problem).begin_ps, (Times{0, 0, 7, 2}));
}

}  // namespace
}  // namespace detent::support
