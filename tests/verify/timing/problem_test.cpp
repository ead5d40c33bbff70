// Desc -> TimingProblem.
#include "verify/timing/problem.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/verify/random_graph.hpp"

namespace detent::verify {
namespace {

using namespace testing;

GraphSpec two_ops_and_a_delay() {
  GraphSpec spec = make_ops(3);
  spec.ops[0].worst_ps = 10;
  spec.ops[0].best_ps = 4;
  spec.ops[1].worst_ps = 20;
  spec.ops[2].worst_ps = 5;
  spec.ops[2].flags = DETENT_OP_DELAY;
  spec.ops[2].kernel = 1;
  spec.ops[2].core_class = 1;
  spec.mutex_count = 1;
  spec.ops[0].mutexes = {0};
  spec.ops[1].mutexes = {0};
  spec.edges = {{0, 2}, {2, 1}};
  return spec;
}

TEST(TimingProblem, TakesTimesEdgesAndMutexesFromTheDesc) {
  const DescTables tables(two_ops_and_a_delay());
  const TimingProblem problem = make_timing_problem(tables.desc, {.fixed_ps = 3, .cores = {2, 9}});
  EXPECT_EQ(problem.ops[0].best_ps, 4U);
  EXPECT_EQ(problem.ops[0].worst_ps, 10U);
  EXPECT_EQ(problem.cores, (std::vector<std::uint32_t>{2, 0}));  // the delay class is unbounded
  EXPECT_EQ(problem.targets, (std::vector<std::uint32_t>{2, 1}));
  EXPECT_EQ(problem.exclusive, (std::vector<std::vector<std::uint32_t>>{{0, 1}}));
  EXPECT_EQ(critical_path(problem).bound_ps, 38U);
}

TEST(TimingProblem, GivenTimesAndOverheadsReplaceAndAdd) {
  const DescTables tables(two_ops_and_a_delay());
  const TimingProblem problem = make_timing_problem(
      tables.desc, {.best_ps = {1, 1, 1}, .worst_ps = {2, 3, UINT64_MAX}, .overhead_ps = {5, 6, 7}, .cores = {1, 0}});
  EXPECT_EQ(problem.ops[0].best_ps, 1U);
  EXPECT_EQ(problem.ops[0].worst_ps, 7U);
  EXPECT_EQ(problem.ops[1].worst_ps, 9U);
  EXPECT_EQ(problem.ops[2].worst_ps, kUnknownPs);
}

TEST(TimingProblem, TakesTheSchedulersWorkAndQueueDepths) {
  const DescTables tables(two_ops_and_a_delay());
  const TimingProblem problem =
      make_timing_problem(tables.desc, {.role_ps = {5, 6, 7}, .cores = {2, 0}, .queue_depth = {3, 1}});
  EXPECT_EQ(problem.ops[1].role_ps, 6U);
  EXPECT_EQ(problem.queue_depth, (std::vector<std::uint32_t>{3, 1}));
  EXPECT_THROW(make_timing_problem(tables.desc, {.role_ps = {5}, .cores = {2, 0}}), std::invalid_argument);
  EXPECT_THROW(make_timing_problem(tables.desc, {.cores = {2, 0}, .queue_depth = {3}}), std::invalid_argument);
}

TEST(TimingProblem, OnePoolPutsWorkerClassesTogether) {
  DescTables tables(two_ops_and_a_delay());
  tables.classes = {{"cpu", DETENT_CLASS_WORKERS}, {"delay", DETENT_CLASS_ASYNC}, {"npu", DETENT_CLASS_WORKERS}};
  tables.ops[1].core_class = 2;
  tables.refresh();
  const TimingProblem problem = make_timing_problem(tables.desc, {.cores = {3}, .one_pool = true});
  EXPECT_EQ(problem.ops[1].core_class, 0U);
  EXPECT_EQ(problem.ops[2].core_class, 1U);
  EXPECT_EQ(problem.cores, (std::vector<std::uint32_t>{3, 0, 0}));
}

TEST(TimingProblem, WrongLengthsAndMissingCoresAreRefused) {
  const DescTables tables(two_ops_and_a_delay());
  EXPECT_THROW(make_timing_problem(tables.desc, {.worst_ps = {1}, .cores = {1, 0}}), std::invalid_argument);
  EXPECT_THROW(make_timing_problem(tables.desc, {.cores = {1}}), std::invalid_argument);
  EXPECT_THROW(make_timing_problem(tables.desc, {.cores = {0, 0}}), std::invalid_argument);
}

}  // namespace
}  // namespace detent::verify
