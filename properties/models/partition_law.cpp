// Laws of plans over several devices: whatever devices exist and fail, the values are those of the model.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <optional>
#include <set>

#include "models/partition/op_values.hpp"
#include "models/partition/plan_run.hpp"
#include "properties/law.hpp"
#include "tests/models/partition/random_plan_case.hpp"

namespace detent::models::partition {
namespace {

using Values = std::vector<double>;

/// A model by demand: an operand's value is what the op that writes it computes from its inputs' values. No order, no
/// steps: shares nothing with the plan but what an op type computes. None: a loop has reached its bound.
class Demanded {
 public:
  Demanded(const PlanModel& model, const Values& arguments, std::uint32_t max_iterations)
      : model_(model), max_iterations_(max_iterations) {
    for (std::size_t i = 0; i < model.inputs.size(); ++i) values_[model.inputs[i]] = arguments[i];
  }

  /// All ops count, also those whose values nobody needs.
  std::optional<Values> outputs() {
    Values out;
    for (std::uint32_t operand = 0; operand < model_.operands.size(); ++operand) {
      if (!value(operand)) return std::nullopt;
    }
    for (const std::uint32_t operand : model_.outputs) out.push_back(*value(operand));
    return out;
  }

 private:
  std::optional<double> value(std::uint32_t operand) {
    if (model_.operands[operand].life == Life::kConstant) return model_.operands[operand].value;
    if (const auto known = values_.find(operand); known != values_.end()) return known->second;
    for (const PlanOp& op : model_.ops) {
      const auto at = std::ranges::find(op.outputs, operand);
      if (at == op.outputs.end()) continue;
      const std::optional<Values> results = compute(op);
      if (!results) return std::nullopt;
      return values_[operand] = (*results)[static_cast<std::size_t>(at - op.outputs.begin())];
    }
    return std::nullopt;
  }

  std::optional<Values> compute(const PlanOp& op) {
    Values inputs;
    for (const std::uint32_t operand : op.inputs) {
      const std::optional<double> input = value(operand);
      if (!input) return std::nullopt;
      inputs.push_back(*input);
    }
    if (op.is_if()) {
      const Values arguments(inputs.begin() + 1, inputs.end());
      return Demanded(op.models[inputs[0] != 0 ? 0 : 1], arguments, max_iterations_).outputs();
    }
    if (!op.is_while()) return Values(op.outputs.size(), op_value(op.type, inputs));
    std::uint32_t rounds = 0;
    for (;;) {
      const std::optional<Values> goes_on = Demanded(op.models[0], inputs, max_iterations_).outputs();
      if (!goes_on) return std::nullopt;
      if ((*goes_on)[0] == 0) return inputs;
      if (rounds++ == max_iterations_) return std::nullopt;
      const std::optional<Values> carried = Demanded(op.models[1], inputs, max_iterations_).outputs();
      if (!carried) return std::nullopt;
      std::copy(carried->begin(), carried->end(), inputs.begin());
    }
  }

  const PlanModel& model_;
  std::uint32_t max_iterations_;
  std::map<std::uint32_t, double> values_;
};

/// What the trace must say of failures, whatever the plan is.
void check_trace(const PlanCase& plan_case, const Plan& plan, const PlanRun& run, const PlanResult& result) {
  const bool is_cpu_alone = plan.kind == PlanKind::kSimple && plan.device + 1 == plan_case.devices.size();
  const bool may_fall_back = plan_case.partitioning == Partitioning::kWithFallback && !is_cpu_alone;
  for (std::size_t at = 0; at < result.trace.size(); ++at) {
    const std::string& entry = result.trace[at];
    const bool is_partial = entry.starts_with("fallback#"), is_full = entry == "full";
    RC_ASSERT(may_fall_back || (!is_partial && !is_full));
    RC_ASSERT(!is_partial || !run.is_fenced);
    RC_ASSERT(!is_full || at + 1 == result.trace.size());
    if (!is_partial) continue;
    RC_ASSERT(at > 0);
    const std::string& before = result.trace[at - 1];
    RC_ASSERT(!before.starts_with("cpu#") && before.ends_with(entry.substr(entry.find('#'))));
  }
}

RC_GTEST_PROP(PartitionLaw, RunsGiveTheValuesOfTheModelWhateverFails, ()) {
  laws::law_of_values(rc::gen::arbitrary<std::uint64_t>(), [](std::uint64_t seed) {
    PlanCase plan_case = testing::RandomPlanCase(seed).draw();
    const PlanModel as_written = plan_case.model;
    const Plan plan = make_plan(plan_case);
    RC_CLASSIFY(plan.kind == PlanKind::kCompound, "compound");
    RC_CLASSIFY(plan.kind == PlanKind::kError, "error");
    if (plan.kind == PlanKind::kError) {  // a step without inputs or outputs
      RC_ASSERT(plan.code == ResultCode::kOpFailed && plan_case.partitioning == Partitioning::kWithoutFallback);
      return;
    }
    for (const PlanRun& run : plan_case.runs) {
      const std::optional<Values> wanted = Demanded(as_written, run.arguments, plan_case.max_iterations).outputs();
      const PlanResult result = run_plan(plan_case, plan, run);
      RC_CLASSIFY(result.trace.back() == "full", "full fallback");
      check_trace(plan_case, plan, run, result);
      if (result.code == ResultCode::kNoError) {
        RC_ASSERT(wanted.has_value());
        RC_ASSERT(result.outputs == *wanted);
        continue;
      }
      RC_ASSERT(result.outputs.empty());
      const bool is_injected = !run.fails.empty();
      RC_ASSERT(is_injected || (result.code == ResultCode::kMissedDeadline && !wanted));
      const bool loses_all = std::ranges::any_of(run.fails, [](const auto& f) { return f.first == kFullFallback; });
      RC_ASSERT(!wanted || loses_all || plan_case.partitioning != Partitioning::kWithFallback ||
                (plan.kind == PlanKind::kSimple && plan.device + 1 == plan_case.devices.size()));
    }
  });
}

/// The steps that execute ops of a model, by op: EXEC, IF or WHILE.
std::map<std::uint32_t, std::uint32_t> steps_of(const Plan& plan, std::uint32_t model) {
  std::map<std::uint32_t, std::uint32_t> out;
  for (std::uint32_t at = 0; at < plan.steps.size(); ++at) {
    const auto add = [&](std::uint32_t op) { RC_ASSERT(out.emplace(op, at).second); };
    if (const auto* const exec = std::get_if<ExecStep>(&plan.steps[at]); exec && exec->model == model) {
      for (const std::uint32_t op : exec->ops) add(op);
    } else if (const auto* const branch = std::get_if<IfStep>(&plan.steps[at]); branch && branch->model == model) {
      add(branch->op);
    } else if (const auto* const loop = std::get_if<WhileStep>(&plan.steps[at]); loop && loop->model == model) {
      add(loop->op);
    }
  }
  return out;
}

RC_GTEST_PROP(PartitionLaw, EachOpIsInOneStepThatReadsAndWritesWhatCrossesIt, ()) {
  laws::law_of_values(rc::gen::arbitrary<std::uint64_t>(), [](std::uint64_t seed) {
    PlanCase plan_case = testing::RandomPlanCase(seed).draw();
    const Plan plan = make_plan(plan_case);
    if (plan.kind != PlanKind::kCompound) return;
    for (std::uint32_t model = 0; model < plan.models.size(); ++model) {
      const PlanModel& source = *plan.models[model];
      const std::map<std::uint32_t, std::uint32_t> step_of = steps_of(plan, model);
      RC_ASSERT(step_of.size() == source.ops.size());
      std::map<std::uint32_t, std::set<std::uint32_t>> inputs, outputs;  // by step
      for (std::uint32_t writer = 0; writer < source.ops.size(); ++writer) {
        for (const std::uint32_t operand : source.ops[writer].outputs) {
          if (source.operands[operand].life == Life::kOutput) outputs[step_of.at(writer)].insert(operand);
          for (std::uint32_t reader = 0; reader < source.ops.size(); ++reader) {
            if (std::ranges::count(source.ops[reader].inputs, operand) == 0) continue;
            RC_ASSERT(step_of.at(writer) <= step_of.at(reader));
            if (step_of.at(writer) == step_of.at(reader)) continue;
            outputs[step_of.at(writer)].insert(operand);
            inputs[step_of.at(reader)].insert(operand);
          }
        }
        for (const std::uint32_t operand : source.ops[writer].inputs) {
          if (source.operands[operand].life == Life::kInput) inputs[step_of.at(writer)].insert(operand);
        }
      }
      for (std::uint32_t at = 0; at < plan.steps.size(); ++at) {
        const auto* const step = std::get_if<ExecStep>(&plan.steps[at]);
        if (step == nullptr || step->model != model) continue;
        RC_ASSERT(std::set(step->inputs.begin(), step->inputs.end()) == inputs[at]);
        RC_ASSERT(std::set(step->outputs.begin(), step->outputs.end()) == outputs[at]);
        RC_ASSERT(step->inputs.size() == inputs[at].size() && step->outputs.size() == outputs[at].size());
      }
    }
  });
}

RC_GTEST_PROP(PartitionLaw, NoDeviceThatDoesAnOpIsFasterThanItsOwn, ()) {
  laws::law_of_values(rc::gen::arbitrary<std::uint64_t>(), [](std::uint64_t seed) {
    PlanCase plan_case = testing::RandomPlanCase(seed).draw();
    const Plan plan = make_plan(plan_case);
    const std::size_t cpu = plan_case.devices.size() - 1;
    for (const DeviceChoice& choice : plan.choices) {
      const std::size_t chosen = std::min<std::size_t>(choice.device, cpu);
      RC_ASSERT(choice.performance[chosen] >= 0);
      if (choice.is_unknown_size) continue;
      for (std::size_t other = 0; other <= cpu; ++other) {
        if (choice.performance[other] < 0 || other == chosen) continue;
        RC_ASSERT(choice.performance[chosen] <= choice.performance[other]);
        RC_ASSERT(choice.performance[chosen] < choice.performance[other] || chosen == cpu ||
                  (chosen < other && other != cpu));
      }
    }
  });
}

}  // namespace
}  // namespace detent::models::partition
