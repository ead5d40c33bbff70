// Value flow: hand-made examples, every order of small graphs by force, faults of the tables.
#include "verify/flow/value_flow.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "models/files/graph_file.hpp"
#include "models/lower/lower.hpp"
#include "models/lower/value_tables.hpp"
#include "tests/verify/flow/naive_flow.hpp"
#include "tests/verify/graph_text.hpp"
#include "tests/verify/random_plan.hpp"
#include "verify/flow/pairwise_writers.hpp"
#include "verify/flow/serial_flow.hpp"
#include "verify/flow/standings.hpp"
#include "verify/graph/schedule.hpp"
#include "verify/static/buffer_race.hpp"
#include "verify/verdict/vacuous.hpp"

namespace detent::verify {
namespace {

using graph_text::graph;
using graph_text::op;
using graph_text::range;

using namespace testing;

struct Judged {
  models::Model model;
  models::LoweredModel lowered;
  ValueTables values;
  ValueFlowReport report;

  explicit Judged(const std::string& text, const ValueFlowOptions& options = {})
      : model(models::parse_graph(text, "g.json")),
        lowered(models::lower(model)),
        values(models::value_tables(model)),
        report(find_value_violations(lowered.desc(), &values, options)) {}

  [[nodiscard]] Verdict verdict() const { return judge_value_flow(lowered.desc(), report); }
};

const std::string kStale = graph(
    op(0, "", range(0, 16, "x")) + "," + op(1, "", range(8, 16)) + "," + op(2, range(0, 16, "x"), range(32, 16, "y")),
    "[0, 1], [1, 2]", "\"outputs\": [" + range(32, 16, "y") + "], ");

TEST(ValueFlow, AnOrderedOverwriteBeforeTheLastUseIsAStaleRead) {
  const Judged g(kStale);
  ASSERT_EQ(g.report.listed.size(), 1U);
  const ValueViolation& violation = g.report.listed[0];
  EXPECT_EQ(violation.reader, 2U);
  EXPECT_EQ(violation.value, "x");
  EXPECT_EQ(violation.writer, 0U);
  EXPECT_EQ(violation.in_the_way, 1U);
  EXPECT_EQ(violation.offset_bytes, 8U);
  EXPECT_EQ(violation.size_bytes, 8U);
  EXPECT_TRUE(violation.always);
  EXPECT_EQ(violation.schedule, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(find_races(g.lowered.desc()).races.count, 0U) << "no race: only value_flow sees it";
}

TEST(ValueFlow, TheVerdictNamesOpsValueAndBytes) {
  const Judged g(kStale);
  const Verdict verdict = g.verdict();
  EXPECT_EQ(verdict.property, Property::kValueFlow);
  EXPECT_EQ(verdict.outcome, Outcome::kViolated);
  ASSERT_EQ(verdict.witnesses.size(), 1U);
  EXPECT_EQ(verdict.witnesses[0].text,
            "op 2 (op2) reads x (of op 0 (op0)) in bytes [8, 16) of ws, where on every schedule op 1 (op1) writes in "
            "between");
  EXPECT_EQ(verdict.witnesses[0].ops, (std::vector<std::uint32_t>{1, 2, 0}));
  EXPECT_EQ(verdict.summary, "1 read and 1 output of a value: 1 op in the way or too late; 1 on every schedule");
}

TEST(ValueFlow, WithoutNamesNothingIsClaimed) {
  const Judged g(graph(op(0, range(0, 8), range(0, 8)), ""));
  EXPECT_EQ(g.verdict().outcome, Outcome::kHolds);
  EXPECT_EQ(g.verdict().summary,
            "nothing to check: no read names its value, so whether reads find what they want is not judged");
  EXPECT_TRUE(is_vacuous(g.verdict()));
  EXPECT_STREQ(outcome_word(g.verdict()), "not checked");
  Verdict nothing = g.verdict();
  nothing.assumes = "it is so";
  EXPECT_FALSE(is_assumed(nothing)) << "nothing holds of which it could be said";
  EXPECT_STREQ(outcome_word(nothing), "not checked");
  EXPECT_FALSE(is_vacuous(Judged(kStale).verdict()));
  EXPECT_STREQ(outcome_word(Judged(kStale).verdict()), "violated");
}

TEST(ValueFlow, InPlaceIsFine) {
  const Judged g(graph(
      op(0, "", range(0, 8, "x")) + "," + op(1, range(0, 8, "x"), range(0, 8, "y")) + "," + op(2, range(0, 8, "y"), ""),
      "[0, 1], [1, 2]"));
  EXPECT_EQ(g.report.count, 0U);
  EXPECT_EQ(g.verdict().summary, "2 reads and 0 outputs of a value: each finds it in every byte on every schedule");
}

TEST(ValueFlow, AReaderThatMayComeFirstHasNobodyInTheWay) {
  const Judged g(graph(op(0, range(0, 8, "x"), "") + "," + op(1, "", range(0, 8, "x")), ""));
  ASSERT_EQ(g.report.listed.size(), 1U);
  EXPECT_EQ(g.report.listed[0].in_the_way, DETENT_NONE);
  EXPECT_FALSE(g.report.listed[0].always);
  EXPECT_EQ(g.report.listed[0].schedule, (std::vector<std::uint32_t>{0, 1}));
  const Judged ordered(graph(op(0, range(0, 8, "x"), "") + "," + op(1, "", range(0, 8, "x")), "[0, 1]"));
  ASSERT_EQ(ordered.report.listed.size(), 1U);
  EXPECT_TRUE(ordered.report.listed[0].always);
}

TEST(ValueFlow, AnOpDoesNotReadWhatItWrites) {
  const Judged g(graph(op(0, range(0, 8, "x"), range(0, 8, "x")), ""));
  ASSERT_EQ(g.report.listed.size(), 1U);
  EXPECT_TRUE(g.report.listed[0].always);
}

TEST(ValueFlow, OutputsLastToTheEndAndInputsLieThereBefore) {
  const std::string ends =
      "\"inputs\": [" + range(0, 8, "in") + "], \"outputs\": [" + range(0, 4, "in") + ", " + range(16, 8, "y") + "], ";
  const Judged g(graph(op(0, range(0, 8, "in"), range(16, 8, "y")) + "," + op(1, "", range(2, 16)), "[1, 0]", ends));
  const FlowSet expected = {{0, "in", 1, true}, {DETENT_NONE, "in", 1, true}};
  EXPECT_EQ(flow_set(g.model, g.report), expected);
}

TEST(ValueFlow, ThePreviousVersionIsNotInTheWayAndTheNextOneIsNoHarm) {
  const std::string ops = op(0, "", range(0, 8, "a")) + "," + op(1, range(0, 8, "a"), "") + "," +
                          op(2, "", range(0, 8, "b")) + "," + op(3, range(0, 8, "b"), "");
  EXPECT_EQ(Judged(graph(ops, "[0, 1], [1, 2], [2, 3]")).report.count, 0U);
  const FlowSet expected = {{1, "a", 2, false}};
  const Judged g(graph(ops, "[0, 1], [0, 2], [2, 3]"));
  EXPECT_EQ(flow_set(g.model, g.report), expected);
}

TEST(ValueFlow, OneOpThatGivesABytesToTwoValuesIsInItsOwnWay) {
  const Judged g(graph(op(0, "", range(0, 16, "a") + ", " + range(8, 16, "b")) + "," + op(1, range(12, 4, "a"), "") +
                           "," + op(2, range(0, 8, "a"), "") + "," + op(3, range(8, 16, "b"), ""),
                       "[0, 1], [0, 2], [0, 3]"));
  const FlowSet expected = {{1, "a", 0, true}, {3, "b", 0, true}};
  EXPECT_EQ(flow_set(g.model, g.report), expected);
}

// ---- Exclusive branches.

const std::string kBranches =
    op(0, "", range(60, 4, "c")) + "," + op(1, "", range(0, 8, "a"), "\"guard\": \"c=then\", ") + "," +
    op(2, "", range(0, 8, "b"), "\"guard\": \"c=else\", ") + "," + op(3, range(0, 8, "[\"a\", \"b\"]"), "");

TEST(ValueFlow, BranchesThatExcludeEachOtherShareBytes) {
  const Judged g(graph(kBranches, "[0, 1], [0, 2], [1, 3], [2, 3]"));
  EXPECT_EQ(g.report.count, 0U) << g.verdict().summary;
  EXPECT_EQ(g.report.guarded_ops, 2U);
  EXPECT_GT(find_races(g.lowered.desc()).races.count, 0U);
  RaceOptions options;
  options.values = &g.values;
  const RaceReport races = find_races(g.lowered.desc(), options);
  EXPECT_EQ(races.races.count, 0U);
  EXPECT_EQ(races.exclusive_pairs, 1U);
  EXPECT_EQ(races.conflicting_pairs, 2U);
}

TEST(ValueFlow, AGuardComesAfterItsDecision) {
  const Judged g(graph(kBranches, "[0, 2], [1, 3], [2, 3]"));
  const FlowSet expected = {{1, "c", DETENT_NONE, false}};
  EXPECT_EQ(flow_set(g.model, g.report), expected);
  EXPECT_EQ(g.verdict().witnesses[0].text,
            "op 1 (op1) is guarded by c and starts on some schedule before op 0 (op0) decides");
}

TEST(ValueFlow, ABranchThatDoesNotRunWritesNothing) {
  const std::string ops = op(0, "", range(60, 4, "c")) + "," + op(1, "", range(0, 8, "a"), "\"guard\": \"c=then\", ") +
                          "," + op(2, range(0, 8, "a"), "");
  const Judged g(graph(ops, "[0, 1], [1, 2]"));
  const FlowSet expected = {{2, "a", DETENT_NONE, false}};
  EXPECT_EQ(flow_set(g.model, g.report), expected);
}

// ---- Everything by force.

std::string flow_set_text(const ValueFlowReport& report) {
  std::string text;
  for (const ValueViolation& v : report.listed) {
    text +=
        std::to_string(v.reader) + " " + v.value + " " + std::to_string(v.in_the_way) + (v.always ? "!" : "") + "\n";
  }
  return text;
}

/// Compares all violations with those by the definition, and each read with what executions find.
void expect_equal(std::uint64_t seed, bool guards, std::uint64_t& graphs, std::uint64_t& violations) {
  const std::string text = random_flow_graph(seed, guards ? 6 : 7, guards);
  std::optional<Judged> judged;
  try {
    judged.emplace(text);
  } catch (const std::invalid_argument&) {
    return;  // a read of nobody's value, inputs that meet, guards that never hold
  }
  ++graphs;
  violations += judged->report.listed.size();
  ASSERT_EQ(flow_set(judged->model, judged->report), find_flow_naively(judged->model)) << seed << "\n" << text;
  const std::vector<ReadTruth> truths = execute_all(judged->model);
  for (const ReadTruth& truth : truths) {
    bool some = false;
    bool all = false;
    for (const ValueViolation& violation : judged->report.listed) {
      const bool is_it = violation.reader == truth.reader && violation.fault != FlowFault::kUndecided &&
                         ("|" + truth.values + "|").find("|" + violation.value + "|") != std::string::npos;
      some = some || is_it;
      all = all || (is_it && violation.always);
    }
    const bool is_read_apart = std::ranges::none_of(truths, [&](const ReadTruth& other) {
      return other.reader == truth.reader && other.values.find('|') != std::string::npos &&
             ("|" + other.values + "|").find("|" + truth.values + "|") != std::string::npos;
    });
    if (!is_read_apart || truth.values.find('|') != std::string::npos) continue;  // entries do not say of which read
    ASSERT_EQ(truth.some, some) << seed << ": " << truth.values << "\n" << text;
    if (!guards) {
      ASSERT_EQ(truth.all, all) << seed << ": " << truth.values << "\n" << text;
    }
  }
  for (const ValueViolation& violation : judged->report.listed) {
    ASSERT_TRUE(is_linear_extension(judged->lowered.desc(), violation.schedule)) << seed;
  }
}

TEST(ValueFlow, EqualsEveryOrderOfSmallGraphs) {
  std::uint64_t graphs = 0;
  std::uint64_t violations = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) expect_equal(seed, false, graphs, violations);
  EXPECT_GT(graphs, 300U);
  EXPECT_GT(violations, graphs);
}

TEST(ValueFlow, EqualsEveryOrderAndOutcomeOfSmallGuardedGraphs) {
  std::uint64_t graphs = 0;
  std::uint64_t violations = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) expect_equal(seed, true, graphs, violations);
  EXPECT_GT(graphs, 300U);
  EXPECT_GT(violations, graphs);
}

TEST(ValueFlow, BlocksOfColumnsChangeNothing) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const std::string text = random_flow_graph(seed, 200, true);
    try {
      const Judged narrow(text, {.block_columns = 64});
      const Judged wide(text, {.block_columns = 256});
      EXPECT_EQ(narrow.report.count, wide.report.count);
      EXPECT_EQ(narrow.report.always, wide.report.always);
      EXPECT_EQ(flow_set_text(narrow.report), flow_set_text(wide.report));
    } catch (const std::invalid_argument&) {
      continue;
    }
  }
}

TEST(ValueFlow, TheSerialOrderAskedFirstChangesNothing) {
  std::uint32_t by_serial_order = 0, in_order = 0;
  for (std::uint64_t seed = 1; seed <= 900; ++seed) {
    const bool guards = seed % 3 == 0;
    try {
      const Judged closed(random_flow_graph(seed, 6, guards));
      const Judged asked(random_flow_graph(seed, 6, guards), {.max_closed_ops = 0});
      ASSERT_EQ(asked.report.count, closed.report.count) << seed;
      ASSERT_EQ(asked.report.always, closed.report.always) << seed;
      ASSERT_EQ(flow_set_text(asked.report), flow_set_text(closed.report)) << seed;
      if (guards) continue;
      const detent_desc& desc = closed.lowered.desc();
      const Order order(desc);
      const Wants wants = find_wants(desc, order, &closed.values);
      const bool is_serial = is_serial_flow(desc, order, wants);
      if (find_races(desc).are_all_ordered) ASSERT_EQ(is_serial_flow(desc, order, wants, true), is_serial) << seed;
      if (is_serial) {
        ASSERT_EQ(closed.report.count, 0U) << seed;
      }
      by_serial_order += is_serial ? 1 : 0;
      in_order += closed.report.count == 0 && find_races(desc).races.count == 0 ? 1 : 0;
    } catch (const std::invalid_argument&) {
      continue;
    }
  }
  EXPECT_GT(by_serial_order, 20U);
  EXPECT_EQ(by_serial_order, in_order) << "no graph here has reads of several values, mutexes or groups";
}

/// What is the same whichever way the ops in the way are found.
std::string report_text(const detent_desc& desc, const ValueFlowReport& report) {
  std::string text = std::to_string(report.count) + " " + std::to_string(report.always) + "\n";
  for (const ValueViolation& one : report.listed) {
    text += describe_violation(desc, one);
    for (const std::uint32_t op : one.schedule) text += " " + std::to_string(op);
    text += "\n";
  }
  return text;
}

TEST(ValueFlow, WritersDecidedByPathsAreThoseOfTheClosure) {
  std::uint64_t in_the_way = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const std::string text = random_flow_graph(seed, 80, false);
    try {
      const Judged closed(text);
      const Judged paths(text, {.max_closed_ops = 0, .max_decided_pairs = 1'000'000});
      const Judged few(text, {.max_closed_ops = 0, .max_decided_pairs = 0});
      ASSERT_EQ(report_text(paths.lowered.desc(), paths.report), report_text(closed.lowered.desc(), closed.report));
      ASSERT_EQ(report_text(few.lowered.desc(), few.report), report_text(closed.lowered.desc(), closed.report));
      in_the_way += closed.report.count;
    } catch (const std::invalid_argument&) {
      continue;
    }
  }
  EXPECT_GT(in_the_way, 1000U);
}

TEST(ValueFlow, WritersDecidedByPathsAreThoseOfTheClosureOnPlansOfTensors) {
  std::uint64_t in_the_way = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Random random{seed};
    RandomPlan plan([&](std::uint32_t bound) { return random.below(bound); },
                    {.most_ops = 20, .most_tensors = 12, .region_bytes = 32});
    for (detent_op& op : plan.ops) op.commute_group = seed % 3 == 0 && random.below(3) == 0 ? 0 : DETENT_NONE;
    plan.refresh();
    ValueTables values;
    if (seed % 2 == 0) {
      values.decisions = {{"d", random.below(plan.desc.op_count), {"a", "b"}}};
      values.guards.resize(plan.desc.op_count);
      for (auto& guards : values.guards) {
        if (random.below(3) == 0) guards.push_back({0, random.below(2)});
      }
    }
    const ValueFlowReport closed = find_value_violations(plan.desc, &values);
    const ValueFlowReport paths =
        find_value_violations(plan.desc, &values, {.max_closed_ops = 0, .max_decided_pairs = 1'000'000});
    ASSERT_EQ(report_text(plan.desc, paths), report_text(plan.desc, closed)) << seed;
    in_the_way += closed.count;
  }
  EXPECT_GT(in_the_way, 1000U);
}

TEST(OtherWriters, MoreThanTheLimitAreNotVisited) {
  const Judged g(kStale);
  const detent_desc& desc = g.lowered.desc();
  const Order order(desc);
  const Wants wants = find_wants(desc, order, &g.values);
  const Standings standings(desc, &g.values, order, wants);
  std::vector<std::uint32_t> ops;
  const auto note = [&](const OtherWriter& other) {
    ops.push_back(other.op);
    EXPECT_TRUE(other.always);
    EXPECT_EQ(wants.all[other.want].reader, 2U);
  };
  // Its own writer and the op in the way meet the read of x, and its writer meets the output.
  EXPECT_FALSE(for_each_other_writer(desc, order, wants, standings, 2, note));
  EXPECT_TRUE(ops.empty());
  EXPECT_TRUE(for_each_other_writer(desc, order, wants, standings, 3, note));
  EXPECT_EQ(ops, std::vector<std::uint32_t>{1});
}

}  // namespace
}  // namespace detent::verify
