// Explorations of op schedules to the last figure: each strategy's schedules, what was counted, covered and found.
#include <gtest/gtest.h>

#include <cstdio>
#include <stdexcept>

#include "tests/verify/explore/ops/programs.hpp"
#include "tests/verify/verdict_text.hpp"
#include "verify/explore/coverage/cover_goals.hpp"
#include "verify/explore/ops/explore.hpp"
#include "verify/explore/ops/report.hpp"
#include "verify/explore/ops/space/reach.hpp"
#include "verify/explore/ops/strategy.hpp"

namespace detent::verify::explore {
namespace {

using testing::DescTables;
using testing::GraphSpec;
using testing::list_text;
using testing::text_of;

/// Six digits: the last ones are the C library's.
std::string figure(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string figures_of(const TraceCount& count) {
  return format_count(count.total) + (count.exact ? " exactly" : " at least") + (count.overflow ? ", too many" : "");
}

std::string figures_of(const PairCoverage& pairs) {
  return std::to_string(pairs.conflicting_both) + "/" + std::to_string(pairs.conflicting_total) + " conflicting, " +
         std::to_string(pairs.unordered_both) + "/" + std::to_string(pairs.unordered_total) + " unordered" +
         (pairs.unordered_known ? "" : "?");
}

std::string figures_of(const OpFailure& failure) {
  std::string text = "failure: " + std::to_string(failure.pair.op_a) + " " + std::to_string(failure.pair.op_b) + ";";
  for (const Constraint& c : failure.constraints) {
    text += " " + std::to_string(c.first) + "<" + std::to_string(c.then);
  }
  return text + " {" + list_text(failure.schedule) + "} [" + list_text(failure.ops) + "] " +
         std::to_string(failure.workers) + " workers, " + (failure.digest == failure.serial_digest ? "same" : "other") +
         " digest, " + failure.shown + ", " + std::to_string(failure.executions) + " executions\n";
}

std::string figures_of(const OpExploreReport& r) {
  std::string text = text_of(r.verdict) + "traces: " + figures_of(r.count);
  if (r.estimate) {
    text += ", about " + figure(r.estimate->total) + " +- " + figure(r.estimate->standard_error) + " of " +
            std::to_string(r.estimate->samples);
  }
  text += "\npairs: " + std::to_string(r.open_pairs) + " open, " + std::to_string(r.racing_pairs) + " racing, " +
          std::to_string(r.order_dependent_pairs) + " dependent, " + std::to_string(r.ignored_pairs) + " ignored; " +
          figures_of(r.pairs);
  text += "\nruns: " + std::to_string(r.executions) + ", " + std::to_string(r.seen) + " seen, " +
          std::to_string(r.redundant()) + " redundant" + (r.finished ? ", finished" : "") + ", " +
          std::to_string(r.differing) + " differ, share " + figure(r.differing_share) + ", unseen " +
          (r.unseen_mass ? figure(*r.unseen_mass) : "-");
  text += "\nreachable by " + std::to_string(r.reachable.workers) + ": " + std::to_string(r.reachable.reachable) + "+" +
          std::to_string(r.reachable.unknown) + " of " + std::to_string(r.reachable.checked) + "\n";
  for (const ExecutedSchedule& schedule : r.schedules) {
    text += "{" + list_text(schedule.order) + "}" + (schedule.digest == r.serial_digest ? "\n" : " *\n");
  }
  return text + (r.failure ? figures_of(*r.failure) : "");
}

std::string explored(const GraphSpec& spec, const OpExploreOptions& options) {
  const DescTables tables(spec);
  const OpSpace space(tables.desc, options.space);
  return figures_of(explore_ops(space, options));
}

/// Two threads of two and one that reads: four open pairs.
GraphSpec litmus() { return testing::make_program({{"w0", "w1"}, {"r1", "w0"}, {"r0"}}); }

TEST(OpFigures, EachStrategyOnALitmusTest) {
  EXPECT_EQ(
      explored(litmus(), {}),
      "op_schedules violated: 4 racing and 0 order-dependent pairs: the result depends on the schedule\n"
      "- raw: op 1 (w1_1) writes and op 2 (r1_2) reads bytes [8, 16) of r0 (tensor 1 (w1_1.w0), tensor 2 (r1_2.r0)), "
      "and no path orders them; op 2 (r1_2) reads other bytes [1 2] {0 2 1 3 4}\n"
      "traces: 9 exactly\n"
      "pairs: 4 open, 4 racing, 0 dependent, 0 ignored; 4/4 conflicting, 8/8 unordered\n"
      "runs: 9, 9 seen, 0 redundant, finished, 3 differ, share 0.333333, unseen 0\n"
      "reachable by 3: 9+0 of 9\n"
      "{0 1 2 3 4}\n"
      "{0 4 1 2 3}\n"
      "{4 0 1 2 3}\n"
      "{0 2 3 4 1}\n"
      "{0 4 2 1 3}\n"
      "{4 0 2 1 3}\n"
      "{2 3 0 4 1} *\n"
      "{2 3 4 0 1} *\n"
      "{4 2 3 0 1} *\n"
      "failure: 1 2; 2<1 {0 2 1 3 4} [0 1 2] 2 workers, same digest, op 2 (r1_2) reads other bytes, 6 executions\n");
  EXPECT_EQ(
      explored(litmus(), {.strategy = "sample", .budget = 6, .seed = 2}),
      "op_schedules violated: 4 racing and 0 order-dependent pairs: the result depends on the schedule\n"
      "- raw: op 1 (w1_1) writes and op 2 (r1_2) reads bytes [8, 16) of r0 (tensor 1 (w1_1.w0), tensor 2 (r1_2.r0)), "
      "and no path orders them; op 2 (r1_2) reads other bytes [1 2] {0 2 1 3 4}\n"
      "traces: 9 exactly\n"
      "pairs: 4 open, 4 racing, 0 dependent, 0 ignored; 4/4 conflicting, 7/8 unordered\n"
      "runs: 6, 5 seen, 1 redundant, 1 differ, share 0.222222, unseen 0.666667\n"
      "reachable by 3: 5+0 of 5\n"
      "{2 3 4 0 1} *\n"
      "{4 0 1 2 3}\n"
      "{0 4 2 1 3}\n"
      "{0 4 1 2 3}\n"
      "{0 2 3 4 1}\n"
      "{0 4 1 2 3}\n"
      "failure: 1 2; 2<1 {0 2 1 3 4} [0 1 2] 2 workers, same digest, op 2 (r1_2) reads other bytes, 6 executions\n");
  EXPECT_EQ(
      explored(litmus(), {.strategy = "pairs", .workers = 2}),
      "op_schedules violated: 4 racing and 0 order-dependent pairs: the result depends on the schedule\n"
      "- raw: op 1 (w1_1) writes and op 2 (r1_2) reads bytes [8, 16) of r0 (tensor 1 (w1_1.w0), tensor 2 (r1_2.r0)), "
      "and no path orders them; op 2 (r1_2) reads other bytes [1 2] {0 2 1 3 4}\n"
      "traces: 9 exactly\n"
      "pairs: 4 open, 4 racing, 0 dependent, 0 ignored; 4/4 conflicting, 8/8 unordered\n"
      "runs: 2, 2 seen, 0 redundant, finished, 1 differ, share 0.5, unseen -\n"
      "reachable by 2: 1+0 of 2\n"
      "{0 1 2 3 4}\n"
      "{4 2 3 0 1} *\n"
      "failure: 1 2; 2<1 {0 2 1 3 4} [0 1 2] 2 workers, same digest, op 2 (r1_2) reads other bytes, 6 executions\n");
  EXPECT_EQ(
      explored(litmus(), {.strategy = "triples", .workers = 0, .keep = 3}),
      "op_schedules violated: 4 racing and 0 order-dependent pairs: the result depends on the schedule\n"
      "- raw: op 1 (w1_1) writes and op 2 (r1_2) reads bytes [8, 16) of r0 (tensor 1 (w1_1.w0), tensor 2 (r1_2.r0)), "
      "and no path orders them; op 2 (r1_2) reads other bytes [1 2] {0 2 1 3 4}\n"
      "traces: 9 exactly\n"
      "pairs: 4 open, 4 racing, 0 dependent, 0 ignored; 3/4 conflicting, 7/8 unordered\n"
      "runs: 6, 6 seen, 0 redundant, finished, 3 differ, share 0.5, unseen -\n"
      "reachable by 0: 0+0 of 0\n"
      "{0 2 3 1 4}\n"
      "{0 2 4 1 3}\n"
      "{2 3 0 1 4} *\n"
      "failure: 1 2; 2<1 {0 2 1 3 4} [0 1 2] 2 workers, same digest, op 2 (r1_2) reads other bytes, 6 executions\n");
  EXPECT_EQ(
      explored(litmus(), {.strategy = "pct", .budget = 6, .seed = 2}),
      "op_schedules violated: 4 racing and 0 order-dependent pairs: the result depends on the schedule\n"
      "- raw: op 1 (w1_1) writes and op 2 (r1_2) reads bytes [8, 16) of r0 (tensor 1 (w1_1.w0), tensor 2 (r1_2.r0)), "
      "and no path orders them; op 2 (r1_2) reads other bytes [1 2] {0 2 1 3 4}\n"
      "traces: 9 exactly\n"
      "pairs: 4 open, 4 racing, 0 dependent, 0 ignored; 3/4 conflicting, 6/8 unordered\n"
      "runs: 6, 4 seen, 2 redundant, 0 differ, share 0, unseen 0.333333\n"
      "reachable by 3: 4+0 of 4\n"
      "{0 2 3 1 4}\n"
      "{4 0 2 3 1}\n"
      "{0 1 4 2 3}\n"
      "{0 2 3 4 1}\n"
      "{4 0 1 2 3}\n"
      "{4 0 1 2 3}\n"
      "failure: 1 2; 2<1 {0 2 1 3 4} [0 1 2] 2 workers, same digest, op 2 (r1_2) reads other bytes, 5 executions\n");
  EXPECT_EQ(
      explored(litmus(), {.strategy = "pos", .budget = 6, .seed = 2}),
      "op_schedules violated: 4 racing and 0 order-dependent pairs: the result depends on the schedule\n"
      "- raw: op 1 (w1_1) writes and op 2 (r1_2) reads bytes [8, 16) of r0 (tensor 1 (w1_1.w0), tensor 2 (r1_2.r0)), "
      "and no path orders them; op 2 (r1_2) reads other bytes [1 2] {0 2 1 3 4}\n"
      "traces: 9 exactly\n"
      "pairs: 4 open, 4 racing, 0 dependent, 0 ignored; 4/4 conflicting, 8/8 unordered\n"
      "runs: 6, 4 seen, 2 redundant, 1 differ, share 0.166667, unseen 0.5\n"
      "reachable by 3: 4+0 of 4\n"
      "{2 3 4 0 1} *\n"
      "{0 1 4 2 3}\n"
      "{4 0 1 2 3}\n"
      "{4 0 1 2 3}\n"
      "{2 4 0 3 1}\n"
      "{4 0 1 2 3}\n"
      "failure: 1 2; 2<1 {0 2 1 3 4} [0 1 2] 2 workers, same digest, op 2 (r1_2) reads other bytes, 6 executions\n");
  EXPECT_EQ(
      explored(litmus(), {.strategy = "random", .budget = 6, .seed = 2}),
      "op_schedules violated: 4 racing and 0 order-dependent pairs: the result depends on the schedule\n"
      "- raw: op 1 (w1_1) writes and op 2 (r1_2) reads bytes [8, 16) of r0 (tensor 1 (w1_1.w0), tensor 2 (r1_2.r0)), "
      "and no path orders them; op 2 (r1_2) reads other bytes [1 2] {0 2 1 3 4}\n"
      "traces: 9 exactly\n"
      "pairs: 4 open, 4 racing, 0 dependent, 0 ignored; 4/4 conflicting, 8/8 unordered\n"
      "runs: 6, 5 seen, 1 redundant, 3 differ, share 0.5, unseen 0.666667\n"
      "reachable by 3: 5+0 of 5\n"
      "{2 3 4 0 1} *\n"
      "{0 1 2 3 4}\n"
      "{4 2 3 0 1} *\n"
      "{0 1 4 2 3}\n"
      "{4 2 3 0 1} *\n"
      "{4 0 2 3 1}\n"
      "failure: 1 2; 2<1 {0 2 1 3 4} [0 1 2] 2 workers, same digest, op 2 (r1_2) reads other bytes, 6 executions\n");
}

TEST(OpFigures, ReuseAfterAChain) {
  EXPECT_EQ(explored(testing::make_reuse_after_chain(3), {}),
            "op_schedules violated: 1 racing and 0 order-dependent pairs: the result depends on the schedule\n"
            "- war: op 1 (op1) reads and op 5 (op5) writes bytes [0, 8) of r0 (tensor 1 (op1.r0), tensor 8 (op5.w0)), "
            "and no path orders them; op 1 (op1) reads other bytes [1 5] {0 2 3 4 5 1}\n"
            "traces: 2 exactly\n"
            "pairs: 1 open, 1 racing, 0 dependent, 0 ignored; 1/1 conflicting, 4/4 unordered\n"
            "runs: 2, 2 seen, 0 redundant, finished, 1 differ, share 0.5, unseen 0\n"
            "reachable by 3: 2+0 of 2\n"
            "{0 1 2 3 4 5}\n"
            "{0 2 3 4 5 1} *\n"
            "failure: 1 5; 5<1 {0 2 3 4 5 1} [0 1 2 3 4 5] 2 workers, other digest, op 1 (op1) reads other bytes, 5 "
            "executions\n");
  EXPECT_EQ(
      explored(testing::make_reuse_after_chain(1, false), {.strategy = "pairs"}),
      "op_schedules violated: 1 racing and 0 order-dependent pairs: the result depends on the schedule\n"
      "- war: op 1 (op1) reads and op 3 (op3) writes bytes [0, 8) of r0 (tensor 1 (op1.r0), tensor 3 (op3.w0)), and no "
      "path orders them; op 1 (op1) reads other bytes [1 3] {0 2 3 1}\n"
      "traces: 2 exactly\n"
      "pairs: 1 open, 1 racing, 0 dependent, 0 ignored; 1/1 conflicting, 2/2 unordered\n"
      "runs: 2, 2 seen, 0 redundant, finished, 0 differ, share 0, unseen 0\n"
      "reachable by 3: 2+0 of 2\n"
      "{0 1 2 3}\n"
      "{0 2 3 1}\n"
      "failure: 1 3; 3<1 {0 2 3 1} [0 1 2 3] 2 workers, same digest, op 1 (op1) reads other bytes, 5 executions\n");
  GraphSpec ordered = testing::make_reuse_after_chain(1);
  ordered.edges.emplace_back(1, 3);
  EXPECT_EQ(explored(ordered, {}),
            "op_schedules holds: exactly one trace: every schedule computes the same bytes\n"
            "traces: 1 exactly\n"
            "pairs: 0 open, 0 racing, 0 dependent, 0 ignored; 0/0 conflicting, 0/1 unordered\n"
            "runs: 1, 1 seen, 0 redundant, finished, 0 differ, share 0, unseen 0\n"
            "reachable by 3: 1+0 of 1\n"
            "{0 1 2 3}\n");
}

TEST(OpFigures, GivenSchedulesAndProgress) {
  const DescTables tables(litmus());
  const OpSpace space(tables.desc);
  std::string calls;
  OpExploreOptions options{.strategy = "random", .budget = 3, .given = {{4, 0, 1, 2, 3}, {2, 3, 0, 1, 4}}, .keep = 3};
  options.progress = [&](std::uint64_t done, std::uint64_t budget) {
    calls += std::to_string(done) + "/" + std::to_string(budget) + " ";
  };
  const OpExploreReport report = explore_ops(space, options);
  EXPECT_EQ(calls, "1/3 2/3 3/3 ");
  EXPECT_EQ(
      figures_of(report),
      "op_schedules violated: 4 racing and 0 order-dependent pairs: the result depends on the schedule\n"
      "- raw: op 1 (w1_1) writes and op 2 (r1_2) reads bytes [8, 16) of r0 (tensor 1 (w1_1.w0), tensor 2 (r1_2.r0)), "
      "and no path orders them; op 2 (r1_2) reads other bytes [1 2] {0 2 1 3 4}\n"
      "traces: 9 exactly\n"
      "pairs: 4 open, 4 racing, 0 dependent, 0 ignored; 4/4 conflicting, 8/8 unordered\n"
      "runs: 3, 3 seen, 0 redundant, 1 differ, share 0.333333, unseen 1\n"
      "reachable by 3: 3+0 of 3\n"
      "{4 0 1 2 3}\n"
      "{2 3 0 1 4} *\n"
      "{2 0 4 3 1}\n"
      "failure: 1 2; 2<1 {0 2 1 3 4} [0 1 2] 2 workers, same digest, op 2 (r1_2) reads other bytes, 6 executions\n");
}

TEST(OpFigures, MutexesAndGroups) {
  GraphSpec spec = testing::make_program({{"u0"}, {"u0"}, {"w0"}});
  spec.mutex_count = 1;
  spec.ops[0].mutexes = spec.ops[1].mutexes = {0};
  EXPECT_EQ(explored(spec, {}),
            "op_schedules violated: 2 racing and 1 order-dependent pair: the result depends on the schedule\n"
            "- war: op 1 (u0_1) reads and op 2 (w0_2) writes bytes [0, 8) of r0 (tensor 2 (u0_1.r0), tensor 4 "
            "(w0_2.w0)), and no path orders them; op 1 (u0_1) reads other bytes [1 2] {0 2 1}\n"
            "traces: 6 exactly\n"
            "pairs: 3 open, 2 racing, 1 dependent, 0 ignored; 3/3 conflicting, 3/3 unordered\n"
            "runs: 6, 6 seen, 0 redundant, finished, 4 differ, share 0.666667, unseen 0\n"
            "reachable by 3: 3+0 of 6\n"
            "{0 1 2}\n"
            "{0 2 1} *\n"
            "{2 0 1} *\n"
            "{1 0 2}\n"
            "{1 2 0} *\n"
            "{2 1 0} *\n"
            "failure: 1 2; 2<1 {0 2 1} [1 2] 2 workers, other digest, op 1 (u0_1) reads other bytes, 5 executions\n");
  for (auto& op : spec.ops) op.mutexes = {0};
  for (auto& op : spec.ops) op.commute_group = 0;
  EXPECT_EQ(explored(spec, {}),
            "op_schedules holds: exactly one trace: every schedule computes the same bytes\n"
            "traces: 1 exactly\n"
            "pairs: 0 open, 0 racing, 0 dependent, 3 ignored; 0/0 conflicting, 0/3 unordered\n"
            "runs: 1, 1 seen, 0 redundant, finished, 0 differ, share 0, unseen 0\n"
            "reachable by 3: 1+0 of 1\n"
            "{0 1 2}\n");
  EXPECT_EQ(explored(spec, {.space = {.commuting_orders = true}}),
            "op_schedules violated: ops declared commutative do not commute: their order changes the bytes\n"
            "- war: op 1 (u0_1) reads and op 2 (w0_2) writes bytes [0, 8) of r0 (tensor 2 (u0_1.r0), tensor 4 "
            "(w0_2.w0)), and no path orders them; op 1 (u0_1) reads other bytes [1 2] {0 2 1}\n"
            "traces: 6 exactly\n"
            "pairs: 3 open, 0 racing, 0 dependent, 0 ignored; 3/3 conflicting, 3/3 unordered\n"
            "runs: 6, 6 seen, 0 redundant, finished, 4 differ, share 0.666667, unseen 0\n"
            "reachable by 3: 1+0 of 6\n"
            "{0 1 2}\n"
            "{0 2 1} *\n"
            "{2 0 1} *\n"
            "{1 0 2}\n"
            "{1 2 0} *\n"
            "{2 1 0} *\n"
            "failure: 1 2; 2<1 {0 2 1} [1 2] 0 workers, other digest, op 1 (u0_1) reads other bytes, 5 executions\n");
  EXPECT_EQ(explored(spec, {.space = {.mutex_orders = true}}),
            "op_schedules holds: no pair conflicts by bytes but those declared commutative, whose order changed the "
            "bytes of 4 of 6 runs; --commuting-orders explores it\n"
            "traces: 6 exactly\n"
            "pairs: 3 open, 0 racing, 0 dependent, 3 ignored; 3/3 conflicting, 3/3 unordered\n"
            "runs: 6, 6 seen, 0 redundant, finished, 4 differ, share 0.666667, unseen 0\n"
            "reachable by 3: 1+0 of 6\n"
            "{0 1 2}\n"
            "{0 2 1} *\n"
            "{2 0 1} *\n"
            "{1 0 2}\n"
            "{1 2 0} *\n"
            "{2 1 0} *\n");
  EXPECT_EQ(explored(spec, {.strategy = "random", .budget = 4}),
            "op_schedules holds: no pair conflicts by bytes but those declared commutative, whose order changed the "
            "bytes of 3 of 4 runs; --commuting-orders explores it\n"
            "traces: 1 exactly\n"
            "pairs: 0 open, 0 racing, 0 dependent, 3 ignored; 0/0 conflicting, 3/3 unordered\n"
            "runs: 4, 1 seen, 3 redundant, 3 differ, share 0.75, unseen 0\n"
            "reachable by 3: 1+0 of 1\n"
            "{1 0 2}\n"
            "{1 2 0} *\n"
            "{2 0 1} *\n"
            "{2 1 0} *\n");
}

TEST(OpFigures, LimitsLeaveTheCountOpen) {
  const DescTables tables(testing::make_alike(5, {"w0"}));
  const OpSpace space(tables.desc);
  EXPECT_EQ(figures_of(count_op_traces(space, {.count = {.max_states = 5, .max_leaves = 100}, .estimate_samples = 50})),
            "op_schedules unknown: more traces than the limits let count\n"
            "traces: 101 at least, about 120 +- 0 of 50\n"
            "pairs: 10 open, 10 racing, 0 dependent, 0 ignored; 0/10 conflicting, 0/10 unordered\n"
            "runs: 0, 0 seen, 0 redundant, 0 differ, share 0, unseen -\n"
            "reachable by 3: 0+0 of 0\n");
  const OpSpace cut(tables.desc, {.max_pairs = 3});
  EXPECT_EQ(figures_of(count_op_traces(cut, {})),
            "op_schedules unknown: more traces than the limits let count\n"
            "traces: 8 at least\n"
            "pairs: 3 open, 3 racing, 0 dependent, 0 ignored; 0/3 conflicting, 0/10 unordered\n"
            "runs: 0, 0 seen, 0 redundant, 0 differ, share 0, unseen -\n"
            "reachable by 3: 0+0 of 0\n");
  EXPECT_EQ(figures_of(count_traces(space.graph())), "120 exactly");
  EXPECT_EQ(figures_of(count_by_enumeration(space.graph(), 120)), "120 exactly");
  EXPECT_EQ(figures_of(count_by_enumeration(space.graph(), 119)), "120 at least");
  EXPECT_EQ(figures_of(count_by_recurrence(space.graph(), 32)), "120 exactly");
  EXPECT_EQ(figures_of(count_by_recurrence(space.graph(), 31)), "120 exactly");
}

std::int32_t fails_with_seven(const detent_kernel_args*) { return 7; }

TEST(OpFigures, FailingAndUnknownKernelsAreUnknown) {
  const detent_kernel kernel{"mix", fails_with_seven, nullptr};
  const detent_kernel_table table{&kernel, 1};
  OpExploreOptions options;
  options.runner.backends = {detent_cpu_backend("*", &table)};
  EXPECT_EQ(explored(testing::make_ops(2), options),
            "op_schedules unknown: a run ended with KERNEL_FAILED\n"
            "traces: 1 exactly\n"
            "pairs: 0 open, 0 racing, 0 dependent, 0 ignored; 0/0 conflicting, 0/1 unordered\n"
            "runs: 0, 0 seen, 0 redundant, 0 differ, share 0, unseen -\n"
            "reachable by 3: 0+0 of 0\n");
  DescTables unknown(testing::make_ops(2));
  unknown.kernels[0] = "nobody's";
  unknown.refresh();
  const OpSpace space(unknown.desc);
  EXPECT_EQ(
      figures_of(explore_ops(space, {})),
      "op_schedules unknown: not executed: B29 UNKNOWN_KERNEL: no kernel, backend or worker serves the op (op 0 "
      "\"op0\"); register a back end that has this kernel for the op's class, and configure a worker that may execute "
      "it\n"
      "traces: 1 exactly\n"
      "pairs: 0 open, 0 racing, 0 dependent, 0 ignored; 0/0 conflicting, 0/1 unordered\n"
      "runs: 0, 0 seen, 0 redundant, 0 differ, share 0, unseen -\n"
      "reachable by 3: 0+0 of 0\n");
}

std::string refused_strategy(const std::string& name, const StrategyOptions& options, std::uint32_t ops) {
  const DescTables tables(testing::make_alike(ops, {"w0"}));
  const OpSpace space(tables.desc);
  try {
    make_strategy(name, space, options);
  } catch (const std::invalid_argument& refusal) {
    return refusal.what();
  }
  return "none";
}

TEST(OpFigures, StrategiesAndTheirRefusals) {
  EXPECT_EQ(strategy_names(), (std::vector<std::string>{"dfs", "sample", "pairs", "triples", "pct", "pos", "random"}));
  const DescTables tables(litmus());
  const OpSpace space(tables.desc);
  for (const std::string& name : strategy_names()) EXPECT_EQ(make_strategy(name, space, {})->name(), name);
  EXPECT_EQ(refused_strategy("all", {}, 2), "strategy all: choose dfs, sample, pairs, triples, pct, pos or random");
  EXPECT_EQ(refused_strategy("pct", {.pct_depth = 0}, 2), "strategy pct: the depth must be at least 1");
  EXPECT_EQ(refused_strategy("pct", {.pct_depth = 1}, 2), "none");
}

std::string lines_of(const std::vector<CoverGoal>& list) {
  std::string text = text_of(judge_cover_goals(list));
  for (const CoverGoal& s : list) {
    text += s.about + " " + s.name + " (" + s.text + ") " + (s.applicable ? std::to_string(s.count) : "-") + ": " +
            s.evidence + "\n";
  }
  return text;
}

TEST(OpFigures, CoverGoalsOfAModel) {
  const DescTables tables(litmus());
  const OpSpace space(tables.desc);
  harness::Trace trace;
  trace.spans = {{0, 0, 0, 10, 0}, {2, 1, 5, 20, 0}, {1, 0, 10, 20, 0}, {3, 0, 20, 25, 0}, {4, 1, 25, 30, 0}};
  ModelEvidence evidence{.runs = {{"timed run", &trace}}, .workers = 2, .schedules = {{0, 1, 2, 3, 4}}};
  EXPECT_EQ(lines_of(model_cover_goals(space, evidence)),
            "cover_goals unknown: 3 of 5 cover goals that can happen did, 0 do not apply\n"
            "- not covered: two ops that no path orders ran in this order and in that one (both_orders); run more "
            "schedules (--schedules, explore --strategy pairs)\n"
            "- not covered: two conflicting ops that no path orders ran in both orders (conflict_both_orders); run "
            "more schedules (--schedules, explore --strategy dfs)\n"
            "model ops_at_once (two ops that no path orders were under way at the same time) 2: op 0 (w0_0) and op 2 "
            "(r1_2) in the timed run\n"
            "model both_orders (two ops that no path orders ran in this order and in that one) 0: run more schedules "
            "(--schedules, explore --strategy pairs)\n"
            "model conflict_both_orders (two conflicting ops that no path orders ran in both orders) 0: run more "
            "schedules (--schedules, explore --strategy dfs)\n"
            "model conflict_met (two conflicting unordered ops were under way at the same time, or one right after the "
            "other in both orders) 1: 1 of 4 pairs, first op 1 (w1_1) and op 2 (r1_2)\n"
            "model buffer_reuse (an op wrote over bytes that another op had written earlier in the same run) 1: 1 of 1 "
            "places, first op 0 (w0_0) and op 3 (w0_3) in an executed schedule\n");
  evidence.schedules.push_back({4, 2, 3, 0, 1});
  evidence.engine_together = 3;
  EXPECT_EQ(lines_of(model_cover_goals(space, evidence)),
            "cover_goals holds: 5 of 5 cover goals that can happen did, 0 do not apply\n"
            "model ops_at_once (two ops that no path orders were under way at the same time) 5: op 0 (w0_0) and op 2 "
            "(r1_2) in the timed run\n"
            "model both_orders (two ops that no path orders ran in this order and in that one) 8: 8 of 8 pairs\n"
            "model conflict_both_orders (two conflicting ops that no path orders ran in both orders) 4: 4 of 4 pairs, "
            "first op 0 (w0_0) and op 3 (w0_3)\n"
            "model conflict_met (two conflicting unordered ops were under way at the same time, or one right after the "
            "other in both orders) 1: 1 of 4 pairs, first op 1 (w1_1) and op 2 (r1_2)\n"
            "model buffer_reuse (an op wrote over bytes that another op had written earlier in the same run) 1: 1 of 1 "
            "places, first op 0 (w0_0) and op 3 (w0_3) in an executed schedule\n");
  evidence = {.workers = 1};
  EXPECT_EQ(lines_of(model_cover_goals(space, evidence)),
            "cover_goals unknown: 0 of 4 cover goals that can happen did, 1 do not apply\n"
            "- not covered: two ops that no path orders ran in this order and in that one (both_orders); run more "
            "schedules (--schedules, explore --strategy pairs)\n"
            "- not covered: two conflicting ops that no path orders ran in both orders (conflict_both_orders); run "
            "more schedules (--schedules, explore --strategy dfs)\n"
            "- not covered: two conflicting unordered ops were under way at the same time, or one right after the "
            "other in both orders (conflict_met); run more schedules (--schedules, explore --strategy dfs)\n"
            "- not covered: an op wrote over bytes that another op had written earlier in the same run "
            "(buffer_reuse); execute the kernels in a run that ends (--runs, --schedules)\n"
            "model ops_at_once (two ops that no path orders were under way at the same time) -: one worker\n"
            "model both_orders (two ops that no path orders ran in this order and in that one) 0: run more schedules "
            "(--schedules, explore --strategy pairs)\n"
            "model conflict_both_orders (two conflicting ops that no path orders ran in both orders) 0: run more "
            "schedules (--schedules, explore --strategy dfs)\n"
            "model conflict_met (two conflicting unordered ops were under way at the same time, or one right after the "
            "other in both orders) 0: run more schedules (--schedules, explore --strategy dfs)\n"
            "model buffer_reuse (an op wrote over bytes that another op had written earlier in the same run) 0: "
            "execute the kernels in a run that ends (--runs, --schedules)\n");
}

TEST(OpFigures, CoverGoalsOfTheEngine) {
  ThreadStatistics statistics;
  std::uint64_t number = 0;
  SyncPoints& s = statistics.sync;
  for (std::uint64_t* counter :
       {&s.wait_asleep, &s.wait_awake, &s.lock_free, &s.lock_contended, &s.role_free, &s.role_held, &s.ready_empty,
        &s.ready_some, &s.ready_full, &s.complete_empty, &s.complete_some, &s.complete_full, &s.ops_ordered,
        &s.ops_concurrent, &s.spurious, &s.timeouts, &s.failed_starts, &s.refused_answers}) {
    *counter = ++number;
  }
  const std::vector<EngineEvidence> met{{"a fork", true, false, statistics}, {"a join", true, false, statistics}};
  EXPECT_EQ(lines_of(engine_cover_goals({}, met)),
            "cover_goals holds: 13 of 13 cover goals that can happen did, 0 do not apply\n"
            "engine role_free (the scheduler role was asked for and free) 10: on a fork\n"
            "engine role_held (the scheduler role was asked for and held by another worker) 12: on a fork\n"
            "engine ready_empty (the ready queue was empty) 14: on a fork\n"
            "engine ready_some (ops waited in the ready queue) 16: on a fork\n"
            "engine ready_full (the ready queue held every op that had not begun) 18: on a fork\n"
            "engine complete_empty (an op ended and no other completion waited) 20: on a fork\n"
            "engine complete_some (an op ended while completions of some other workers waited) 22: on a fork\n"
            "engine complete_full (an op ended while completions of all other workers waited: the queue was full) 24: "
            "on a fork\n"
            "engine wait_asleep (a worker waited and had to sleep) 2: on a fork\n"
            "engine wait_awake (a worker waited and its notification was there already) 4: on a fork\n"
            "engine ops_concurrent (two ops ran with no synchronisation between them) 28: on a fork\n"
            "engine lock_free (a back end answered and the port's lock was free) 6: on a fork\n"
            "engine lock_contended (a back end answered while another held the port's lock) 8: on a fork\n");
  std::string counts;
  for (const SyncCount& count : sync_counts(met))
    counts += std::string(count.name) + " " + std::to_string(count.count) + "\n";
  EXPECT_EQ(counts,
            "wait_asleep 2\n"
            "wait_awake 4\n"
            "lock_free 6\n"
            "lock_contended 8\n"
            "role_free 10\n"
            "role_held 12\n"
            "ready_empty 14\n"
            "ready_some 16\n"
            "ready_full 18\n"
            "complete_empty 20\n"
            "complete_some 22\n"
            "complete_full 24\n"
            "ops_ordered 26\n"
            "ops_concurrent 28\n"
            "spurious 30\n"
            "timeouts 32\n"
            "failed_starts 34\n"
            "refused_answers 36\n");
  std::vector<EngineEvidence> nothing{{"a fork", false, false, {}}};
  EXPECT_EQ(
      lines_of(engine_cover_goals({}, nothing)),
      "cover_goals unknown: 0 of 10 cover goals that can happen did, 3 do not apply\n"
      "- not covered: the scheduler role was asked for and free (role_free); execute more schedules, or a wider "
      "graph\n"
      "- not covered: the scheduler role was asked for and held by another worker (role_held); execute more "
      "schedules, or a wider graph\n"
      "- not covered: the ready queue was empty (ready_empty); execute more schedules, or a wider graph\n"
      "- not covered: ops waited in the ready queue (ready_some); execute more schedules, or a wider graph\n"
      "- not covered: the ready queue held every op that had not begun (ready_full); execute more schedules, or a "
      "wider graph\n"
      "- not covered: an op ended and no other completion waited (complete_empty); execute more schedules, or a "
      "wider graph\n"
      "- not covered: an op ended while completions of all other workers waited: the queue was full "
      "(complete_full); execute more schedules, or a wider graph\n"
      "- not covered: a worker waited and had to sleep (wait_asleep); execute more schedules, or a wider graph\n"
      "- not covered: a worker waited and its notification was there already (wait_awake); execute more schedules, "
      "or a wider graph\n"
      "- not covered: two ops ran with no synchronisation between them (ops_concurrent); execute more schedules, or "
      "a wider graph\n"
      "engine role_free (the scheduler role was asked for and free) 0: execute more schedules, or a wider graph\n"
      "engine role_held (the scheduler role was asked for and held by another worker) 0: execute more schedules, or a "
      "wider graph\n"
      "engine ready_empty (the ready queue was empty) 0: execute more schedules, or a wider graph\n"
      "engine ready_some (ops waited in the ready queue) 0: execute more schedules, or a wider graph\n"
      "engine ready_full (the ready queue held every op that had not begun) 0: execute more schedules, or a wider "
      "graph\n"
      "engine complete_empty (an op ended and no other completion waited) 0: execute more schedules, or a wider graph\n"
      "engine complete_some (an op ended while completions of some other workers waited) -: needs 3 workers\n"
      "engine complete_full (an op ended while completions of all other workers waited: the queue was full) 0: execute "
      "more schedules, or a wider graph\n"
      "engine wait_asleep (a worker waited and had to sleep) 0: execute more schedules, or a wider graph\n"
      "engine wait_awake (a worker waited and its notification was there already) 0: execute more schedules, or a "
      "wider graph\n"
      "engine ops_concurrent (two ops ran with no synchronisation between them) 0: execute more schedules, or a wider "
      "graph\n"
      "engine lock_free (a back end answered and the port's lock was free) -: no back end completes ops later\n"
      "engine lock_contended (a back end answered while another held the port's lock) -: no back end completes ops "
      "later\n");
  EXPECT_EQ(
      lines_of(engine_cover_goals({.mode = DETENT_MODE_LAYERED}, nothing)),
      "cover_goals unknown: 0 of 2 cover goals that can happen did, 11 do not apply\n"
      "- not covered: a worker waited and had to sleep (wait_asleep); execute more schedules, or a wider graph\n"
      "- not covered: two ops ran with no synchronisation between them (ops_concurrent); execute more schedules, or "
      "a wider graph\n"
      "engine role_free (the scheduler role was asked for and free) -: only the closed loop has a scheduler and "
      "queues\n"
      "engine role_held (the scheduler role was asked for and held by another worker) -: only the closed loop has a "
      "scheduler and queues\n"
      "engine ready_empty (the ready queue was empty) -: only the closed loop has a scheduler and queues\n"
      "engine ready_some (ops waited in the ready queue) -: only the closed loop has a scheduler and queues\n"
      "engine ready_full (the ready queue held every op that had not begun) -: only the closed loop has a scheduler "
      "and queues\n"
      "engine complete_empty (an op ended and no other completion waited) -: only the closed loop has a scheduler and "
      "queues\n"
      "engine complete_some (an op ended while completions of some other workers waited) -: only the closed loop has a "
      "scheduler and queues\n"
      "engine complete_full (an op ended while completions of all other workers waited: the queue was full) -: only "
      "the closed loop has a scheduler and queues\n"
      "engine wait_asleep (a worker waited and had to sleep) 0: execute more schedules, or a wider graph\n"
      "engine wait_awake (a worker waited and its notification was there already) -: needs 3 workers\n"
      "engine ops_concurrent (two ops ran with no synchronisation between them) 0: execute more schedules, or a wider "
      "graph\n"
      "engine lock_free (a back end answered and the port's lock was free) -: no back end completes ops later\n"
      "engine lock_contended (a back end answered while another held the port's lock) -: no back end completes ops "
      "later\n");
  EXPECT_EQ(
      lines_of(engine_cover_goals({.scheduler = DETENT_SCHEDULER_THREAD, .workers = 1}, nothing)),
      "cover_goals unknown: 0 of 7 cover goals that can happen did, 6 do not apply\n"
      "- not covered: the scheduler role was asked for and free (role_free); execute more schedules, or a wider "
      "graph\n"
      "- not covered: the ready queue was empty (ready_empty); execute more schedules, or a wider graph\n"
      "- not covered: ops waited in the ready queue (ready_some); execute more schedules, or a wider graph\n"
      "- not covered: the ready queue held every op that had not begun (ready_full); execute more schedules, or a "
      "wider graph\n"
      "- not covered: an op ended and no other completion waited (complete_empty); execute more schedules, or a "
      "wider graph\n"
      "- not covered: a worker waited and had to sleep (wait_asleep); execute more schedules, or a wider graph\n"
      "- not covered: a worker waited and its notification was there already (wait_awake); execute more schedules, "
      "or a wider graph\n"
      "engine role_free (the scheduler role was asked for and free) 0: execute more schedules, or a wider graph\n"
      "engine role_held (the scheduler role was asked for and held by another worker) -: the scheduler's thread alone "
      "takes the role\n"
      "engine ready_empty (the ready queue was empty) 0: execute more schedules, or a wider graph\n"
      "engine ready_some (ops waited in the ready queue) 0: execute more schedules, or a wider graph\n"
      "engine ready_full (the ready queue held every op that had not begun) 0: execute more schedules, or a wider "
      "graph\n"
      "engine complete_empty (an op ended and no other completion waited) 0: execute more schedules, or a wider graph\n"
      "engine complete_some (an op ended while completions of some other workers waited) -: needs 3 workers\n"
      "engine complete_full (an op ended while completions of all other workers waited: the queue was full) -: needs 2 "
      "workers\n"
      "engine wait_asleep (a worker waited and had to sleep) 0: execute more schedules, or a wider graph\n"
      "engine wait_awake (a worker waited and its notification was there already) 0: execute more schedules, or a "
      "wider graph\n"
      "engine ops_concurrent (two ops ran with no synchronisation between them) -: needs 2 workers\n"
      "engine lock_free (a back end answered and the port's lock was free) -: no back end completes ops later\n"
      "engine lock_contended (a back end answered while another held the port's lock) -: no back end completes ops "
      "later\n");
  nothing[0].has_async = true;
  nothing[0].complete = true;
  EXPECT_EQ(
      lines_of(engine_cover_goals({.mode = DETENT_MODE_STATIC, .workers = 3}, nothing)),
      "cover_goals holds: 0 of 0 cover goals that can happen did, 13 do not apply\n"
      "engine role_free (the scheduler role was asked for and free) -: only the closed loop has a scheduler and "
      "queues\n"
      "engine role_held (the scheduler role was asked for and held by another worker) -: only the closed loop has a "
      "scheduler and queues\n"
      "engine ready_empty (the ready queue was empty) -: only the closed loop has a scheduler and queues\n"
      "engine ready_some (ops waited in the ready queue) -: only the closed loop has a scheduler and queues\n"
      "engine ready_full (the ready queue held every op that had not begun) -: only the closed loop has a scheduler "
      "and queues\n"
      "engine complete_empty (an op ended and no other completion waited) -: only the closed loop has a scheduler and "
      "queues\n"
      "engine complete_some (an op ended while completions of some other workers waited) -: only the closed loop has a "
      "scheduler and queues\n"
      "engine complete_full (an op ended while completions of all other workers waited: the queue was full) -: only "
      "the closed loop has a scheduler and queues\n"
      "engine wait_asleep (a worker waited and had to sleep) -: every schedule was executed, and it happens in none of "
      "them\n"
      "engine wait_awake (a worker waited and its notification was there already) -: every schedule was executed, and "
      "it happens in none of them\n"
      "engine ops_concurrent (two ops ran with no synchronisation between them) -: every schedule was executed, and it "
      "happens in none of them\n"
      "engine lock_free (a back end answered and the port's lock was free) -: every schedule was executed, and it "
      "happens in none of them\n"
      "engine lock_contended (a back end answered while another held the port's lock) -: every schedule was executed, "
      "and it happens in none of them\n");
}

}  // namespace
}  // namespace detent::verify::explore
