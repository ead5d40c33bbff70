#include "verify/explore/ops/explore.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "models/builder/random_model.hpp"
#include "models/lower/lower.hpp"
#include "models/zoo/zoo.hpp"
#include "tests/effort.hpp"
#include "tests/verify/explore/ops/programs.hpp"
#include "verify/explore/ops/report.hpp"
#include "verify/graph/schedule.hpp"

namespace detent::verify::explore {
namespace {

using testing::DescTables;
using testing::GraphSpec;

OpExploreReport explore(const DescTables& tables, const OpExploreOptions& options = {}) {
  const OpSpace space(tables.desc, options.space);
  return explore_ops(space, options);
}

TEST(OpExplore, RaceFreeMeansOneTrace) {
  GraphSpec spec = testing::make_reuse_after_chain(3);
  spec.edges.emplace_back(1, 5);  // the reader before the writer
  const OpExploreReport report = explore(DescTables(spec));
  EXPECT_EQ(report.verdict.outcome, Outcome::kHolds);
  EXPECT_TRUE(report.count.exact && report.count.total == 1);
  EXPECT_EQ(report.executions, 1U);
  EXPECT_EQ(report.redundant(), 0U);
  EXPECT_TRUE(report.finished);
  EXPECT_EQ(report.unseen_mass, 0);
  EXPECT_FALSE(report.failure.has_value());
}

TEST(OpExplore, ReuseAfterAChainOf16IsShownByTwoSchedulesAndOneConstraint) {
  const DescTables tables(testing::make_reuse_after_chain(16));
  const OpExploreReport report = explore(tables);
  EXPECT_EQ(report.verdict.outcome, Outcome::kViolated);
  EXPECT_TRUE(report.count.exact && report.count.total == 2);
  EXPECT_EQ(report.executions, 2U);
  EXPECT_EQ(report.seen, 2U);
  EXPECT_EQ(report.differing, 1U);
  ASSERT_TRUE(report.failure.has_value());
  EXPECT_EQ(report.failure->pair.op_a, 1U);
  EXPECT_EQ(report.failure->pair.op_b, 18U);
  EXPECT_EQ(report.failure->constraints, (std::vector<Constraint>{{18, 1}}));
  EXPECT_EQ(report.failure->workers, 2U);
  EXPECT_NE(report.failure->digest, report.failure->serial_digest);
  EXPECT_EQ(report.failure->shown, "op 1 (op1) reads other bytes");
  EXPECT_TRUE(is_linear_extension(tables.desc, report.failure->schedule));
  EXPECT_EQ(report.reachable.reachable, 2U);
}

TEST(OpExplore, SuspectsRunFirstAndEndWithTheFirstThatDiffers) {
  const DescTables tables(testing::make_reuse_after_chain(16));
  const OpSpace space(tables.desc);
  OpExploreOptions options;
  options.budget = 2;
  const std::vector<std::uint32_t> bad = schedules_of_pair(space, space.pairs().front()).back();
  options.suspects = {order_under(space, {}), bad, bad, bad};
  const OpExploreReport report = explore_ops(space, options);
  EXPECT_EQ(report.executions, 2U) << "the third is not run";
  ASSERT_EQ(report.schedules.size(), 2U);
  EXPECT_EQ(report.schedules[1].order, bad);
  EXPECT_EQ(report.differing, 1U);
  EXPECT_TRUE(report.failure.has_value());
  options.suspects = {bad};
  EXPECT_EQ(explore_ops(space, options).schedules.front().order, bad) << "before those of the strategy";
}

TEST(OpExplore, AFailureThatNothingExecutedHasItsScheduleAndNoDigest) {
  const DescTables tables(testing::make_reuse_after_chain(16));
  const OpSpace space(tables.desc);
  const std::optional<OpFailure> failure = unexecuted_failure(space, space.pairs().front());
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->constraints, (std::vector<Constraint>{{18, 1}}));
  EXPECT_TRUE(is_linear_extension(tables.desc, failure->schedule));
  const auto place = [&](std::uint32_t op) { return std::ranges::find(failure->schedule, op); };
  EXPECT_LT(place(18), place(1));
  EXPECT_EQ(failure->digest, 0U);
  EXPECT_EQ(failure->workers, 2U);
}

TEST(OpExplore, AReaderWithoutOutputsShowsByWhatItReads) {
  const OpExploreReport report = explore(DescTables(testing::make_reuse_after_chain(2, false)));
  EXPECT_EQ(report.differing, 0U);
  ASSERT_TRUE(report.failure.has_value());
  EXPECT_EQ(report.failure->digest, report.failure->serial_digest);
  EXPECT_EQ(report.failure->shown, "op 1 (op1) reads other bytes");
}

TEST(OpExplore, DropsOpsThatTheFailureDoesNotNeed) {
  GraphSpec spec = testing::make_reuse_after_chain(2);
  spec.ops.resize(8);
  for (std::uint32_t op = 5; op < 8; ++op) {
    spec.ops[op].name = "late" + std::to_string(op);
    spec.edges.emplace_back(0, op);
  }
  const OpExploreReport report = explore(DescTables(spec));
  ASSERT_TRUE(report.failure.has_value());
  EXPECT_EQ(report.failure->ops, (std::vector<std::uint32_t>{0, 1, 2, 3, 4}));
}

TEST(OpExplore, SeveralReversalsAreNeededWhereOneIsMasked) {
  // 2 overwrites what 0 and 1 write, so their order alone leaves nothing behind; nobody reads in between.
  const DescTables tables(testing::make_program({{"w0"}, {"w0"}, {"w0"}}));
  const OpExploreReport report = explore(tables);
  EXPECT_TRUE(report.count.total == 6);
  EXPECT_EQ(report.seen, 6U);
  ASSERT_TRUE(report.failure.has_value());
  EXPECT_EQ(report.failure->pair.op_b, 2U);  // reversing 0 and 1 shows nothing
  EXPECT_EQ(report.failure->shown, "other bytes are left at the end");
}

TEST(OpExplore, TheReversalThatShowsIsFoundAmongManyThatAreMasked) {
  // Of 300 pairs of writers a third op overwrites what they left, of one nobody does: only its order shows.
  constexpr std::uint32_t kPairs = 300, kShown = 280;
  GraphSpec spec = testing::make_ops(3 * kPairs);
  spec.regions = testing::workspaces({8 * std::uint64_t{kPairs}});
  std::vector<std::uint32_t> backwards(spec.ops.size());
  for (std::uint32_t i = 0; i < kPairs; ++i) {
    const testing::Range range{.region = 0, .offset = 8 * std::uint64_t{i}, .size = 8};
    const std::uint32_t first = 3 * i;
    spec.ops[first].writes = spec.ops[first + 1].writes = {range};
    if (i != kShown) spec.ops[first + 2].writes = {range};
    spec.edges.emplace_back(first, first + 2);
    spec.edges.emplace_back(first + 1, first + 2);
    backwards[first] = first + 1;
    backwards[first + 1] = first;
    backwards[first + 2] = first + 2;
  }
  const DescTables tables(spec);
  const OpExploreReport report = explore(tables, {.budget = 1, .given = {backwards}});
  ASSERT_TRUE(report.failure.has_value());
  EXPECT_EQ(report.failure->constraints, (std::vector<Constraint>{{3 * kShown + 1, 3 * kShown}}));
  EXPECT_EQ(report.failure->pair.op_a, 3 * kShown);
  EXPECT_EQ(report.failure->shown, "other bytes are left at the end");
}

TEST(OpExplore, MutexesLeaveAnOrderThatMatters) {
  GraphSpec spec = testing::make_program({{"u0"}, {"u0"}});
  spec.mutex_count = 1;
  for (auto& op : spec.ops) op.mutexes = {0};
  const OpExploreReport dependent = explore(DescTables(spec));
  EXPECT_EQ(dependent.verdict.outcome, Outcome::kViolated);
  EXPECT_EQ(dependent.order_dependent_pairs, 1U);
  EXPECT_EQ(dependent.failure->workers, 0U);  // a gate would wait for the holder of its own mutex
  for (auto& op : spec.ops) op.commute_group = 0;
  const OpExploreReport commuting = explore(DescTables(spec), {.strategy = "random", .budget = 20});
  EXPECT_EQ(commuting.verdict.outcome, Outcome::kHolds);
  EXPECT_EQ(commuting.ignored_pairs, 1U);
  const OpExploreReport checked = explore(DescTables(spec), {.space = {.commuting_orders = true}});
  EXPECT_EQ(checked.verdict.outcome, Outcome::kViolated);  // the mixing kernel does not commute
  EXPECT_EQ(checked.seen, 2U);
}

std::int32_t run_undeclared(const detent_kernel_args* args) {
  // Reads a word behind its output that it does not declare.
  auto* out = static_cast<std::uint8_t*>(args->outputs[0].data);
  out[0] = static_cast<std::uint8_t>(out[8] + args->op);
  return 0;
}

TEST(OpExplore, UndeclaredAccessesAreNotExplainedByTheTrace) {
  const detent_kernel kernel{"mix", run_undeclared, nullptr};
  const detent_kernel_table table{&kernel, 1};
  GraphSpec spec = testing::make_ops(2);
  spec.ops[0].writes = {{0, 0, 8}};
  spec.ops[1].writes = {{0, 8, 8}};
  OpExploreOptions options{.strategy = "pairs"};
  options.runner.backends = {detent_cpu_backend("*", &table)};
  const OpExploreReport report = explore(DescTables(spec), options);
  EXPECT_TRUE(report.count.total == 1);
  EXPECT_EQ(report.verdict.outcome, Outcome::kViolated);
}

std::int32_t run_failing(const detent_kernel_args*) { return 7; }

TEST(OpExplore, IsUnknownWhereRunsFail) {
  const detent_kernel kernel{"mix", run_failing, nullptr};
  const detent_kernel_table table{&kernel, 1};
  OpExploreOptions options;
  options.runner.backends = {detent_cpu_backend("*", &table)};
  EXPECT_EQ(explore(DescTables(testing::make_ops(2)), options).verdict.outcome, Outcome::kUnknown);
  DescTables unknown(testing::make_ops(2));
  unknown.kernels[0] = "nobody's";
  unknown.refresh();
  EXPECT_EQ(explore(unknown).verdict.outcome, Outcome::kUnknown);
}

TEST(OpExplore, BudgetEndsAndSamplesEstimateTheShareThatDiffers) {
  const DescTables tables(testing::make_alike(6, {"w0"}));
  EXPECT_EQ(explore(tables, {.budget = 100}).executions, 100U);
  EXPECT_FALSE(explore(tables, {.budget = 100}).finished);
  const OpExploreReport sampled = explore(tables, {.strategy = "sample", .budget = 2000, .seed = 1});
  EXPECT_NEAR(sampled.differing_share, 5.0 / 6, 0.05);  // the last writer is another one
  const OpExploreReport drawn = explore(tables, {.strategy = "random", .budget = 50});
  ASSERT_TRUE(drawn.unseen_mass.has_value());
  EXPECT_GT(*drawn.unseen_mass, 0.5);
  EXPECT_FALSE(explore(tables, {.strategy = "pairs", .budget = 50}).unseen_mass.has_value());
}

TEST(OpExplore, CountsWithoutExecuting) {
  const DescTables tables(testing::make_alike(13, {"w0"}));
  const OpSpace space(tables.desc);
  const OpExploreReport exact = count_op_traces(space, {});
  EXPECT_TRUE(exact.count.exact && exact.count.total == 6'227'020'800U);
  EXPECT_EQ(exact.executions, 0U);
  const OpExploreReport bounded = count_op_traces(space, {.count = {.max_states = 5, .max_leaves = 100}});
  EXPECT_EQ(bounded.verdict.outcome, Outcome::kUnknown);
  ASSERT_TRUE(bounded.estimate.has_value());
  EXPECT_NEAR(bounded.estimate->total, 6'227'020'800.0, 10);
  const OpSpace cut(tables.desc, {.max_pairs = 3});
  EXPECT_FALSE(count_op_traces(cut, {}).count.exact);
}

TEST(OpExplore, NamesThePlantedPairOfRandomModels) {
  std::uint32_t planted_count = 0;
  for (std::uint64_t seed = 1; seed <= effort(40U); ++seed) {
    models::Model model = models::make_random_model({.seed = seed, .ops = 20, .max_tensor_bytes = 64});
    models::prepare_model(model, {});
    const auto kind = seed % 2 == 0 ? models::RaceKind::kWar : models::RaceKind::kWaw;
    const auto planted = models::plant_race(model, kind, seed);
    const models::LoweredModel lowered = models::lower(model);
    const OpSpace space(lowered.desc());
    const OpExploreReport report = explore_ops(space, {.budget = 64});
    EXPECT_EQ(report.verdict.outcome == Outcome::kHolds, !planted.has_value()) << seed;
    if (!planted) continue;
    ++planted_count;
    ASSERT_TRUE(report.failure.has_value()) << seed;
    EXPECT_EQ(report.failure->pair.op_a, planted->first_op) << seed;
    EXPECT_EQ(report.failure->pair.op_b, planted->second_op) << seed;
    EXPECT_EQ(report.failure->constraints.size(), 1U);
  }
  EXPECT_GT(planted_count, effort(40U) / 4);
}

TEST(OpExplore, RefusesACycle) {
  GraphSpec spec = testing::make_ops(2);
  spec.edges = {{0, 1}, {1, 0}};
  const DescTables tables(spec);
  EXPECT_THROW(OpSpace space(tables.desc), std::invalid_argument);
}

TEST(OpSpace, OrdersUnderConstraints) {
  const DescTables tables(testing::make_reuse_after_chain(1));
  const OpSpace space(tables.desc);
  EXPECT_EQ(order_under(space, {}), (std::vector<std::uint32_t>{0, 1, 2, 3}));
  EXPECT_EQ(order_under(space, std::vector<Constraint>{{3, 1}}), (std::vector<std::uint32_t>{0, 2, 3, 1}));
  EXPECT_TRUE(order_under(space, std::vector<Constraint>{{3, 0}}).empty());
  const auto two = schedules_of_pair(space, space.pairs().front());
  EXPECT_EQ(two[0], (std::vector<std::uint32_t>{0, 2, 1, 3}));
  EXPECT_EQ(two[1], (std::vector<std::uint32_t>{0, 2, 3, 1}));
}

TEST(OpExplore, BudgetsShrinkWithTheWorkOfARun) {
  EXPECT_EQ(default_budget(DescTables(testing::make_ops(4)).desc), 1000U);
  const models::Model model = models::make_zoo_model("yolov8n");
  EXPECT_EQ(default_budget(models::lower(model, {.weights = false}).desc()), 16U);
}

}  // namespace
}  // namespace detent::verify::explore
