// Ops declared commutative may leave other bytes in another order. The exploration held, as declared, and said at once
// that runs differ and that every schedule computes the same bytes.
#include <gtest/gtest.h>

#include "tests/verify/random_graph.hpp"
#include "verify/explore/ops/explore.hpp"

namespace detent {
namespace {

TEST(Regress, AnExplorationSaysThatCommutingOpsChangeBytes) {
  verify::testing::GraphSpec spec = verify::testing::make_ops(2);
  spec.mutex_count = 1;
  for (verify::testing::OpSpec& op : spec.ops) {
    op.reads = op.writes = {{0, 0, 8}};
    op.mutexes = {0};
    op.commute_group = 0;
  }
  const verify::testing::DescTables tables(spec);
  const verify::explore::OpSpace space(tables.desc);
  const verify::explore::OpExploreReport report = explore_ops(space, {.given = {{0, 1}, {1, 0}}});
  EXPECT_EQ(report.differing, 1U);
  EXPECT_EQ(report.verdict.outcome, verify::Outcome::kHolds);
  EXPECT_EQ(report.verdict.summary,
            "no pair conflicts by bytes but those declared commutative, whose order changed the bytes of 1 of 3 runs; "
            "--commuting-orders explores it");
}

}  // namespace
}  // namespace detent
