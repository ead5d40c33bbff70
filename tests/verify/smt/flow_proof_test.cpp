// Z3 and L0 find the same reads that miss their value: on hand-made graphs, random ones with guards, and the whole zoo.
#include "verify/smt/flow_proof.hpp"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <string>

#include "models/files/graph_file.hpp"
#include "models/lower/lower.hpp"
#include "models/lower/value_tables.hpp"
#include "models/zoo/zoo.hpp"
#include "tests/defaults.hpp"
#include "tests/effort.hpp"
#include "tests/verify/flow/naive_flow.hpp"
#include "tests/verify/graph_text.hpp"
#include "tests/verify/random_plan.hpp"
#include "verify/flow/value_flow.hpp"
#include "verify/graph/schedule.hpp"
#include "verify/smt/agreement.hpp"
#include "verify/static/memory_plan.hpp"
#include "verify/static/structure.hpp"
#include "verify/verdict/vacuous.hpp"

namespace detent::verify::smt {
namespace {

using graph_text::graph;
using graph_text::op;
using graph_text::range;

using namespace verify::testing;

const Verdict kGoodPlan{Property::kMemoryPlan, Outcome::kHolds, "", {}};

Verdict compared(const detent_desc& desc, const ValueFlowReport& report, const FlowProof& proof) {
  PlanProof plan;
  plan.complete = true;
  return compare_checkers(desc, kGoodPlan, plan, {.flow = &report, .flow_proof = &proof});
}

/// "" or the first difference between the two checkers.
std::string compare(const detent_desc& desc, const ValueTables* values) {
  const FlowProof proof = prove_value_flow(desc, values);
  const Verdict agree = compared(desc, find_value_violations(desc, values), proof);
  for (const ProvedViolation& violation : proof.violations) {
    if (!violation.schedule.empty() && !is_linear_extension(desc, violation.schedule)) return "schedule";
  }
  if (agree.outcome == Outcome::kHolds) return "";
  return agree.summary + (agree.witnesses.empty() ? "" : ": " + agree.witnesses[0].text);
}

struct Graph {
  models::Model model;
  models::LoweredModel lowered;
  ValueTables values;

  explicit Graph(const std::string& text)
      : model(models::parse_graph(text, "g.json")),
        lowered(models::lower(model)),
        values(models::value_tables(model)) {}
  [[nodiscard]] const detent_desc& desc() const { return lowered.desc(); }
};

const std::string kStale = graph(
    op(0, "", range(0, 16, "x")) + "," + op(1, "", range(8, 16)) + "," + op(2, range(0, 16, "x"), range(32, 16, "y")),
    "[0, 1], [1, 2]");

TEST(FlowProof, AStaleReadIsProvedWithTheOpInTheWay) {
  const Graph g(kStale);
  const FlowProof proof = prove_value_flow(g.desc(), &g.values);
  EXPECT_TRUE(proof.complete) << proof.reason;
  ASSERT_EQ(proof.violations.size(), 1U);
  EXPECT_EQ(proof.violations[0].reader, 2U);
  EXPECT_EQ(proof.violations[0].in_the_way, 1U);
  EXPECT_EQ(proof.violations[0].schedule, (std::vector<std::uint32_t>{0, 1, 2}));
  const Verdict verdict = judge_flow_proof(proof);
  EXPECT_EQ(verdict.property, Property::kValueFlowSmt);
  EXPECT_EQ(verdict.outcome, Outcome::kViolated);
  EXPECT_NE(verdict.summary.find("1 op in the way or too late, and no others"), std::string::npos) << verdict.summary;
  EXPECT_NE(verdict.witnesses.at(0).text.find("op 2 (op2) wants x, and op 1 (op1) may have written byte "),
            std::string::npos);
  EXPECT_EQ(verdict.witnesses[0].ops, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(compare(g.desc(), &g.values), "");
}

TEST(FlowProof, WhatHoldsIsProvedAndWhatNamesNothingIsNotChecked) {
  const Graph g(graph(op(0, "", range(0, 8, "x")) + "," + op(1, range(0, 8, "x"), range(0, 8, "y")), "[0, 1]"));
  Verdict verdict = judge_flow_proof(prove_value_flow(g.desc(), &g.values));
  EXPECT_EQ(verdict.outcome, Outcome::kHolds);
  EXPECT_FALSE(is_vacuous(verdict));
  EXPECT_NE(verdict.summary.find("on no schedule does a read miss its value"), std::string::npos);
  const Graph bare(graph(op(0, range(0, 8), range(0, 8)), ""));
  verdict = judge_flow_proof(prove_value_flow(bare.desc(), nullptr));
  EXPECT_TRUE(is_vacuous(verdict));
}

TEST(FlowProof, AReaderBeforeItsWriterMissesItsValue) {
  const Graph g(
      graph(op(0, range(0, 8, "x"), "") + "," + op(1, "", range(0, 8, "x")) + "," + op(2, "", range(4, 8)), "[0, 1]"));
  const FlowProof proof = prove_value_flow(g.desc(), &g.values);
  ASSERT_EQ(proof.violations.size(), 2U);
  EXPECT_EQ(proof.violations[0].in_the_way, 2U);
  EXPECT_EQ(proof.violations[1].in_the_way, DETENT_NONE);
  EXPECT_EQ(proof.violations[1].text, "op 0 (op0) wants x, which may not be there by then");
  EXPECT_EQ(compare(g.desc(), &g.values), "");
}

TEST(FlowProof, TheApplicationReadsOutputsBehindAllOps) {
  const std::string output = R"("outputs": [{"value": "x", "region": "ws", "offset": 0, "size": 8}], )";
  const Graph stale(graph(op(0, "", range(0, 8, "x")) + "," + op(1, "", range(4, 8)), "", output));
  const FlowProof proof = prove_value_flow(stale.desc(), &stale.values);
  EXPECT_TRUE(proof.complete) << proof.reason;
  ASSERT_EQ(proof.violations.size(), 1U);
  EXPECT_EQ(proof.violations[0].reader, DETENT_NONE);
  EXPECT_EQ(proof.violations[0].in_the_way, 1U);
  EXPECT_EQ(compare(stale.desc(), &stale.values), "");
  const Graph ordered(graph(op(0, "", range(0, 8, "x")) + "," + op(1, "", range(4, 8)), "[1, 0]", output));
  EXPECT_TRUE(prove_value_flow(ordered.desc(), &ordered.values).violations.empty());
}

TEST(FlowProof, EqualsL0OnRandomGraphs) {
  std::uint64_t violated = 0;
  for (std::uint64_t seed = 0; seed < effort(300U); ++seed) {
    const std::string text = random_flow_graph(seed, 7, seed % 2 == 1);
    if (text.find("nobody") != std::string::npos) continue;  // the reader of graphs refuses it
    const Graph g(text);
    ASSERT_EQ(compare(g.desc(), &g.values), "") << seed << "\n" << text;
    violated += find_value_violations(g.desc(), &g.values).count > 0 ? 1U : 0U;
  }
  EXPECT_GT(violated, effort(300U) / 4);
}

TEST(FlowProof, EqualsL0OnTheZoo) {
  for (const models::ZooEntry& entry : models::zoo()) {
    const std::string spec = std::string(entry.name) == "calibration" ? "calibration:1" : entry.name;
    const models::Model model = models::make_zoo_model(spec);
    const models::LoweredModel lowered = models::lower(model, {.weights = false});
    const ValueTables values = models::value_tables(model);
    if (check_structure(lowered.desc()).outcome != Outcome::kHolds) continue;
    EXPECT_EQ(compare(lowered.desc(), &values), "") << spec;
  }
}

/// Tensors with views, in place, as scratch, written several times: what each reads wants is told from the tables.
TEST(FlowProof, EqualsL0OnRandomPlansOfTensors) {
  std::uint64_t judged = 0, violated = 0;
  for (std::uint64_t seed = 0; seed < effort(300U); ++seed) {
    Random random{seed};
    RandomPlan plan([&](std::uint32_t bound) { return random.below(bound); }, {});
    for (detent_op& op : plan.ops) op.commute_group = seed % 3 == 0 && random.below(3) == 0 ? 0 : DETENT_NONE;
    for (detent_op& op : plan.ops) {
      if (seed % 4 < 2 && random.below(3) == 0) op.flags |= DETENT_OP_FALLIBLE;
    }
    plan.refresh();
    ValueTables values;
    if (seed % 2 == 0) {
      values.decisions = {{"d", random.below(plan.desc.op_count), {"a", "b"}}, {"e", DETENT_NONE, {"only"}}};
      // Taken by the run itself, and where the op is fallible by its failure.
      const detent_slice& outputs = plan.ops[values.decisions[0].op].outputs;
      if (seed % 4 == 0 && outputs.count > 0) {
        values.decisions[0].tensor = plan.desc.tensor_refs[outputs.first + outputs.count - 1];
      }
      for (std::uint32_t op = 0; op < plan.desc.op_count; ++op) {
        values.guards.emplace_back();
        if (random.below(2) == 0) values.guards[op].push_back({0, random.below(2)});
        if (random.below(3) == 0) values.guards[op].push_back({1, 0});
      }
    }
    const ValueFlowReport report = find_value_violations(plan.desc, &values);
    ++judged;
    violated += report.count > 0 ? 1U : 0U;
    ASSERT_EQ(compare(plan.desc, &values), "") << seed;
  }
  EXPECT_GT(judged, effort(300U) / 2);
  EXPECT_GT(violated, effort(300U) / 8);
}

TEST(FlowProof, LimitsEndTheProofWithAReason) {
  const Graph g(random_flow_graph(3, 7, true));
  std::set<std::string> outcomes;
  for (std::uint64_t steps = 1; steps < 1'000'000; steps = steps * 3 / 2 + 1) {
    FlowProofOptions options;
    options.limits = {.seconds = 0, .steps = steps};
    const FlowProof proof = prove_value_flow(g.desc(), &g.values, options);
    outcomes.insert(proof.complete ? "complete" : "cut");
    if (proof.complete) continue;
    EXPECT_NE(proof.reason.find("limit of "), std::string::npos) << proof.reason;
    EXPECT_EQ(judge_flow_proof(proof).outcome, proof.violations.empty() ? Outcome::kUnknown : Outcome::kViolated);
  }
  EXPECT_EQ(outcomes.size(), 2U);
  std::uint64_t calls = 0;
  FlowProofOptions few;
  few.max_violations = 1;
  few.progress = [&](std::uint64_t, std::uint64_t) { ++calls; };
  const Graph stale(graph(op(0, "", range(0, 16, "x")) + "," + op(1, "", range(8, 16)) + "," + op(2, "", range(8, 4)) +
                              "," + op(3, range(0, 16, "x"), ""),
                          "[0, 1], [0, 2], [1, 3], [2, 3]"));
  const FlowProof cut = prove_value_flow(stale.desc(), &stale.values, few);
  EXPECT_EQ(cut.reason, "limit of 1 violations");
  EXPECT_GT(calls, 0U);
  EXPECT_NE(judge_flow_proof(cut).summary.find("1 op in the way or too late; stopped by the limit"), std::string::npos);
}

TEST(FlowProof, BrokenTablesAreRefused) {
  const Graph g(kStale);
  const auto refusal = [&](auto change) {
    detent_desc desc = g.desc();
    std::vector<detent_tensor> tensors(desc.tensors, desc.tensors + desc.tensor_count);
    std::vector<detent_op> ops(desc.ops, desc.ops + desc.op_count);
    std::vector<std::uint32_t> successors(desc.successors, desc.successors + desc.successor_count);
    std::vector<std::uint32_t> refs(desc.tensor_refs, desc.tensor_refs + desc.tensor_ref_count);
    ValueTables values = g.values;
    desc.tensors = tensors.data();
    desc.ops = ops.data();
    desc.successors = successors.data();
    desc.tensor_refs = refs.data();
    change(desc, tensors, ops, successors, refs, values);
    try {
      prove_value_flow(desc, &values);
    } catch (const std::invalid_argument& refused) {
      return std::string(refused.what());
    }
    return std::string("none");
  };
  EXPECT_EQ(refusal([](auto&, auto&, auto&, auto&, auto&, auto&) {}), "none");
  EXPECT_EQ(refusal([](auto&, auto&, auto&, auto& successors, auto&, auto&) { successors[0] = 9; }),
            "a list names what does not exist; repair the tables");
  EXPECT_EQ(refusal([](auto&, auto&, auto& ops, auto&, auto&, auto&) { ops[0].inputs.first = 99; }),
            "a list lies outside its table; repair the tables");
  EXPECT_EQ(refusal([](auto&, auto&, auto&, auto& successors, auto&, auto&) { successors[1] = 0; }),
            "the edges close a cycle; repair the tables");
  EXPECT_EQ(refusal([](auto&, auto& tensors, auto&, auto&, auto&, auto&) { tensors[0].size_bytes = 0; }),
            "tensor 0 (x in ws[0,16)) describes no bytes of a region; repair its offset or size");
  EXPECT_EQ(refusal([](auto&, auto&, auto& ops, auto&, auto&, auto&) { ops[0].scratch.first = 99; }),
            "op 0 (op0): a list lies outside its table; repair the tables");
  EXPECT_EQ(refusal([](auto&, auto&, auto&, auto&, auto&, auto& values) {
              for (auto& wanted : values.tensor_values) wanted = {9};
            }),
            "a read wants a value that nobody writes; repair the value tables");
  EXPECT_EQ(refusal([](auto&, auto&, auto&, auto&, auto&, auto& values) {
              values.guards = {{}, {{4, 0}}};
            }),
            "op 1: a guard names a decision that does not exist");
}

TEST(FlowProof, ResultsClaimNothing) {
  test::expect_zero(FlowProof{}.complete, FlowProof{}.reads);
  EXPECT_EQ(FlowProofOptions{}.max_violations, 10'000U);
  EXPECT_EQ(ProvedViolation{}.reader, DETENT_NONE);
  EXPECT_EQ(ProvedViolation{}.in_the_way, DETENT_NONE);
  EXPECT_EQ(judge_flow_proof({}).outcome, Outcome::kUnknown);
}

TEST(CheckersAgreeOnFlow, NamesTheReadThatOnlyOneOfThemFinds) {
  const Graph g(kStale);
  ValueFlowReport report = find_value_violations(g.desc(), &g.values);
  FlowProof proof = prove_value_flow(g.desc(), &g.values);
  EXPECT_EQ(compared(g.desc(), report, proof).outcome, Outcome::kHolds);
  const ValueFlowReport all = report;
  report.listed.clear();
  Verdict verdict = compared(g.desc(), report, proof);
  EXPECT_EQ(verdict.outcome, Outcome::kViolated);
  EXPECT_NE(verdict.witnesses.at(0).text.find("only Z3 finds that op 2 (op2) wants x, and op 1 (op1)"),
            std::string::npos);
  EXPECT_EQ(verdict.witnesses[0].ops, (std::vector<std::uint32_t>{2, 1}));
  report = all;
  proof.violations.clear();
  verdict = compared(g.desc(), report, proof);
  EXPECT_EQ(verdict.outcome, Outcome::kViolated);
  EXPECT_NE(verdict.witnesses.at(0).text.find("only L0 finds that op 2 (op2) reads x (of op 0 (op0))"),
            std::string::npos);
  proof.complete = false;
  EXPECT_EQ(compared(g.desc(), report, proof).outcome, Outcome::kUnknown);
  EXPECT_EQ(compared(g.desc(), report, proof).summary, "no difference, but Z3 has not decided value flow");
}

TEST(CheckersAgreeOnFlow, CutListsAreComparedAsFarAsTheyGo) {
  const Graph g(graph(op(0, "", range(0, 16, "x")) + "," + op(1, "", range(8, 16)) + "," +
                          op(2, range(0, 16, "x"), "") + "," + op(3, range(0, 16, "x"), ""),
                      "[0, 1], [1, 2], [1, 3]"));
  const FlowProof proof = prove_value_flow(g.desc(), &g.values);
  ValueFlowReport few = find_value_violations(g.desc(), &g.values, {.max_listed = 1});
  EXPECT_FALSE(few.is_whole);
  ASSERT_EQ(few.listed.size(), 1U);
  EXPECT_EQ(compared(g.desc(), few, proof).outcome, Outcome::kHolds);
  few.is_whole = true;
  EXPECT_EQ(compared(g.desc(), few, proof).outcome, Outcome::kViolated);
}

}  // namespace
}  // namespace detent::verify::smt
