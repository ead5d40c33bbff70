// Laws of the closure, of races and of their witnesses.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "properties/verify/arbitrary.hpp"
#include "tests/verify/naive_races.hpp"
#include "verify/order.hpp"
#include "verify/schedule.hpp"
#include "verify/structure.hpp"

namespace detent::verify {
namespace {

using namespace testing;

RC_GTEST_PROP(ClosureLaw, EqualsTheNaiveClosure, ()) {
  DescSpec spec = make_ops(1 + pick_below(90));
  spec.edges = pick_edges(static_cast<std::uint32_t>(spec.ops.size()));
  const DescTables tables(spec);
  const auto naive = close_naively(tables.desc);
  const Order order(tables.desc);
  ReachBlock block(order, 64);
  for (std::uint32_t first = 0; first < order.op_count(); first += 64) {
    block.compute(first);
    for (std::uint32_t p = 0; p < first + block.column_count(); ++p) {
      for (std::uint32_t c = 0; c < block.column_count(); ++c) {
        RC_ASSERT(block.precedes(p, c) == naive[order.op_at(p)][order.op_at(first + c)]);
      }
    }
  }
}

RC_GTEST_PROP(RaceLaw, EqualsByteMaps, ()) {
  const DescTables tables(pick_spec({.mutexes = pick_below(2) == 0}));
  RC_ASSERT(describe_difference(find_races(tables.desc), find_races_naively(tables.desc)) == "");
}

RC_GTEST_PROP(RaceLaw, WitnessSchedulesAreLinearExtensionsThatReverseTheIds, ()) {
  const DescTables tables(pick_spec());
  for (const Witness& witness : check_buffer_races(tables.desc).witnesses) {
    RC_ASSERT(is_linear_extension(tables.desc, witness.schedule));
    const auto at = std::find(witness.schedule.begin(), witness.schedule.end(), witness.ops[1]);
    RC_ASSERT(at + 1 != witness.schedule.end());
    RC_ASSERT(*(at + 1) == witness.ops[0]);
  }
}

RC_GTEST_PROP(RaceLaw, OrderingEveryRaceLeavesNone, ()) {
  DescSpec spec = pick_spec();
  order_all_races(spec);
  const DescTables tables(spec);
  RC_ASSERT(check_structure(tables.desc).outcome == Outcome::kHolds);
  RC_ASSERT(find_races(tables.desc).races.count == 0U);
}

RC_GTEST_PROP(RaceLaw, DroppingAnEdgeGivesExactlyTheConflictsItAloneOrdered, ()) {
  DescSpec spec = pick_spec();
  order_all_races(spec);
  if (spec.edges.empty()) return;
  const std::uint32_t dropped = pick_below(static_cast<std::uint32_t>(spec.edges.size()));
  const auto [from, to] = spec.edges[dropped];
  const auto before = close_naively(DescTables(spec).desc);
  spec.edges.erase(spec.edges.begin() + dropped);
  const DescTables tables(spec);
  const RaceReport report = find_races(tables.desc);
  RC_ASSERT(describe_difference(report, find_races_naively(tables.desc)) == "");
  for (const Race& race : report.races.listed) {
    const auto through = [&](std::uint32_t x, std::uint32_t y) {
      return (x == from || before[x][from]) && (y == to || before[to][y]);
    };
    RC_ASSERT(through(race.op_a, race.op_b) || through(race.op_b, race.op_a));
  }
}

}  // namespace
}  // namespace detent::verify
