// Laws of what all other laws stand on: GraphCase, its shrinking, its file, its orders.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <sstream>

#include "models/files/graph_file.hpp"
#include "properties/law.hpp"
#include "tests/support/desc_tables.hpp"
#include "tests/verify/static/naive_races.hpp"
#include "verify/graph/schedule.hpp"

namespace detent::laws {
namespace {

constexpr GraphOptions kEverything{
    .graph = {.most_ops = 10, .mutexes = true, .commutes = true, .strided = true, .npu = true, .delays = true},
    .faults = true,
    .moments = true};

std::string text_of(const GraphCase& g) {
  std::ostringstream text;
  text << g;
  return text.str();
}

bool is_inside(const std::vector<Range>& ranges) {
  return std::all_of(ranges.begin(), ranges.end(), [](const Range& r) {
    return r.region < 2 && r.size > 0 && r.count > 0 && (r.count == 1 || r.stride >= r.size) &&
           r.offset + (r.count - 1) * r.stride + r.size <= GraphShape::kRegionBytes;
  });
}

void assert_valid(const GraphCase& g) {
  RC_ASSERT(!g.graph.ops.empty());
  RC_ASSERT(g.faulty_op < g.graph.ops.size());
  RC_ASSERT(g.workers >= 1U);
  for (const OpSpec& op : g.graph.ops) {
    RC_ASSERT(op.best_ps <= op.worst_ps);
    RC_ASSERT(op.release_min_ps <= op.release_max_ps);
    RC_ASSERT(is_inside(op.reads) && is_inside(op.writes));
  }
  const models::LoweredModel model = lowered(g);
  RC_ASSERT(g.faults.injects());
  harness::check_faults(g.faults, model.desc(), true);
  RC_ASSERT(order_of(model.desc(), g.schedule).size() == model.desc().op_count);  // no cycle
}

RC_GTEST_PROP(GraphSpecLaw, TablesOfEveryGraphPassTheCheck, ()) {
  law_of_values(graph_specs(kEverything.graph), [](const GraphSpec& graph) {
    const support::DescTables tables(graph);
    std::vector<std::uint8_t> work(detent_check_bytes(&tables.desc));
    RC_ASSERT(detent_check(&tables.desc, work.data(), work.size(), nullptr) == DETENT_OK);
  });
}

RC_GTEST_PROP(GraphCaseLaw, EveryValueAndEverySmallerOneIsValid, ()) {
  law_of(graphs(kEverything), verify_command, [](const GraphCase& g) {
    assert_valid(g);
    for (const GraphCase& smaller : smaller_cases(g)) {
      assert_valid(smaller);
      RC_ASSERT(text_of(smaller) != text_of(g));
    }
  });
}

/// Whichever smaller value fails, shrinking ends.
RC_GTEST_PROP(GraphCaseLaw, ShrinkingEnds, ()) {
  law_of(graphs(kEverything), verify_command, [](const GraphCase& g) {
    GraphCase at = g;
    std::size_t steps = 0;
    for (std::vector<GraphCase> smaller = smaller_cases(at); !smaller.empty(); smaller = smaller_cases(at)) {
      at = smaller[(g.seed + steps) % smaller.size()];
      RC_ASSERT(++steps < 5000U);
    }
    RC_ASSERT(at.graph.ops.size() == 1U);
    RC_ASSERT(at.graph.edges.empty());
    RC_ASSERT(at.graph.ops[0].reads.empty() && at.graph.ops[0].writes.empty());
    RC_ASSERT(at.workers == 1U);
  });
}

RC_GTEST_PROP(GraphCaseLaw, ItsFileHoldsTheWholeModel, ()) {
  law_of(graphs(kEverything), verify_command, [](const GraphCase& g) {
    const models::Model model = to_model(g);
    RC_ASSERT((models::parse_graph(models::format_graph(model), "g") == model));
  });
}

RC_GTEST_PROP(GraphCaseLaw, ConflictsThatAreOrderedRaceNoMore, ()) {
  law_of(graphs(kEverything), verify_command, [](const GraphCase& g) {
    GraphCase ordered = g;
    order_conflicts(ordered.graph);
    const support::DescTables tables(ordered.graph);
    const verify::testing::NaiveRaces races = verify::testing::find_races_naively(tables.desc);
    RC_ASSERT(races.races.empty());
    RC_ASSERT(races.order_dependent.empty());
    RC_ASSERT(ordered.graph.edges.size() >= g.graph.edges.size());
  });
}

RC_GTEST_PROP(GraphCaseLaw, AnyScheduleIsAnOrderAndTheEmptyOneTakesTheLowestId, ()) {
  law_of(graphs({.graph = {.most_ops = 20, .delays = true}}), native_order_line, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    RC_ASSERT(verify::is_linear_extension(model.desc(), order_of(model.desc(), g.schedule)));
    const std::vector<std::uint32_t> order = order_of(model.desc(), {});
    RC_ASSERT(verify::is_linear_extension(model.desc(), order));
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {  // a later op of lower id waited for the one before it
      if (order[i + 1] > order[i]) continue;
      const detent_slice next = model.desc().ops[order[i]].successors;
      const std::uint32_t* first = model.desc().successors + next.first;
      RC_ASSERT(std::find(first, first + next.count, order[i + 1]) != first + next.count);
    }
  });
}

/// What a law draws depends on RapidCheck's seed alone.
RC_GTEST_PROP(GraphCaseLaw, EqualSeedsDrawEqualValues, ()) {
  law_of_values(rc::gen::arbitrary<std::uint64_t>(), [](std::uint64_t seed) {
    const rc::Gen<GraphCase> gen = graphs(kEverything);
    RC_ASSERT(text_of(gen(rc::Random(seed), 50).value()) == text_of(gen(rc::Random(seed), 50).value()));
  });
}

}  // namespace
}  // namespace detent::laws
