#include "verify/explore/ops/space/count.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

#include "tests/effort.hpp"
#include "tests/verify/explore/ops/by_force.hpp"
#include "tests/verify/explore/ops/programs.hpp"
#include "verify/explore/ops/space/enumerate.hpp"
#include "verify/explore/ops/space/space.hpp"

namespace detent::verify::explore {
namespace {

using testing::DescTables;
using testing::GraphSpec;
using testing::TracesByForce;

std::string count_of(const GraphSpec& spec, const SpaceOptions& options = {}) {
  const DescTables tables(spec);
  const OpSpace space(tables.desc, options);
  const TraceCount count = count_traces(space.graph());
  const TraceCount enumerated = count_by_enumeration(space.graph(), 2'000'000);
  if (count.total <= 2'000'000) {
    EXPECT_TRUE(enumerated.exact && enumerated.total == count.total);
  }
  return (count.exact ? "" : "at least ") + format_count(count.total);
}

TEST(TraceCount, OneWithoutConflicts) {
  EXPECT_EQ(count_of(testing::make_ops(0)), "1");
  EXPECT_EQ(count_of(testing::make_ops(6)), "1");
  EXPECT_EQ(count_of(testing::make_alike(5, {"r0", "r1"})), "1");
  EXPECT_EQ(count_of(testing::make_program({{"w0", "u0", "r0", "w0"}})), "1");
}

TEST(TraceCount, WritersOfOneVariableArePermutations) {
  EXPECT_EQ(count_of(testing::make_alike(2, {"w0"})), "2");
  EXPECT_EQ(count_of(testing::make_alike(7, {"w0"})), "5040");
  EXPECT_EQ(count_of(testing::make_alike(10, {"u0"})), "3628800");
}

TEST(TraceCount, ReadersStandBeforeOrAfterTheWriter) {
  std::vector<std::vector<std::string>> threads(10, {"r0"});
  threads.push_back({"w0"});
  EXPECT_EQ(count_of(testing::make_program(threads)), "1024");
}

TEST(TraceCount, ThreadsOnOneVariableAreMultinomials) {
  EXPECT_EQ(count_of(testing::make_alike(2, std::vector<std::string>(11, "w0"))), "705432");
  EXPECT_EQ(count_of(testing::make_alike(4, {"w0", "w0", "w0"})), "369600");
  EXPECT_EQ(count_of(testing::make_alike(3, {"w0", "w0"})), "90");
}

TEST(TraceCount, WriteThenReadPerThread) {
  // By force, from 2 to 4 threads.
  for (std::uint32_t threads = 2; threads <= 4; ++threads) {
    const GraphSpec spec = testing::make_alike(threads, {"w0", "r0"});
    EXPECT_EQ(count_of(spec), std::to_string(TracesByForce(spec).traces()));
  }
}

TEST(TraceCount, CyclicOrdersOfLitmusTestsDoNotCount) {
  EXPECT_EQ(count_of(testing::make_program({{"w0", "r1"}, {"w1", "r0"}})), "3");
  EXPECT_EQ(count_of(testing::make_program({{"w0", "w1"}, {"r1", "r0"}})), "3");
  EXPECT_EQ(count_of(testing::make_program({{"w0"}, {"w1"}, {"r0"}, {"r1"}})), "4");
}

TEST(TraceCount, MultipliesIndependentGroupsBeyond64Bits) {
  std::vector<std::vector<std::string>> threads;
  for (const char* access : {"w0", "w1", "w2"}) threads.insert(threads.end(), 12, {access});
  EXPECT_EQ(count_of(testing::make_program(threads)), "109903340320478724096000000");  // (12!)^3
}

TEST(TraceCount, CountBeyond128BitsOverflows) {
  std::vector<std::vector<std::string>> threads;
  for (const char* access : {"w0", "w1", "w2", "w3"}) threads.insert(threads.end(), 14, {access});
  const DescTables tables(testing::make_program(threads));
  const OpSpace space(tables.desc);
  const TraceCount count = count_traces(space.graph());  // (14!)^4 = 5.8e43
  EXPECT_FALSE(count.exact);
  EXPECT_TRUE(count.overflow);
}

TEST(TraceCount, IsALowerBoundWhereTheLimitsAreReached) {
  const DescTables tables(testing::make_alike(12, {"w0"}));
  const OpSpace space(tables.desc);
  const TraceCount count = count_traces(space.graph(), {.max_states = 10, .max_leaves = 1000});
  EXPECT_FALSE(count.exact);
  EXPECT_TRUE(count.total == 1001);  // one more was met
}

TEST(TraceCount, GroupsThatOrderEachOtherAreCountedTogether) {
  // A = {0, 3} conflict, B = {1, 2} conflict; 0 -> 1 and 2 -> 3: ordering A can order B.
  GraphSpec spec = testing::make_ops(4);
  spec.ops[0].writes = spec.ops[3].writes = {{0, 0, 8}};
  spec.ops[1].writes = spec.ops[2].writes = {{0, 8, 8}};
  spec.edges = {{0, 1}, {2, 3}};
  const DescTables tables(spec);
  const OpSpace space(tables.desc);
  EXPECT_EQ(independent_groups(space.graph()).size(), 1U);
  EXPECT_EQ(count_of(spec), "3");
  spec.edges = {{0, 1}, {3, 2}};  // all of A before its part of B: no way back
  const DescTables apart(spec);
  EXPECT_EQ(independent_groups(OpSpace(apart.desc).graph()).size(), 2U);
  EXPECT_EQ(count_of(spec), "4");
}

TEST(TraceCount, MutexesCountByBytesUnlessAskedFor) {
  GraphSpec spec = testing::make_ops(3);
  spec.mutex_count = 1;
  for (auto& op : spec.ops) op.mutexes = {0};
  EXPECT_EQ(count_of(spec), "1");
  EXPECT_EQ(count_of(spec, {.mutex_orders = true}), "6");
  for (auto& op : spec.ops) op.writes = {{0, 0, 8}};
  EXPECT_EQ(count_of(spec), "6");
  for (auto& op : spec.ops) op.commute_group = 0;
  EXPECT_EQ(count_of(spec), "1");
  EXPECT_EQ(count_of(spec, {.commuting_orders = true}), "6");
}

TEST(TraceCount, EqualsForceOnRandomGraphs) {
  std::uint64_t several = 0;
  for (std::uint64_t seed = 0; seed < effort(400U); ++seed) {
    testing::RandomSpec shape{.op_count = 3 + static_cast<std::uint32_t>(seed % 5), .percent_edges = 25};
    shape.region_count = 1;
    shape.region_bytes = 32;
    shape.mutex_count = seed % 3 == 0 ? 2 : 0;
    shape.group_count = seed % 6 == 0 ? 2 : 0;
    const GraphSpec spec = testing::make_random_spec(seed, shape);
    const TracesByForce force(spec);
    EXPECT_EQ(count_of(spec), std::to_string(force.traces())) << "seed " << seed;
    EXPECT_EQ(count_of(spec, {.commuting_orders = true}), std::to_string(TracesByForce(spec, true).traces()))
        << "seed " << seed;
    if (force.traces() > 10) ++several;
  }
  EXPECT_GT(several, effort(400U) / 10U);
}

TEST(TraceEnumeration, VisitsEachTraceOnceWithALinearExtension) {
  for (std::uint64_t seed = 0; seed < effort(60U); ++seed) {
    const DescTables tables(testing::make_random_spec(
        seed, {.op_count = 9, .percent_edges = 15, .region_count = 1, .region_bytes = 24, .max_reads = 1}));
    const OpSpace space(tables.desc);
    std::set<std::uint64_t> fingerprints;
    std::uint64_t leaves = 0;
    with_walk(space.graph(), [&](auto walk) {
      std::vector<std::uint32_t> events;
      std::vector<std::uint32_t> place(space.graph().size());
      walk.enumerate([&](const auto& leaf) {
        ++leaves;
        fingerprints.insert(leaf.fingerprint);
        leaf.order(events);
        for (std::uint32_t i = 0; i < events.size(); ++i) place[events[i]] = i;
        EXPECT_EQ(walk.fingerprint_of(place), leaf.fingerprint);
        for (std::uint32_t a = 0; a < place.size(); ++a) {
          for_each_bit(space.graph().after.row(a), space.graph().after.words(),
                       [&](std::uint32_t b) { EXPECT_LT(place[a], place[b]); });
        }
        return leaves < 5000;
      });
    });
    EXPECT_EQ(fingerprints.size(), leaves) << "seed " << seed;
  }
}

/// Two threads of `length` writes to one variable.
DependenceGraph two_threads(std::uint32_t length) {
  std::vector<EventPair> edges, conflicts;
  for (std::uint32_t i = 0; i < length; ++i) {
    if (i > 0) edges.emplace_back(i - 1, i);
    if (i > 0) edges.emplace_back(length + i - 1, length + i);
    for (std::uint32_t j = 0; j < length; ++j) conflicts.emplace_back(i, length + j);
  }
  return make_dependence_graph(2 * length, edges, conflicts);
}

TEST(TraceEnumeration, TakesGraphsOfSeveralWords) {
  for (const std::uint32_t length : {35U, 75U, 150U}) {
    EXPECT_TRUE(count_by_enumeration(two_threads(length), 1000).total == 1001U) << length;
  }
  const TraceCount choose = count_by_recurrence(two_threads(35), 1 << 18);
  EXPECT_TRUE(choose.exact);
  EXPECT_EQ(format_count(choose.total), "112186277816662845432");       // 70 over 35
  EXPECT_TRUE(count_by_recurrence(two_threads(75), 1 << 18).overflow);  // 150 over 75 is 9.3e43
}

TEST(TraceEstimate, IsExactForPermutationsAndTwoChains) {
  const DescTables writers(testing::make_alike(9, {"w0"}));
  const TraceEstimate permutations = estimate_traces(OpSpace(writers.desc).graph(), 50, 1);
  EXPECT_NEAR(permutations.total, 362880, 1);
  EXPECT_NEAR(permutations.standard_error, 0, 1e-3);
  const DescTables chains(testing::make_alike(2, std::vector<std::string>(11, "w0")));
  EXPECT_NEAR(estimate_traces(OpSpace(chains.desc).graph(), 50, 1).total, 705432, 10);
}

TEST(TraceEstimate, LiesWithinItsStandardError) {
  const DescTables tables(testing::make_program({{"w0", "w1", "w0"}, {"w1", "w0", "r1"}, {"u0", "u1", "r0"}}));
  const OpSpace space(tables.desc);
  const TraceCount count = count_traces(space.graph());
  const TraceEstimate estimate = estimate_traces(space.graph(), 20'000, 7);
  EXPECT_GT(estimate.standard_error, 0);
  EXPECT_LT(std::abs(estimate.total - static_cast<double>(count.total)), 5 * estimate.standard_error);
  EXPECT_EQ(estimate_traces(space.graph(), 100, 3).total, estimate_traces(space.graph(), 100, 3).total);
}

/// Estimates of 1, 2, ... samples draw the same ones, so each sample follows from two totals; from them the mean and
/// its standard error by their definitions.
TEST(TraceEstimate, StandardErrorByHand) {
  const DescTables tables(testing::make_program({{"w0", "w1", "w0"}, {"w1", "w0", "r1"}, {"u0", "u1", "r0"}}));
  const OpSpace space(tables.desc);
  ASSERT_EQ(independent_groups(space.graph()).size(), 1U);
  constexpr std::uint64_t kSamples = 12;
  std::vector<double> drawn;
  double before = 0;
  for (std::uint64_t n = 1; n <= kSamples; ++n) {
    const double sum = estimate_traces(space.graph(), n, 7).total * static_cast<double>(n);
    drawn.push_back(sum - before);
    before = sum;
  }
  const double mean = before / kSamples;
  double squares = 0;
  for (const double value : drawn) squares += (value - mean) * (value - mean);
  const TraceEstimate estimate = estimate_traces(space.graph(), kSamples, 7);
  const double expected = std::sqrt(squares / (kSamples - 1) / kSamples);
  EXPECT_GT(expected, 0);
  EXPECT_NEAR(estimate.standard_error, expected, 1e-6 * expected);
  EXPECT_EQ(estimate.samples, kSamples);
  EXPECT_EQ(estimate_traces(space.graph(), 1, 7).standard_error, 0) << "one sample says nothing of its error";
}

TEST(TraceCount, FormatsDecimalDigits) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(~Count128{0}), "340282366920938463463374607431768211455");
}

}  // namespace
}  // namespace detent::verify::explore
