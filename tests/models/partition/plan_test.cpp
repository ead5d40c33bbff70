// Plans: who executes what, how steps follow each other, what crosses them, and what runs do when devices fail.
#include "models/partition/plan.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "models/partition/plan_run.hpp"
#include "tests/models/partition/plan_cases.hpp"

namespace detent::models::partition::testing {
namespace {

using Numbers = std::vector<std::uint32_t>;

std::string text_of(const PlanCase& plan_case, const Plan& plan) {
  if (plan.kind == PlanKind::kError) return fmt::format("error {}", int(plan.code));
  if (plan.kind == PlanKind::kSimple) return plan_case.devices[plan.device].name;
  std::string out;
  for (const PlanStep& step : plan.steps) {
    if (!out.empty()) out += "; ";
    if (const auto* const exec = std::get_if<ExecStep>(&step)) {
      out += fmt::format("{} m{} {}: {} -> {}", plan_case.devices[exec->device].name, exec->model,
                         fmt::join(exec->ops, ","), fmt::join(exec->inputs, ","), fmt::join(exec->outputs, ","));
      if (!exec->downstream.empty()) out += fmt::format(" ({})", fmt::join(exec->downstream, ","));
    } else if (const auto* const branch = std::get_if<IfStep>(&step)) {
      out += fmt::format("if {} {}", branch->then_step, branch->else_step);
    } else if (const auto* const loop = std::get_if<WhileStep>(&step)) {
      out += fmt::format("while {} {} {}", loop->cond_step, loop->body_step, loop->exit_step);
    } else {
      out += fmt::format("goto {}", std::get<GotoStep>(step).target);
    }
  }
  return out;
}

std::string planned(PlanCase plan_case) {
  const Plan plan = make_plan(plan_case);
  return text_of(plan_case, plan);
}

/// "code outputs: trace"
std::string ran(PlanCase plan_case, const PlanRun& run) {
  const Plan plan = make_plan(plan_case);
  const PlanResult result = run_plan(plan_case, plan, run);
  return fmt::format("{} {}: {}", int(result.code), fmt::join(result.outputs, ","), fmt::join(result.trace, " "));
}

PlanModel two_ops() { return parse_plan_case(two_ops_text(), "").model; }

TEST(Plan, AnOpGoesToTheFastestDeviceThatDoesIt) {
  EXPECT_EQ(planned(plan_case(two_ops(), {device("a", 0.5, {"OP0", "OP1"})})), "a");
  EXPECT_EQ(planned(plan_case(two_ops(), {device("a", 1.5, {"OP0", "OP1"})})), "cpu");
  EXPECT_EQ(planned(plan_case(two_ops(), {device("a", 0.5, {"OP0"}), device("b", 0.25, {"OP0", "OP1"})})), "b");
  // Ties: the earliest, but the CPU before all.
  EXPECT_EQ(planned(plan_case(two_ops(), {device("a", 0.5, {"OP0", "OP1"}), device("b", 0.5, {"OP0", "OP1"})})), "a");
  EXPECT_EQ(planned(plan_case(two_ops(), {device("a", 1, {"OP0", "OP1"})})), "cpu");
  EXPECT_EQ(planned(plan_case(two_ops(), {device("a", 0.5, {"OP0"})})), "a m0 0: 0,1 -> 2; cpu m0 1: 1,2 -> 3");
  EXPECT_EQ(planned(plan_case(two_ops(), {device("a", 0.5, {"OP0", "OP1"})}, Partitioning::kNone)), "cpu");
}

TEST(Plan, ATypeThatADeviceDoesNotNameIsInfinitelySlow) {
  PlanDevice typed = device("a", 1, {"OP0", "OP1"});
  typed.type_performance = {{"f32", 0.5}};
  EXPECT_EQ(planned(plan_case(two_ops(), {typed})), "a");
  typed.type_performance = {{"i8", 0.5}};
  EXPECT_EQ(planned(plan_case(two_ops(), {typed})), "cpu");
}

TEST(Plan, AStarDoesNotCompare) {
  PlanDevice most = device("a", 0.5, {});
  most.does_most = true;
  EXPECT_EQ(planned(plan_case(one_op("ADD", {"f32", "f32"}), {most})), "a");
  EXPECT_EQ(planned(plan_case(one_op("LESS", {"f32", "f32"}), {most})), "cpu");
  EXPECT_EQ(planned(plan_case(one_op("EQUAL", {"f32", "f32"}), {most})), "cpu");
  most.control = {"LESS"};
  EXPECT_EQ(planned(plan_case(one_op("LESS", {"f32", "f32"}), {most})), "a");
}

// Queues are drained from the last device to the first, each as far as it goes: the CPU's second op belongs to its
// first step, since its input became known meanwhile. Inputs: of the model, temporaries, outputs of others.
TEST(Plan, AStepTakesAllThatItsDeviceCanDo) {
  PlanModel model;
  model.operands = {{.type = "f32", .life = Life::kInput},
                    {.type = "f32"},
                    {.type = "f32"},
                    {.type = "f32", .life = Life::kOutput},
                    {.type = "f32", .life = Life::kOutput}};
  model.inputs = {0};
  model.outputs = {3, 4};
  model.ops = {{.type = "OP0", .inputs = {0}, .outputs = {1}},
               {.type = "OP1", .inputs = {1}, .outputs = {3}},
               {.type = "OP2", .inputs = {0}, .outputs = {2}},
               {.type = "OP3", .inputs = {3, 2, 0}, .outputs = {4}}};
  EXPECT_EQ(planned(plan_case(model, {device("a", 0.5, {"OP2", "OP3"})})),
            "cpu m0 1,2: 0 -> 3 (3); a m0 0,3: 0,3 -> 4");
  EXPECT_EQ(planned(plan_case(model, {device("a", 0.5, {"OP3"}), device("b", 0.5, {"OP2"})})),
            "cpu m0 1,2: 0 -> 3 (3); b m0 0: 0 -> 2; a m0 3: 0,2,3 -> 4");
}

TEST(Plan, BranchesThatNoDeviceTakesWholeAreSteps) {
  const PlanModel branches = one_if(one_op("NEG", {"f32"}), one_op("COPY", {"f32"}));
  EXPECT_EQ(planned(plan_case(branches, {})), "if 1 3; cpu m1 0: 0 -> 1; goto 4; cpu m2 0: 0 -> 1");
  EXPECT_EQ(planned(plan_case(branches, {device("a", 0.5, {"NEG", "COPY"})})),
            "if 1 3; a m1 0: 0 -> 1; goto 4; a m2 0: 0 -> 1");
  EXPECT_EQ(planned(plan_case(branches, {device("a", 0.5, {"NEG", "COPY"}, {"IF"})})), "a");
  EXPECT_EQ(planned(plan_case(branches, {device("a", 0.5, {"NEG"}, {"IF"})})),
            "if 1 3; a m1 0: 0 -> 1; goto 4; cpu m2 0: 0 -> 1");
}

TEST(Plan, LoopsThatNoDeviceTakesWholeAreSteps) {
  const PlanModel loop = one_while(one_op("LESS", {"f32", "f32"}), one_op("ADD", {"f32", "f32"}));
  EXPECT_EQ(planned(plan_case(loop, {device("a", 0.5, {"ADD"})})),
            "while 1 3 5; cpu m1 0: 0,1 -> 2; goto 0; a m2 0: 0,1 -> 2; goto 0");
  EXPECT_EQ(planned(plan_case(loop, {device("a", 0.5, {"ADD", "LESS"}, {"WHILE"})})), "a");
}

// Half of both branches, and both models of a loop, count beside the op itself.
TEST(Plan, ControlFlowCostsWhatItsModelsCost) {
  PlanCase branches =
      plan_case(one_if(one_op("NEG", {"f32"}), one_op("COPY", {"f32"})), {device("a", 0.75, {"NEG", "COPY"}, {"IF"})});
  PlanCase loop = plan_case(one_while(one_op("LESS", {"f32", "f32"}), one_op("ADD", {"f32", "f32"})),
                            {device("a", 0.75, {"ADD", "LESS"}, {"WHILE"})});
  EXPECT_EQ(make_plan(branches).choices[0].performance, (std::vector<double>{1.5, 2}));
  EXPECT_EQ(make_plan(loop).choices[0].performance, (std::vector<double>{2.25, 3}));
}

TEST(Plan, ControlFlowOfUnknownSizeStaysOnTheCpuAsAWhole) {
  PlanModel branches = one_if(one_op("NEG", {"f32"}), one_op("COPY", {"f32"}));
  branches.ops[0].models[1].operands[1].is_size_known = false;
  PlanCase unknown = plan_case(branches, {device("a", 0.5, {"NEG", "COPY"}, {"IF"})});
  const Plan plan = make_plan(unknown);
  EXPECT_EQ(text_of(unknown, plan), "cpu");
  EXPECT_TRUE(plan.choices[0].is_unknown_size);
}

TEST(Plan, AStepWithoutInputsFailsOrGoesToTheCpu) {
  PlanModel model = two_ops();
  model.operands[1] = {.type = "f32", .life = Life::kConstant, .value = 3};
  model.inputs = {0};
  model.ops[0].inputs = {1};
  model.ops[1].inputs = {2, 0};
  const std::vector<PlanDevice> devices = {device("a", 0.5, {"OP0"})};
  EXPECT_EQ(planned(plan_case(model, devices)), "cpu");
  EXPECT_EQ(planned(plan_case(model, devices, Partitioning::kWithoutFallback)), "error 5");
  model.ops[0].inputs = {9};  // the user's fault: no fallback
  EXPECT_EQ(planned(plan_case(model, devices)), "error 4");
}

TEST(PlanRun, EachFailureTakesItsWayBackToTheCpu) {
  const auto two = [](Partitioning partitioning, std::set<std::pair<std::string, std::uint32_t>> fails,
                      bool is_fenced = false) {
    return ran(plan_case(two_ops(), {device("a", 0.5, {"OP0"})}, partitioning),
               {.arguments = {1, 2}, .fails = std::move(fails), .is_fenced = is_fenced});
  };
  constexpr auto kWith = Partitioning::kWithFallback, kWithout = Partitioning::kWithoutFallback;
  EXPECT_EQ(two(kWith, {}), "0 10: a#0 cpu#1");
  EXPECT_EQ(two(kWith, {{"a", 2}}), "0 10: a#0 cpu#1");
  EXPECT_EQ(two(kWith, {{"a", 1}}), "0 10: a#0 fallback#0 cpu#1");
  EXPECT_EQ(two(kWith, {{"a", 1}, {"cpu-partial", 1}}), "0 10: a#0 fallback#0 full");
  EXPECT_EQ(two(kWith, {{"cpu", 1}}), "0 10: a#0 cpu#1 full");
  EXPECT_EQ(two(kWith, {{"cpu", 1}, {"cpu-full", 1}}), "5 : a#0 cpu#1 full");
  EXPECT_EQ(two(kWith, {{"a", 1}}, true), "0 10: a#0 full");
  EXPECT_EQ(two(kWithout, {{"a", 1}}), "5 : a#0");
  EXPECT_EQ(two(kWithout, {{"a", 1}}, true), "5 : a#0");
  EXPECT_EQ(two(Partitioning::kNone, {}), "0 10: cpu#0");
  EXPECT_EQ(two(Partitioning::kNone, {{"cpu", 1}}), "5 : cpu#0");
  // One step on a device falls back; one on the CPU does not.
  const PlanCase simple = plan_case(two_ops(), {device("a", 0.5, {"OP0", "OP1"})});
  EXPECT_EQ(ran(simple, {.arguments = {1, 2}, .fails = {{"a", 1}}}), "0 10: a#0 fallback#0");
  EXPECT_EQ(ran(plan_case(two_ops(), {}), {.arguments = {1, 2}, .fails = {{"cpu", 1}}}), "5 : cpu#0");
  EXPECT_EQ(ran(simple, {.arguments = {1}}), "4 : ");
}

TEST(PlanRun, OnlyTheBranchThatIsTakenRuns) {
  const PlanCase branches =
      plan_case(one_if(one_op("NEG", {"f32"}), one_op("COPY", {"f32"})), {device("a", 0.5, {"NEG", "COPY"})});
  EXPECT_EQ(ran(branches, {.arguments = {1, 7}}), "0 -7: a#1");
  EXPECT_EQ(ran(branches, {.arguments = {0, 7}}), "0 7: a#3");
}

TEST(PlanRun, ALoopAsksItsConditionFirstAndThenItsBound) {
  const PlanModel loop = one_while(one_op("LESS", {"f32", "f32"}), one_op("ADD", {"f32", "f32"}));
  PlanCase steps = plan_case(loop, {device("a", 0.5, {"ADD"})});
  EXPECT_EQ(ran(steps, {.arguments = {5, 4}}), "0 5: cpu#1");
  EXPECT_EQ(ran(steps, {.arguments = {1, 4}}), "0 5: cpu#1 a#3 cpu#1");
  EXPECT_EQ(ran(steps, {.arguments = {-4, 4}}), "0 4: cpu#1 a#3 cpu#1 a#3 cpu#1");
  steps.max_iterations = 2;
  EXPECT_EQ(ran(steps, {.arguments = {-4, 4}}), "0 4: cpu#1 a#3 cpu#1 a#3 cpu#1");
  steps.max_iterations = 1;  // reached in the plan: no fallback
  EXPECT_EQ(ran(steps, {.arguments = {-4, 4}}), "10 : cpu#1 a#3 cpu#1");
  PlanCase whole = plan_case(loop, {device("a", 0.5, {"ADD", "LESS"}, {"WHILE"})});
  whole.max_iterations = 1;  // reached inside a step: its failure
  EXPECT_EQ(ran(whole, {.arguments = {-4, 4}}), "10 : a#0 fallback#0 full");
  EXPECT_EQ(ran(whole, {.arguments = {1, 4}}), "0 5: a#0");
}

TEST(PlanRun, ARunThatNeverEndsIsStopped) {
  PlanCase endless = plan_case(one_while(one_op("LESS", {"f32", "f32"}), one_op("SUB", {"f32", "f32"})), {});
  endless.max_iterations = 1'000'000'000;
  const Plan plan = make_plan(endless);
  EXPECT_THROW(run_plan(endless, plan, {.arguments = {0, 1}}), TooMuchWork);
}

}  // namespace
}  // namespace detent::models::partition::testing
