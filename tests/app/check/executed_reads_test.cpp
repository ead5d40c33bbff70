// What runs say about reads, beside what was proved of them.
#include "app/check/executed_reads.hpp"

#include <gtest/gtest.h>

#include "app/static/static_checks.hpp"

namespace detent::app {
namespace {

using verify::Outcome;

verify::Verdict proved(const LoadedModel& loaded) {
  return check_static_laws(loaded.desc(), &loaded.values).verdicts.back();
}

TEST(ExecutedReads, FollowedRunsAreCounted) {
  const LoadedModel loaded = load("diamond", {});
  CheckResult result;
  verify::Verdict verdict = proved(loaded);
  add_executed_reads(loaded, result, {}, verdict);
  EXPECT_EQ(verdict.summary, proved(loaded).summary) << "nothing was run";
  result.native.emplace();
  result.native->makespan_ps = 80;
  result.native->trace.spans = {{0, 0, 0, 20, 1}, {1, 0, 20, 40, 2}, {2, 1, 20, 50, 3}, {3, 0, 50, 80, 4}};
  add_executed_reads(loaded, result, {.reads = 6, .runs = 3}, verdict);
  EXPECT_EQ(verdict.outcome, Outcome::kHolds);
  EXPECT_TRUE(verdict.summary.ends_with("; followed in 3 explored, 0 simulated and 1 native run")) << verdict.summary;
  verdict = proved(loaded);
  result.native->trace.spans.pop_back();  // breaks a rule of traces, and is judged by it
  add_executed_reads(loaded, result, {.reads = 6, .runs = 3}, verdict);
  EXPECT_TRUE(verdict.summary.ends_with("; followed in 3 explored, 0 simulated and 0 native runs")) << verdict.summary;
}

TEST(ExecutedReads, AMissThatNoProofForetoldIsAViolation) {
  const LoadedModel loaded = load("diamond", {});
  verify::Verdict verdict = proved(loaded);
  const verify::MissedRead missed{3, "branch0", 2, 1, 256, 8};
  add_executed_reads(loaded, {}, {.reads = 6, .runs = 4, .missing = 1, .first = missed, .schedule = {0, 1, 2, 3}},
                     verdict);
  EXPECT_EQ(verdict.outcome, Outcome::kViolated);
  EXPECT_EQ(verdict.summary,
            "5 reads and 1 output of a value: each finds it in every byte on every schedule; followed in 4 explored, 0 "
            "simulated and 0 native runs, in 1 of which a read finds other bytes");
  ASSERT_EQ(verdict.witnesses.size(), 1U);
  EXPECT_EQ(verdict.witnesses[0].ops, (std::vector<std::uint32_t>{2, 3}));
  const std::size_t known = verdict.witnesses.size();
  add_executed_reads(loaded, {}, {.reads = 6, .runs = 4, .missing = 1, .first = missed}, verdict);
  EXPECT_EQ(verdict.witnesses.size(), known) << "what is violated already has its witnesses";
}

}  // namespace
}  // namespace detent::app
