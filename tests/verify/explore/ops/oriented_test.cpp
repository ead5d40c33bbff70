// Decisions as edges.
#include "verify/explore/ops/oriented.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include <detent/detent.h>

#include "tests/verify/explore/ops/programs.hpp"
#include "verify/explore/ops/runner.hpp"
#include "verify/graph/schedule.hpp"

namespace detent::verify::explore {
namespace {

using testing::DescTables;

std::vector<std::uint32_t> all_ops(const OpSpace& space) {
  std::vector<std::uint32_t> ops(space.desc().op_count);
  std::iota(ops.begin(), ops.end(), 0U);
  return ops;
}

TEST(Oriented, DecisionsLeaveOneTraceOfTheSameBytes) {
  const DescTables tables(testing::make_program({{"w0", "r1"}, {"w1", "r0"}, {"u0"}}));
  const OpSpace space(tables.desc);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::vector<std::uint32_t> schedule = make_random_schedule(space.order(), seed);
    const OrientedDesc oriented(tables.desc, decisions_of(space, schedule));
    EXPECT_TRUE(is_linear_extension(oriented.desc(), schedule));
    const OpSpace settled(oriented.desc());
    EXPECT_TRUE(settled.pairs().empty());
    OpRunner runner(tables.desc, {});
    OpRunner oriented_runner(oriented.desc(), {});
    EXPECT_EQ(runner.run(schedule).digest, oriented_runner.run(order_under(settled, {})).digest);
  }
}

TEST(Oriented, EdgesThatAreThereChangeNothing) {
  const DescTables tables(testing::make_program({{"w0", "r0"}, {"w1"}}));
  const std::vector<Constraint> edges{{0, 1}, {2, 1}, {2, 1}};
  const OrientedDesc oriented(tables.desc, edges);
  EXPECT_EQ(oriented.desc().successor_count, 2U);
  EXPECT_EQ(oriented.desc().ops[1].entry_count, 2U);
  std::vector<std::uint8_t> work(detent_check_bytes(&oriented.desc()));
  detent_error error{};
  EXPECT_EQ(detent_check(&oriented.desc(), work.data(), work.size(), &error), DETENT_OK);
}

TEST(Oriented, OpenDecisionsAreThoseThatConstraintsDoNotSettle) {
  const DescTables tables(testing::make_alike(3, {"u0"}));
  const OpSpace space(tables.desc);
  const std::vector<std::uint32_t> schedule{2, 1, 0};
  EXPECT_EQ(open_decisions(space, schedule, {}, all_ops(space)).size(), 3U);
  const std::vector<Constraint> one{{2, 1}};
  EXPECT_EQ(open_decisions(space, schedule, one, all_ops(space)), (std::vector<Constraint>{{1, 0}, {2, 0}}));
  EXPECT_TRUE(open_decisions(space, schedule, one, {1, 2}).empty()) << "op 0 does not take part";
  const std::vector<Constraint> both{{2, 1}, {1, 0}};
  EXPECT_TRUE(open_decisions(space, schedule, both, all_ops(space)).empty()) << "2 before 0 follows";
}

}  // namespace
}  // namespace detent::verify::explore
