#include "models/partition/plan_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>

#include "models/partition/op_values.hpp"

namespace detent::models::partition {
namespace {

/// Ops one after the other, with the models that they refer to: what one device does by itself.
class Evaluator {
 public:
  explicit Evaluator(std::uint32_t max_iterations) : max_iterations_(max_iterations) {}

  /// The values of a model before any op has run.
  static std::vector<double> initial_values(const PlanModel& model) {
    std::vector<double> values;
    for (const PlanOperand& operand : model.operands) values.push_back(operand.value);
    return values;
  }

  static std::vector<double> pick(const std::vector<double>& values, const std::vector<std::uint32_t>& operands) {
    std::vector<double> out;
    for (const std::uint32_t operand : operands) out.push_back(values[operand]);
    return out;
  }
  static void put(std::vector<double>& values, const std::vector<std::uint32_t>& operands,
                  std::span<const double> given) {
    for (std::size_t i = 0; i < operands.size(); ++i) values[operands[i]] = given[i];
  }

  /// Outputs of a model; none: a loop has reached its bound.
  std::optional<std::vector<double>> outputs(const PlanModel& model, std::span<const double> arguments) {
    count(model.operands.size());
    std::vector<double> values = initial_values(model);
    put(values, model.inputs, arguments);
    for (const PlanOp& op : model.ops) {
      if (!execute(op, values)) return std::nullopt;
    }
    return pick(values, model.outputs);
  }

  /// @return  false: a loop has reached its bound
  bool execute(const PlanOp& op, std::vector<double>& values) {
    count(1 + op.inputs.size());
    const std::vector<double> inputs = pick(values, op.inputs);
    if (op.is_control_flow()) {
      const std::optional<std::vector<double>> out = op.is_if() ? branch(op, inputs) : loop(op, inputs);
      if (out) put(values, op.outputs, *out);
      return out.has_value();
    }
    const double value = op_value(op.type, inputs);
    for (const std::uint32_t operand : op.outputs) values[operand] = value;
    return true;
  }

  [[nodiscard]] bool may_repeat(std::uint32_t iterations) const { return iterations < max_iterations_; }
  void count(std::uint64_t operands) {
    touched_ += operands;
    if (touched_ > kMaxTouchedOperands) {
      throw TooMuchWork(
          fmt::format("a run reads and writes more than {} operands; lower 'max_iterations'", kMaxTouchedOperands));
    }
  }

 private:
  std::optional<std::vector<double>> branch(const PlanOp& op, const std::vector<double>& inputs) {
    return outputs(op.models[inputs[0] != 0 ? 0 : 1], std::span(inputs).subspan(1));
  }

  /// Condition, then bound, then body.
  std::optional<std::vector<double>> loop(const PlanOp& op, std::vector<double> state) {
    for (std::uint32_t iterations = 0;; ++iterations) {
      const auto goes_on = outputs(op.models[0], state);
      if (!goes_on) return std::nullopt;
      if (goes_on->front() == 0) return state;
      if (!may_repeat(iterations)) return std::nullopt;
      const auto carried = outputs(op.models[1], state);
      if (!carried) return std::nullopt;
      std::ranges::copy(*carried, state.begin());
    }
  }

  std::uint32_t max_iterations_;
  std::uint64_t touched_ = 0;
};

class Execution {
 public:
  Execution(const PlanCase& plan_case, const Plan& plan, const PlanRun& run)
      : case_(plan_case),
        plan_(plan),
        run_(run),
        evaluator_(plan_case.max_iterations),
        cpu_(static_cast<std::uint32_t>(plan_case.devices.size()) - 1),
        may_fall_back_(plan_case.partitioning == Partitioning::kWithFallback &&
                       !(plan.kind == PlanKind::kSimple && plan.device == cpu_)) {
    for (const PlanModel* const model : plan.models) values_.push_back(Evaluator::initial_values(*model));
    Evaluator::put(values_[0], plan.models[0]->inputs, run.arguments);
  }

  PlanResult execute() {
    ResultCode code = plan_.kind == PlanKind::kSimple ? run_whole_model() : run_steps();
    if (falls_back_fully_) code = fall_back_fully();
    result_.code = code;
    if (code == ResultCode::kNoError) result_.outputs = Evaluator::pick(values_[0], plan_.models[0]->outputs);
    return std::move(result_);
  }

 private:
  struct Loop {
    bool is_condition_known = false;  ///< else steps of the condition come next
    std::uint32_t iterations = 0;
    std::vector<double> state{};
  };

  bool attempt_fails(const std::string& name) { return run_.fails.contains({name, ++attempts_[name]}); }

  /// Attempts of a step: on its device, then on the CPU. `work` says whether no loop has reached its bound.
  template <class Work>
  ResultCode attempt(std::uint32_t device, std::size_t step, Work&& work) {
    const std::string& name = case_.devices[device].name;
    const auto code_of = [&](bool fails) {
      return fails ? ResultCode::kOpFailed : work() ? ResultCode::kNoError : ResultCode::kMissedDeadline;
    };
    result_.trace.push_back(fmt::format("{}#{}", name, step));
    ResultCode code = code_of(attempt_fails(name));
    if (code == ResultCode::kNoError || !may_fall_back_) return code;
    if (device != cpu_ && !run_.is_fenced) {
      result_.trace.push_back(fmt::format("fallback#{}", step));
      code = code_of(attempt_fails(std::string(kPartialFallback)));
      if (code == ResultCode::kNoError) return code;
    }
    falls_back_fully_ = true;
    return code;
  }

  bool evaluate_main() {
    const auto outputs = evaluator_.outputs(*plan_.models[0], run_.arguments);
    if (outputs) Evaluator::put(values_[0], plan_.models[0]->outputs, *outputs);
    return outputs.has_value();
  }

  ResultCode run_whole_model() {
    return attempt(plan_.device, 0, [&] { return evaluate_main(); });
  }

  ResultCode fall_back_fully() {
    result_.trace.emplace_back("full");
    if (attempt_fails(std::string(kFullFallback))) return ResultCode::kOpFailed;
    return evaluate_main() ? ResultCode::kNoError : ResultCode::kMissedDeadline;
  }

  ResultCode run_steps() {
    std::size_t at = 0;
    while (at < plan_.steps.size()) {
      leave_branches(at);
      evaluator_.count(1);
      if (const auto* const exec = std::get_if<ExecStep>(&plan_.steps[at])) {
        const ResultCode code = attempt(exec->device, at, [&] { return execute_step(*exec); });
        if (code != ResultCode::kNoError) return code;
        ++at;
      } else if (const auto* const branch = std::get_if<IfStep>(&plan_.steps[at])) {
        at = enter_branch(*branch);
      } else if (const auto* const loop = std::get_if<WhileStep>(&plan_.steps[at])) {
        const std::optional<std::size_t> next = go_round(*loop, loops_[at]);
        if (!next) return ResultCode::kMissedDeadline;
        at = *next;
      } else {
        at = std::get<GotoStep>(plan_.steps[at]).target;
      }
    }
    leave_branches(at);
    return ResultCode::kNoError;
  }

  bool execute_step(const ExecStep& step) {
    for (const std::uint32_t op : step.ops) {
      if (!evaluator_.execute(plan_.models[step.model]->ops[op], values_[step.model])) return false;
    }
    return true;
  }

  const PlanOp& op_of(std::uint32_t model, std::uint32_t op) const { return plan_.models[model]->ops[op]; }

  std::size_t enter_branch(const IfStep& step) {
    const std::vector<double> inputs = Evaluator::pick(values_[step.model], op_of(step.model, step.op).inputs);
    const bool holds = inputs[0] != 0;
    const std::uint32_t taken = holds ? step.then_model : step.else_model;
    values_[taken] = Evaluator::initial_values(*plan_.models[taken]);
    Evaluator::put(values_[taken], plan_.models[taken]->inputs, std::span(inputs).subspan(1));
    branches_.push_back({&step, taken, end_of(step)});
    return holds ? step.then_step : step.else_step;
  }

  /// The step behind both branches.
  [[nodiscard]] std::size_t end_of(const IfStep& step) const {
    return std::get<GotoStep>(plan_.steps[step.else_step - 1]).target;
  }

  /// Hand the outputs of branches that end before step `at` to the models around them, the innermost first.
  void leave_branches(std::size_t at) {
    while (!branches_.empty() && branches_.back().end == at) {
      const Branch branch = branches_.back();
      branches_.pop_back();
      const std::vector<double> outputs = Evaluator::pick(values_[branch.model], plan_.models[branch.model]->outputs);
      Evaluator::put(values_[branch.step->model], op_of(branch.step->model, branch.step->op).outputs, outputs);
    }
  }

  /// The step that comes next; none: the bound is reached. Condition, then bound, then body.
  std::optional<std::size_t> go_round(const WhileStep& step, Loop& loop) {
    const PlanOp& op = op_of(step.model, step.op);
    const PlanModel &condition = *plan_.models[step.cond_model], &body = *plan_.models[step.body_model];
    if (!loop.is_condition_known) {
      if (loop.state.empty()) {
        loop.state = Evaluator::pick(values_[step.model], op.inputs);
      } else {
        std::ranges::copy(Evaluator::pick(values_[step.body_model], body.outputs), loop.state.begin());
      }
      Evaluator::put(values_[step.cond_model], condition.inputs, loop.state);
      loop.is_condition_known = true;
      return step.cond_step;
    }
    if (values_[step.cond_model][condition.outputs[0]] == 0) {
      Evaluator::put(values_[step.model], op.outputs, loop.state);
      loop = {};
      return step.exit_step;
    }
    if (!evaluator_.may_repeat(loop.iterations)) return std::nullopt;
    ++loop.iterations;
    Evaluator::put(values_[step.body_model], body.inputs, loop.state);
    loop.is_condition_known = false;
    return step.body_step;
  }

  struct Branch {
    const IfStep* step;
    std::uint32_t model;
    std::size_t end;
  };

  const PlanCase& case_;
  const Plan& plan_;
  const PlanRun& run_;
  Evaluator evaluator_;
  std::uint32_t cpu_;
  bool may_fall_back_;
  bool falls_back_fully_ = false;
  std::vector<std::vector<double>> values_;  // by model, by operand
  std::map<std::string, std::uint32_t> attempts_;
  std::map<std::size_t, Loop> loops_;  // by step
  std::vector<Branch> branches_;       // entered and not left
  PlanResult result_;
};

}  // namespace

PlanResult run_plan(const PlanCase& plan_case, const Plan& plan, const PlanRun& run) {
  if (run.arguments.size() != plan.models.front()->inputs.size()) return {.code = ResultCode::kBadData};
  return Execution(plan_case, plan, run).execute();
}

}  // namespace detent::models::partition
