// The runs with real threads: race-free graphs give one digest, and their traces obey the rules.
#include <gtest/gtest.h>

#include "tests/verify/random_graph.hpp"
#include "verify/runs/determinism.hpp"
#include "verify/runs/trace_rules.hpp"

namespace detent::verify {
namespace {

using namespace testing;

/// Random DAG in which every op writes bytes of its own and reads those of its predecessors.
GraphSpec dataflow(std::uint64_t seed) {
  GraphSpec spec = make_random_spec(seed, {.op_count = 30, .percent_edges = 8, .max_reads = 0, .max_writes = 0});
  support::add_dataflow(spec, 64);
  return spec;
}

TEST(DeterminismThreads, RaceFreeGraphsGiveOneDigestOnAllWorkersModesAndPolicies) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const DescTables tables(dataflow(seed));
    ASSERT_EQ(check_buffer_races(tables.desc).outcome, Outcome::kHolds);
    const DeterminismReport report = check_determinism(tables.desc, {.worker_counts = {0, 1, 2, 3}, .max_runs = 40});
    EXPECT_EQ(report.verdict.outcome, Outcome::kHolds) << report.verdict.summary;
    EXPECT_EQ(report.runs.size(), 33U);
  }
}

TEST(DeterminismThreads, NativeTracesObeyTheRules) {
  const DescTables tables(dataflow(9));
  for (const std::uint32_t workers : {0U, 1U, 3U}) {
    const harness::Run run = harness::run_native(tables.desc, {.engine = {.workers = workers}});
    ASSERT_EQ(run.result.error.status, DETENT_OK);
    const Verdict verdict = check_trace(tables.desc, run.trace, workers + 1, run.makespan_ps);
    EXPECT_EQ(verdict.outcome, Outcome::kHolds) << (verdict.witnesses.empty() ? "" : verdict.witnesses[0].text);
  }
}

}  // namespace
}  // namespace detent::verify
