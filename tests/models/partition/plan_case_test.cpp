// Plan cases: what the reader refuses, what a compiler refuses, and the run order.
#include "models/partition/plan_case.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "base/input_error.hpp"
#include "tests/models/partition/plan_cases.hpp"

namespace detent::models::partition::testing {
namespace {

std::string refusal(const std::string& from, const std::string& to) {
  std::string text = two_ops_text();
  text.replace(text.find(from), from.size(), to);
  try {
    parse_plan_case(text, "case.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(PlanCaseFile, IsReadAsItIsWritten) {
  const PlanCase read = parse_plan_case(two_ops_text(), "case.json");
  EXPECT_EQ(read.partitioning, Partitioning::kWithFallback);
  ASSERT_EQ(read.devices.size(), 2U);
  EXPECT_EQ(read.devices[0].name, "npu");
  EXPECT_EQ(read.devices[0].performance, 0.5);
  EXPECT_TRUE(read.devices[0].ops.contains("OP0"));
  EXPECT_TRUE(read.devices[1].does_all);
  EXPECT_EQ(read.devices[1].name, "cpu");
  ASSERT_EQ(read.model.operands.size(), 4U);
  EXPECT_EQ(read.model.operands[2].life, Life::kTemporary);
  EXPECT_EQ(read.model.ops[1].inputs, (std::vector<std::uint32_t>{2, 1}));
  ASSERT_EQ(read.runs.size(), 1U);
  EXPECT_EQ(read.runs[0].arguments, (std::vector<double>{1, 2}));
  EXPECT_TRUE(read.runs[0].fails.contains({"npu", 1}));
  EXPECT_EQ(read.max_iterations, 10'000U);
}

/// A file with every member, each with another value than it has by itself.
TEST(PlanCaseFile, EveryMemberIsReadAsItIsWritten) {
  const std::string inner =
      R"({"operands": [{"type": "f32", "life": "in"}, {"type": "f32", "life": "const", "val": 2.5},
                       {"type": "f32", "life": "out"}],
          "inputs": [0], "outputs": [2], "ops": [{"type": "MUL", "ins": [0, 1], "outs": [2]}]})";
  const PlanCase read = parse_plan_case(
      R"({"schema": "detent.plan_case/1", "partitioning": 2, "max_iterations": 77,
 "devices": [{"name": "npu", "perf": {"f32": 0.25, "i8": 0.125}, "ops": ["OP0", "*", "IF"], "ctrl": ["WHILE", "ADD"]},
             {"name": "dsp", "perf": 3, "ops": [], "ctrl": ["*"]}, {"name": "old", "perf": 0, "ops": ["LESS"]}],
 "model": {"operands": [{"type": "bool", "life": "in", "known": false}, {"type": "f32", "life": "in"},
                        {"type": "bool", "life": "const", "val": true}, {"type": "f32", "life": "out", "known": true}],
           "inputs": [1, 0], "outputs": [3],
           "ops": [{"type": "IF", "ins": [0, 1], "outs": [3], "refs": [)" +
          inner + ", " + inner + R"(]}]},
 "runs": [{"args": [1.5, true], "fail": [["cpu-partial", 2], ["cpu-full", 1], ["cpu", 3], ["dsp", 4294967295]],
           "fenced": true}, {"args": [false, -1]}]})",
      "case.json");
  EXPECT_EQ(read.partitioning, Partitioning::kWithoutFallback);
  EXPECT_EQ(read.max_iterations, 77U);
  using Words = std::set<std::string, std::less<>>;
  ASSERT_EQ(read.devices.size(), 4U);
  EXPECT_EQ(read.devices[0].type_performance, (std::map<std::string, double>{{"f32", 0.25}, {"i8", 0.125}}));
  EXPECT_EQ(read.devices[0].performance, 1);
  EXPECT_EQ(read.devices[0].ops, (Words{"IF", "OP0"}));
  EXPECT_TRUE(read.devices[0].does_most);
  EXPECT_EQ(read.devices[0].control, (Words{"ADD", "WHILE"}));
  EXPECT_TRUE(read.devices[1].type_performance.empty());
  EXPECT_EQ(read.devices[1].performance, 3);
  EXPECT_TRUE(read.devices[1].ops.empty());
  EXPECT_FALSE(read.devices[1].does_most);
  EXPECT_EQ(read.devices[1].control, (Words{"EQUAL", "IF", "LESS", "WHILE"}));
  EXPECT_EQ(read.devices[2].performance, 0);
  EXPECT_TRUE(read.devices[2].control.empty());
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(read.devices[i].does_all, i == 3) << i;
  EXPECT_EQ(read.devices[3].name, "cpu");
  ASSERT_EQ(read.model.operands.size(), 4U);
  const std::vector<std::pair<Life, bool>> operands{
      {Life::kInput, false}, {Life::kInput, true}, {Life::kConstant, true}, {Life::kOutput, true}};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(read.model.operands[i].life, operands[i].first) << i;
    EXPECT_EQ(read.model.operands[i].is_size_known, operands[i].second) << i;
    EXPECT_EQ(read.model.operands[i].value, i == 2 ? 1 : 0) << i;
    EXPECT_EQ(read.model.operands[i].type, i % 2 == 0 ? "bool" : "f32") << i;
  }
  EXPECT_EQ(read.model.inputs, (std::vector<std::uint32_t>{1, 0}));
  EXPECT_EQ(read.model.outputs, std::vector<std::uint32_t>{3});
  ASSERT_EQ(read.model.ops.size(), 1U);
  EXPECT_TRUE(read.model.ops[0].is_if());
  ASSERT_EQ(read.model.ops[0].models.size(), 2U);
  for (const PlanModel& model : read.model.ops[0].models) {
    EXPECT_EQ(model.operands.at(1).value, 2.5);
    EXPECT_EQ(model.ops.at(0).type, "MUL");
    EXPECT_EQ(model.ops.at(0).inputs, (std::vector<std::uint32_t>{0, 1}));
    EXPECT_EQ(model.ops.at(0).outputs, std::vector<std::uint32_t>{2});
    EXPECT_EQ(model.inputs, std::vector<std::uint32_t>{0});
    EXPECT_EQ(model.outputs, std::vector<std::uint32_t>{2});
  }
  ASSERT_EQ(read.runs.size(), 2U);
  EXPECT_EQ(read.runs[0].arguments, (std::vector<double>{1.5, 1}));
  EXPECT_EQ(read.runs[0].fails, (std::set<std::pair<std::string, std::uint32_t>>{
                                    {"cpu-partial", 2}, {"cpu-full", 1}, {"cpu", 3}, {"dsp", 4294967295U}}));
  EXPECT_TRUE(read.runs[0].is_fenced);
  EXPECT_EQ(read.runs[1].arguments, (std::vector<double>{0, -1}));
  EXPECT_TRUE(read.runs[1].fails.empty());
  EXPECT_FALSE(read.runs[1].is_fenced);
}

TEST(PlanCaseFile, B72_WhatCannotBeMeantIsRefusedWithItsPlace) {
  for (const auto& [from, to, what] : {
           std::tuple{R"("detent.plan_case/1")", R"("detent.graph/1")", "must be \"detent.plan_case/1\""},
           std::tuple{R"("perf": 0.5)", R"("perf": -1)", "devices[0].perf: must not be negative"},
           std::tuple{R"(["OP0"])", R"(["OPX"])", "devices[0].ops[0]: 'OPX' is no type of op"},
           std::tuple{R"("name": "npu")", R"("name": "cpu")", "'cpu' is the name of two devices"},
           std::tuple{R"("life": "tmp")", R"("life": "temporary")", "'temporary' is no life of an operand"},
           std::tuple{R"("life": "tmp")", R"("life": "const")", "is a constant without 'val'"},
           std::tuple{R"("life": "tmp")", R"("life": "tmp", "val": 1)", "has 'val' and is no constant"},
           std::tuple{R"("type": "OP1")", R"("type": "IF")", "have two models in 'refs'"},
           std::tuple{R"("type": "OP1")", R"("type": "DIV")", "'DIV' is no type of op"},
           std::tuple{R"(["npu", 1])", R"(["gpu", 1])", "runs[0].fail[0][0]: 'gpu' is no device"},
           std::tuple{R"(["npu", 1])", R"(["npu", 0])", "attempts are counted from 1"},
           std::tuple{R"(["npu", 1])", R"(["npu"])", "must be [device, attempt from 1]"},
           std::tuple{R"("fenced")", R"("fence")", "fence"},
           std::tuple{R"("partitioning": 1)", R"("partitioning": 3)", "partitioning"},
       }) {
    const std::string error = refusal(from, to);
    EXPECT_NE(error.find(what), std::string::npos) << to << ": " << error;
    EXPECT_EQ(error.rfind("case.json:", 0), 0U) << error;
  }
}

TEST(PlanModel, FaultsOfAModelAreNamed) {
  using Change = std::function<void(PlanModel&)>;
  for (const auto& [change, what] : {
           std::pair<Change, const char*>{[](PlanModel& m) { m.ops.clear(); }, "a model has no ops"},
           {[](PlanModel& m) { m = {}; }, "a model has no operands"},
           {[](PlanModel& m) {
              m.inputs = {0, 0};
            },
            "inputs: operand 0 is there twice"},
           {[](PlanModel& m) {
              m.inputs = {0, 9};
            },
            "inputs: operand 9 does not exist"},
           {[](PlanModel& m) { m.inputs = {0}; }, "inputs: operand 1 is missing"},
           {[](PlanModel& m) { m.outputs = {2}; }, "outputs: operand 2 has another life"},
           {[](PlanModel& m) { m.ops[0].inputs = {7}; }, "op 0 (OP0): operand 7 does not exist"},
           {[](PlanModel& m) { m.ops[0].outputs = {3}; }, "operand 3 is written twice"},
           {[](PlanModel& m) { m.ops[0].outputs = {0}; }, "operand 0 is written twice, or is an input"},
           {[](PlanModel& m) { m.ops[0].outputs = {}; }, "op 0 (OP0): has no output"},
           {[](PlanModel& m) { m.ops.pop_back(); }, "operand 3 is never written"},
           {[](PlanModel& m) { m.ops[0].inputs = {3}; }, "ops wait for each other in a circle"},
           {[](PlanModel& m) { m.ops[0].type = "NEG"; }, "op 0 (NEG): has 2 inputs, not 1"},
       }) {
    PlanModel model = parse_plan_case(two_ops_text(), "case.json").model;
    change(model);
    EXPECT_EQ(finish_model(model).rfind(what, 0), 0U) << finish_model(model) << " for " << what;
  }
}

TEST(PlanModel, FaultsOfBranchesAndLoopsAreNamed) {
  const PlanModel negated = one_op("NEG", {"f32"});
  const auto fault_of = [](const PlanModel& model) {
    PlanModel copy = model;
    return finish_model(copy);
  };
  EXPECT_EQ(fault_of(one_if(negated, negated)), "");
  EXPECT_NE(fault_of(one_if(negated, one_op("ADD", {"f32", "f32"}))).find("other numbers of inputs"),
            std::string::npos);
  EXPECT_NE(fault_of(one_if(negated, one_op("NEG", {"i32"}))).find("other types"), std::string::npos);
  PlanModel no_truth = one_if(negated, negated);
  no_truth.operands[0].type = "f32";
  EXPECT_NE(fault_of(no_truth).find("its condition is not bool"), std::string::npos);
  PlanModel inner = one_if(negated, negated);
  inner.ops[0].models[1].ops[0].inputs = {5};
  EXPECT_EQ(fault_of(inner), "in a model of IF: op 0 (NEG): operand 5 does not exist");
  const PlanModel below = one_op("LESS", {"f32", "f32"}), sum = one_op("ADD", {"f32", "f32"});
  EXPECT_EQ(fault_of(one_while(below, sum)), "");
  EXPECT_NE(fault_of(one_while(sum, sum)).find("its condition has not one output of type bool"), std::string::npos);
  EXPECT_NE(fault_of(one_while(below, negated)).find("condition and body need its inputs"), std::string::npos);
  EXPECT_NE(fault_of(one_while(below, below)).find("values of other types"), std::string::npos);
  PlanModel greedy = one_while(below, sum);
  greedy.operands.push_back({.type = "f32", .life = Life::kTemporary});
  greedy.ops[0].outputs.push_back(3);
  EXPECT_NE(fault_of(greedy).find("too few or too many outputs"), std::string::npos);
}

// The op that became ready last comes first.
TEST(PlanModel, RunOrderIsThatOfAStack) {
  PlanModel model;
  model.operands.push_back({.type = "f32", .life = Life::kInput});
  for (int i = 0; i < 5; ++i) model.operands.push_back({.type = "f32"});
  model.operands.back().life = Life::kOutput;
  model.inputs = {0};
  model.outputs = {5};
  model.ops = {{.type = "OP0", .inputs = {3, 4}, .outputs = {5}},
               {.type = "OP1", .inputs = {0}, .outputs = {1}},
               {.type = "OP2", .inputs = {0}, .outputs = {2}},
               {.type = "OP3", .inputs = {2, 2}, .outputs = {3}},
               {.type = "OP4", .inputs = {1}, .outputs = {4}}};
  ASSERT_EQ(finish_model(model), "");
  std::vector<std::uint32_t> places;
  for (const PlanOp& op : model.ops) places.push_back(op.place);
  EXPECT_EQ(places, (std::vector<std::uint32_t>{2, 3, 1, 4, 0}));
}

}  // namespace
}  // namespace detent::models::partition::testing
