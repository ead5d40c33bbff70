// Laws of determinism: the proof holds what it promises when graphs run in permuted orders, on one worker.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "properties/verify/arbitrary.hpp"
#include "verify/determinism.hpp"
#include "verify/schedule.hpp"

namespace detent::verify {
namespace {

using namespace testing;

std::uint64_t run_in_order(const detent_desc& desc, const std::vector<std::uint32_t>& order) {
  harness::NativeOptions options;
  options.worker_count = 1;
  options.policy = "given";
  options.order = order;
  const harness::Run run = harness::run_native(desc, options);
  RC_ASSERT(run.result.error.status == DETENT_OK);
  return run.digest;
}

RC_GTEST_PROP(DeterminismLaw, RaceFreeGraphsGiveOneDigestInEveryOrder, ()) {
  DescSpec spec = pick_spec();
  order_all_races(spec);
  const DescTables tables(spec);
  RC_ASSERT(judge_determinism(tables.desc, find_races(tables.desc)).outcome == Outcome::kHolds);
  const std::uint64_t serial = harness::run_native(tables.desc, {.worker_count = 0}).digest;
  const Order order(tables.desc);
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    RC_ASSERT(run_in_order(tables.desc, make_random_schedule(order, seed)) == serial);
  }
}

/// An observer reads every byte at the end and two writers race: the two orders must differ, or the mixing kernel
/// would hide races from every dynamic check.
RC_GTEST_PROP(DeterminismLaw, TwoOrdersOfAWriteRaceGiveTwoDigests, ()) {
  const std::uint32_t first = pick_below(24);
  const std::uint32_t second = first + pick_below(8);
  DescSpec spec = make_ops(3);
  spec.region_bytes = {64, 64};
  spec.ops[0].writes = {{0, first, 8}};
  spec.ops[1].writes = {{0, second, 8}};
  spec.ops[2].reads = {{0, 0, 64}};
  spec.ops[2].writes = {{1, 0, 64}};
  spec.edges = {{0, 2}, {1, 2}};
  const DescTables tables(spec);
  RC_ASSERT(run_in_order(tables.desc, {0, 1, 2}) != run_in_order(tables.desc, {1, 0, 2}));
}

}  // namespace
}  // namespace detent::verify
