// Laws of what mends a model: edges that order all races, and not one of them too many.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "properties/law.hpp"
#include "tests/verify/static/naive_races.hpp"
#include "verify/graph/extended_desc.hpp"
#include "verify/repair/edge_repair.hpp"

namespace detent::laws {
namespace {

using support::DescTables;
using verify::testing::find_races_naively;

bool is_racy(const detent_desc& desc) {
  const verify::testing::NaiveRaces found = find_races_naively(desc);
  return !found.races.empty() || !found.order_dependent.empty();
}

RC_GTEST_PROP(RepairLaw, EdgesLeaveNoRaceAndEachOfThemIsNeeded, ()) {
  law_of(graphs({.graph = {.mutexes = true, .commutes = true, .strided = true}}), verify_command,
         [](const GraphCase& g) {
           const DescTables tables(g.graph);
           const verify::EdgeRepair repair = verify::find_edge_repair(tables.desc, nullptr);
           RC_CLASSIFY(repair.edges.size() > 1, "several edges");
           RC_ASSERT(repair.mends);
           RC_ASSERT(repair.edges.empty() == !is_racy(tables.desc));
           RC_ASSERT(!is_racy(verify::ExtendedDesc(tables.desc, repair.edges).desc()));
           RC_ASSERT(repair.before.length <= repair.after.length);
           for (std::size_t i = 0; i < repair.edges.size(); ++i) {
             std::vector<verify::OpEdge> fewer = repair.edges;
             fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
             RC_ASSERT(is_racy(verify::ExtendedDesc(tables.desc, fewer).desc()));
           }
         });
}

}  // namespace
}  // namespace detent::laws
