// Races: hand-made examples, byte maps as the second opinion, planted faults, lists that are cut.
#include "verify/static/buffer_race.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/verify/static/naive_races.hpp"
#include "tests/verify/static/reuse_plans.hpp"
#include "verify/graph/schedule.hpp"

namespace detent::verify {
namespace {

using namespace testing;

TEST(BufferRace, PlantedReuseIsTheOnlyRace) {
  const DescTables tables(reuse_after_one_reader());
  const RaceReport report = find_races(tables.desc);
  ASSERT_EQ(report.races.count, 1U);
  const Race& race = report.races.listed[0];
  EXPECT_EQ(race.op_a, 2U);
  EXPECT_EQ(race.op_b, 3U);
  EXPECT_EQ(race.kind, HazardKind::kWar);
  EXPECT_EQ(race.region, 0U);
  EXPECT_EQ(race.offset_bytes, 32U);
  EXPECT_EQ(race.size_bytes, 32U);
  EXPECT_STREQ(tables.tensors[race.tensor_a].name, "op2.r0");
  EXPECT_STREQ(tables.tensors[race.tensor_b].name, "op3.w0");
  EXPECT_EQ(report.unordered_pairs, 2U);
  EXPECT_EQ(report.conflicting_pairs, 5U);
}

TEST(BufferRace, MissingEdgeRemovesTheRace) {
  GraphSpec spec = reuse_after_one_reader();
  spec.edges.emplace_back(2, 3);
  const DescTables tables(spec);
  EXPECT_EQ(find_races(tables.desc).races.count, 0U);
  EXPECT_EQ(check_buffer_races(tables.desc).outcome, Outcome::kHolds);
}

TEST(BufferRace, VerdictNamesOpsTensorsBytesAndShowsASchedule) {
  const DescTables tables(reuse_after_one_reader());
  const Verdict verdict = check_buffer_races(tables.desc);
  EXPECT_EQ(verdict.property, Property::kBufferRaces);
  ASSERT_EQ(verdict.outcome, Outcome::kViolated);
  ASSERT_EQ(verdict.witnesses.size(), 1U);
  const Witness& witness = verdict.witnesses[0];
  EXPECT_EQ(witness.text,
            "war: op 2 (op2) reads and op 3 (op3) writes bytes [32, 64) of r0 (tensor 2 (op2.r0), tensor 3 (op3.w0)), "
            "and no path orders them");
  EXPECT_EQ(witness.ops, (std::vector<std::uint32_t>{2, 3}));
  EXPECT_EQ(witness.schedule, (std::vector<std::uint32_t>{0, 1, 3, 2}));
  EXPECT_TRUE(is_linear_extension(tables.desc, witness.schedule));
}

TEST(BufferRace, EachKindIsNamedByIdOrder) {
  GraphSpec spec = make_ops(2);
  spec.regions = workspaces({64, 64, 64});
  spec.ops[0].writes = {{0, 0, 8}, {2, 0, 8}};
  spec.ops[0].reads = {{1, 0, 8}};
  spec.ops[1].reads = {{0, 4, 8}};
  spec.ops[1].writes = {{1, 0, 4}, {2, 7, 8}};
  const DescTables tables(spec);
  const RaceReport report = find_races(tables.desc);
  ASSERT_EQ(report.races.count, 3U);
  EXPECT_EQ(report.races.pairs, 1U);
  EXPECT_EQ(report.conflicting_pairs, 1U);
  EXPECT_EQ(report.races.listed[0].kind, HazardKind::kRaw);
  EXPECT_EQ(report.races.listed[0].offset_bytes, 4U);
  EXPECT_EQ(report.races.listed[1].kind, HazardKind::kWar);
  EXPECT_EQ(report.races.listed[1].region, 1U);
  EXPECT_EQ(report.races.listed[2].kind, HazardKind::kWaw);
  EXPECT_EQ(report.races.listed[2].size_bytes, 1U);
}

TEST(BufferRace, TouchingRangesDoNotConflict) {
  GraphSpec spec = make_ops(2);
  spec.ops[0].writes = {{0, 0, 64}};
  spec.ops[1].writes = {{0, 64, 64}};
  const DescTables tables(spec);
  EXPECT_EQ(find_races(tables.desc).conflicting_pairs, 0U);
}

TEST(BufferRace, InterleavedStridesDoNotConflictUntilTheyMeet) {
  GraphSpec spec = make_ops(2);
  spec.ops[0].writes = {{0, 0, 8, 10, 16}};
  spec.ops[1].writes = {{0, 8, 8, 10, 16}};
  EXPECT_EQ(find_races(DescTables(spec).desc).races.count, 0U);
  spec.ops[1].writes = {{0, 8, 8, 10, 17}};
  const DescTables meeting(spec);
  const RaceReport report = find_races(meeting.desc);
  ASSERT_EQ(report.races.count, 1U);
  EXPECT_EQ(report.races.listed[0].offset_bytes, 32U);
  EXPECT_EQ(report.races.listed[0].size_bytes, 1U);
}

TEST(BufferRace, ScratchCountsAsWritten) {
  GraphSpec spec = make_ops(2);
  spec.ops[0].scratch_ranges = {{0, 0, 16}};
  spec.ops[1].scratch_ranges = {{0, 8, 16}};
  const DescTables tables(spec);
  const RaceReport report = find_races(tables.desc);
  ASSERT_EQ(report.races.count, 1U);
  EXPECT_EQ(report.races.listed[0].kind, HazardKind::kWaw);
}

TEST(BufferRace, ReadersOfOneBufferDoNotRace) {
  GraphSpec spec = make_ops(3);
  for (OpSpec& op : spec.ops) op.reads = {{0, 0, 64}};
  EXPECT_EQ(find_races(DescTables(spec).desc).conflicting_pairs, 0U);
}

TEST(BufferRace, AMutexTurnsARaceIntoAnOrderFinding) {
  GraphSpec spec = make_ops(2);
  spec.mutex_count = 1;
  for (OpSpec& op : spec.ops) {
    op.writes = {{0, 0, 8}};
    op.mutexes = {0};
  }
  const RaceReport report = find_races(DescTables(spec).desc);
  EXPECT_EQ(report.races.count, 0U);
  EXPECT_EQ(report.order_dependent.count, 1U);
  EXPECT_EQ(report.order_dependent.pairs, 1U);
}

TEST(BufferRace, AMutexAndACommuteGroupLeaveNoFinding) {
  GraphSpec spec = make_ops(2);
  spec.mutex_count = 1;
  for (OpSpec& op : spec.ops) {
    op.writes = {{0, 0, 8}};
    op.mutexes = {0};
    op.commute_group = 4;
  }
  const RaceReport report = find_races(DescTables(spec).desc);
  EXPECT_EQ(report.races.count + report.order_dependent.count, 0U);
}

TEST(BufferRace, ACommuteGroupWithoutAMutexStillRaces) {
  GraphSpec spec = make_ops(2);
  for (OpSpec& op : spec.ops) {
    op.writes = {{0, 0, 8}};
    op.commute_group = 0;
  }
  EXPECT_EQ(find_races(DescTables(spec).desc).races.count, 1U);
}

TEST(BufferRace, HugeOffsetsDoNotWrap) {
  const std::uint64_t huge = DETENT_MAX_BYTES;
  GraphSpec spec = make_ops(3);
  spec.regions = workspaces({huge, huge});
  spec.ops[0].writes = {{0, 0, huge}};
  spec.ops[1].writes = {{0, huge - 1, 1}};
  spec.ops[2].writes = {{1, 0, huge}};
  const RaceReport report = find_races(DescTables(spec).desc);
  ASSERT_EQ(report.races.count, 1U);
  EXPECT_EQ(report.races.listed[0].offset_bytes, huge - 1);
}

TEST(BufferRace, B20_CycleMakesTheVerdictUnknown) {
  GraphSpec spec = make_ops(2);
  spec.edges = {{0, 1}, {1, 0}};
  const DescTables tables(spec);
  EXPECT_THROW(find_races(tables.desc), std::invalid_argument);
  EXPECT_EQ(check_buffer_races(tables.desc).outcome, Outcome::kUnknown);
}

TEST(BufferRace, B41_WrappingBytesMakeTheVerdictUnknown) {
  GraphSpec spec = make_ops(2);
  for (OpSpec& op : spec.ops) op.writes = {{0, 0, 8}};
  DescTables tables(spec);
  tables.tensors[0].offset_bytes = UINT64_MAX - 3;
  EXPECT_EQ(check_buffer_races(tables.desc).outcome, Outcome::kUnknown);
}

TEST(BufferRace, TheListIsCutButTheCountIsExact) {
  constexpr std::uint32_t kOps = 3000;
  GraphSpec spec = make_ops(kOps);
  for (OpSpec& op : spec.ops) op.writes = {{0, 0, 64}};
  const DescTables tables(spec);
  const RaceReport report = find_races(tables.desc, {.max_listed = 100});
  EXPECT_EQ(report.races.count, std::uint64_t{kOps} * (kOps - 1) / 2);
  EXPECT_EQ(report.races.pairs, report.races.count);
  EXPECT_EQ(report.unordered_pairs, report.races.count);
  ASSERT_EQ(report.races.listed.size(), 100U);
  for (std::uint32_t i = 0; i < 100; ++i) {
    EXPECT_EQ(report.races.listed[i].op_a, 0U);
    EXPECT_EQ(report.races.listed[i].op_b, i + 1);
  }
}

TEST(BufferRace, TheCutListIsTheHeadOfTheWholeList) {
  const DescTables tables(make_random_spec(77, {.op_count = 200, .percent_edges = 1}));
  const std::vector<Race> whole = find_races(tables.desc, {.max_listed = 1'000'000}).races.listed;
  const RaceReport cut = find_races(tables.desc, {.max_listed = 50});
  ASSERT_GT(whole.size(), 2500U);
  EXPECT_EQ(cut.races.count, whole.size());
  ASSERT_EQ(cut.races.listed.size(), 50U);
  for (std::size_t i = 0; i < 50; ++i) EXPECT_TRUE(same_race(cut.races.listed[i], whole[i])) << i;
}

TEST(BufferRace, ALongChainOnOneBufferConflictsEverywhereAndRacesNowhere) {
  constexpr std::uint32_t kOps = 20000;
  GraphSpec spec = make_ops(kOps);
  for (std::uint32_t i = 0; i < kOps; ++i) {
    spec.ops[i].reads = {{0, 0, 64}};
    spec.ops[i].writes = {{0, 0, 64}};
    if (i > 0) spec.edges.emplace_back(i - 1, i);
  }
  const RaceReport report = find_races(DescTables(spec).desc);
  EXPECT_EQ(report.conflicting_pairs, std::uint64_t{kOps} * (kOps - 1) / 2);
  EXPECT_EQ(report.races.count, 0U);
  EXPECT_EQ(report.unordered_pairs, 0U);
}

void expect_equal_to_byte_maps(const RandomSpec& shape, std::uint64_t seed, std::uint32_t block_columns = 0) {
  const DescTables tables(make_random_spec(seed, shape));
  const NaiveRaces expected = find_races_naively(tables.desc);
  const RaceReport report = find_races(tables.desc, {.max_listed = 1'000'000, .block_columns = block_columns});
  EXPECT_EQ(describe_difference(report, expected), "") << "seed " << seed;
}

TEST(BufferRace, EqualsByteMapsOnDenseRanges) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    expect_equal_to_byte_maps({.op_count = 2 + static_cast<std::uint32_t>(seed % 30)}, seed);
  }
}

TEST(BufferRace, EqualsByteMapsOnStridedRanges) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    expect_equal_to_byte_maps({.op_count = 14, .max_reads = 3, .percent_strided = 60}, seed);
  }
}

TEST(BufferRace, EqualsByteMapsWithMutexesAndGroups) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    expect_equal_to_byte_maps({.op_count = 14, .mutex_count = 3, .group_count = 2}, seed);
  }
}

TEST(BufferRace, EqualsByteMapsAcrossBlocksOfColumns) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    expect_equal_to_byte_maps({.op_count = 200, .percent_edges = 1, .percent_strided = 20, .mutex_count = 2}, seed, 64);
  }
}

}  // namespace
}  // namespace detent::verify
