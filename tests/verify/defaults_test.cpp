// Values that nobody has filled in claim nothing, and options that nobody has set are what the headers say.
#include "tests/defaults.hpp"

#include <gtest/gtest.h>

#include "verify/graph/byte_set.hpp"
#include "verify/graph/precedence.hpp"
#include "verify/graph/values.hpp"
#include "verify/runs/access_audit.hpp"
#include "verify/runs/determinism.hpp"
#include "verify/static/access_table.hpp"
#include "verify/static/buffer_race.hpp"
#include "verify/static/lifetimes.hpp"
#include "verify/timing/problem.hpp"
#include "verify/timing/response.hpp"
#include "verify/verdict/findings.hpp"

namespace detent::verify {
namespace {

using test::expect_zero;

TEST(VerifyDefaults, ResultsClaimNothing) {
  EXPECT_EQ(Verdict{}.outcome, Outcome::kUnknown);
  expect_zero(Findings{}.total);
  const AccessFinding finding;
  expect_zero(finding.op, finding.fault, finding.region, finding.begin, finding.end, finding.byte_count);
  const AccessSlack slack;
  expect_zero(slack.op, slack.read_bytes, slack.scratch_bytes);
  expect_zero(AccessAudit{}.observed_ops);
  const Race race;
  expect_zero(race.op_a, race.op_b, race.kind, race.region, race.offset_bytes, race.size_bytes, race.tensor_a,
              race.tensor_b);
  expect_zero(RaceList{}.count, RaceList{}.pairs, RaceReport{}.unordered_pairs, RaceReport{}.conflicting_pairs);
  expect_zero(DigestRun{}.digest, DeterminismReport{}.serial_digest);
  const LifetimeOverlap overlap;
  expect_zero(overlap.tensor_a, overlap.tensor_b);
  EXPECT_EQ(overlap.op, DETENT_NONE);
  EXPECT_EQ(overlap.unordered_op, DETENT_NONE);
  const Bound bound;
  expect_zero(bound.bound_ps, bound.is_upper, bound.exact);
  expect_zero(Response{}.op, Response{}.min_ps, Response{}.max_ps);
  const OpEnds ends;
  expect_zero(ends.earliest_ps, ends.latest_ps, ends.earliest_seed, ends.latest_seed);
}

TEST(VerifyDefaults, PartsOfTables) {
  const Access access;
  expect_zero(access.begin, access.end, access.begin_rank, access.end_rank);
  EXPECT_EQ(access.strided, DETENT_NONE);
  const ByteSet bytes;
  expect_zero(bytes.begin, bytes.block_bytes, bytes.stride_bytes);
  EXPECT_EQ(bytes.count, 1U);
  expect_zero(ByteRange{}.begin, ByteRange{}.end, Value{}.tensor, Value{}.region);
  expect_zero(ValuePair{}.before, ValuePair{}.after);
  const Disorder disorder;
  expect_zero(disorder.pair, disorder.user_before, disorder.user_after);
  const TimedOp op;
  expect_zero(op.best_ps, op.worst_ps, op.core_class, op.role_ps);
  expect_zero(TimingProblem{}.fixed_ps, TimingInputs{}.fixed_ps, TimingInputs{}.one_pool);
}

TEST(VerifyDefaults, Options) {
  EXPECT_EQ(RaceOptions{}.max_listed, 10'000U);
  EXPECT_EQ(RaceOptions{}.block_columns, 0U);
  const DeterminismOptions runs;
  EXPECT_EQ(runs.worker_counts, (std::vector<std::uint32_t>{0, 1, 2, 3, 8}));
  EXPECT_EQ(runs.random_seeds, 8U);
  EXPECT_EQ(runs.permuted_orders, 8U);
  EXPECT_EQ(runs.max_runs, 32U);
  EXPECT_EQ(runs.max_ops, 50'000'000U);
  EXPECT_EQ(runs.seeds.schedule, 1U);
  EXPECT_EQ(runs.seeds.input, 0U);
  EXPECT_TRUE(ResponseOptions{}.is_work_conserving);
  EXPECT_EQ(ResponseOptions{}.exact_ops, 20'000U);
}

}  // namespace
}  // namespace detent::verify
