// Laws of the closure, of races and of their witnesses.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "properties/law.hpp"
#include "tests/verify/random_graph.hpp"
#include "tests/verify/static/naive_races.hpp"
#include "verify/explore/ops/space/space.hpp"
#include "verify/graph/order.hpp"
#include "verify/graph/schedule.hpp"
#include "verify/static/structure.hpp"

namespace detent::laws {
namespace {

using support::DescTables;
using verify::Race;
using verify::testing::close_naively;
using verify::testing::describe_difference;
using verify::testing::find_races_naively;

RC_GTEST_PROP(ClosureLaw, EqualsTheNaiveClosure, ()) {
  law_of(graphs({.graph = {.most_ops = 90}}), verify_command, [](const GraphCase& g) {
    const DescTables tables(g.graph);
    const auto naive = close_naively(tables.desc);
    const verify::Order order(tables.desc);
    verify::ReachBlock block(order, 64);
    for (std::uint32_t first = 0; first < order.op_count(); first += 64) {
      block.compute(first);
      for (std::uint32_t p = 0; p < first + block.column_count(); ++p) {
        for (std::uint32_t c = 0; c < block.column_count(); ++c) {
          RC_ASSERT(block.precedes(p, c) == naive[order.op_at(p)][order.op_at(first + c)]);
        }
      }
    }
  });
}

RC_GTEST_PROP(RaceLaw, EqualsByteMaps, ()) {
  law_of(graphs({.graph = {.mutexes = true, .commutes = true, .strided = true}}), verify_command,
         [](const GraphCase& g) {
           const DescTables tables(g.graph);
           RC_ASSERT(describe_difference(verify::find_races(tables.desc), find_races_naively(tables.desc)) == "");
         });
}

/// Decided pair by pair, as above a number of ops, the races are the same in the same order.
RC_GTEST_PROP(RaceLaw, PairByPairEqualsByteMaps, ()) {
  law_of(graphs({.graph = {.mutexes = true, .commutes = true, .strided = true}}), verify_command,
         [](const GraphCase& g) {
           const DescTables tables(g.graph);
           verify::RaceReport report = verify::find_races(tables.desc, {.max_counted_ops = 0});
           const verify::testing::NaiveRaces naive = find_races_naively(tables.desc);
           report.unordered_pairs = naive.unordered_pairs;  // not counted
           report.conflicting_pairs = report.conflicting_pairs.value_or(naive.conflicting_pairs);
           RC_ASSERT(describe_difference(report, naive) == "");
         });
}

RC_GTEST_PROP(RaceLaw, WitnessSchedulesAreLinearExtensionsThatReverseTheIds, ()) {
  law_of(graphs({.graph = {.strided = true}}), verify_command, [](const GraphCase& g) {
    const DescTables tables(g.graph);
    for (const verify::Witness& witness : verify::check_buffer_races(tables.desc).witnesses) {
      RC_ASSERT(verify::is_linear_extension(tables.desc, witness.schedule));
      const auto at = std::find(witness.schedule.begin(), witness.schedule.end(), witness.ops[1]);
      RC_ASSERT(at + 1 != witness.schedule.end());
      RC_ASSERT(*(at + 1) == witness.ops[0]);
    }
  });
}

RC_GTEST_PROP(RaceLaw, OrderingEveryConflictLeavesNone, ()) {
  law_of(graphs({.graph = {.strided = true}, .race_free = true}), verify_command, [](const GraphCase& g) {
    const DescTables tables(g.graph);
    RC_ASSERT(verify::check_structure(tables.desc).outcome == verify::Outcome::kHolds);
    RC_ASSERT(verify::find_races(tables.desc).races.count == 0U);
  });
}

RC_GTEST_PROP(RaceLaw, DroppingAnEdgeGivesExactlyTheConflictsItAloneOrdered, ()) {
  law_of(graphs({.race_free = true}), verify_command, [](const GraphCase& g) {
    if (g.graph.edges.empty()) return;
    const auto before = close_naively(DescTables(g.graph).desc);
    GraphCase less = g;
    const auto dropped = static_cast<std::ptrdiff_t>(g.seed % g.graph.edges.size());
    const Edge edge = g.graph.edges[static_cast<std::size_t>(dropped)];
    less.graph.edges.erase(less.graph.edges.begin() + dropped);
    const DescTables tables(less.graph);
    const verify::RaceReport report = verify::find_races(tables.desc);
    RC_ASSERT(describe_difference(report, find_races_naively(tables.desc)) == "");
    for (const Race& race : report.races.listed) {
      const auto through = [&](std::uint32_t x, std::uint32_t y) {
        return (x == edge.from || before[x][edge.from]) && (y == edge.to || before[edge.to][y]);
      };
      RC_ASSERT(through(race.op_a, race.op_b) || through(race.op_b, race.op_a));
    }
  });
}

/// The explorer's open pairs by bytes are the static races and order-dependent pairs.
RC_GTEST_PROP(RaceLaw, OpenPairsAreTheRacingAndOrderDependentOnes, ()) {
  law_of(graphs({.graph = {.mutexes = true, .commutes = true}}), explore_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const verify::RaceReport report = verify::find_races(model.desc());
    std::set<std::pair<std::uint32_t, std::uint32_t>> races, dependent, open_races, open_dependent;
    for (const Race& race : report.races.listed) races.emplace(race.op_a, race.op_b);
    for (const Race& race : report.order_dependent.listed) dependent.emplace(race.op_a, race.op_b);
    const verify::explore::OpSpace space(model.desc());
    for (const verify::explore::OpPair& pair : space.pairs()) {
      (pair.kind == verify::explore::PairKind::kRace ? open_races : open_dependent).emplace(pair.op_a, pair.op_b);
    }
    RC_ASSERT(open_races == races);
    RC_ASSERT(open_dependent == dependent);
  });
}

/// More order, fewer races: an edge adds none.
RC_GTEST_PROP(RaceLaw, AnEdgeNeverAddsARace, ()) {
  law_of(graphs(), verify_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const verify::RaceReport all = verify::find_races(model.desc());
    GraphCase chained = g;
    const std::vector<std::uint32_t> order = order_of(model.desc(), g.schedule);
    const std::size_t at = g.seed % order.size();
    if (at + 1 < order.size()) {
      const Edge edge{order[at], order[at + 1], 0, 0};
      const bool is_new = std::none_of(g.graph.edges.begin(), g.graph.edges.end(),
                                       [&](const Edge& e) { return e.from == edge.from && e.to == edge.to; });
      if (is_new) chained.graph.edges.push_back(edge);
    }
    const models::LoweredModel with_edge = lowered(chained);
    RC_ASSERT(verify::find_races(with_edge.desc()).races.count <= all.races.count);
  });
}

}  // namespace
}  // namespace detent::laws
