#include "models/partition/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <queue>

namespace detent::models::partition {
namespace {

constexpr double kCannot = -1;

/// What devices can do, and how well.
class Devices {
 public:
  explicit Devices(const std::vector<PlanDevice>& devices) : devices_(devices) {}

  [[nodiscard]] std::uint32_t cpu() const { return static_cast<std::uint32_t>(devices_.size()) - 1; }
  [[nodiscard]] std::uint32_t interpreter() const { return static_cast<std::uint32_t>(devices_.size()); }

  [[nodiscard]] bool can_do(const PlanDevice& device, const PlanOp& op) const {
    if (device.does_all) return true;
    if (op.is_control_flow()) {
      return device.control.contains(op.type) && std::ranges::all_of(op.models, [&](const PlanModel& model) {
               return std::ranges::all_of(model.ops, [&](const PlanOp& inner) { return can_do(device, inner); });
             });
    }
    const bool is_most = device.does_most && op.type != "EQUAL" && op.type != "LESS";
    return is_most || device.ops.contains(op.type) || device.control.contains(op.type);
  }

  /// The device of an op, or the interpreter. Ties go to the earliest device, but those with the CPU to the CPU.
  [[nodiscard]] DeviceChoice choose(const PlanModel& model, const PlanOp& op) const {
    DeviceChoice choice{.device = cpu()};
    for (const PlanDevice& device : devices_) {
      choice.performance.push_back(can_do(device, op) ? performance(device, model, op) : kCannot);
    }
    choice.is_unknown_size = op.is_control_flow() && has_unknown_size(model, op);
    if (choice.is_unknown_size) return choice;
    double best = choice.performance[cpu()];
    for (std::uint32_t device = cpu(); device-- > 0;) {
      const double value = choice.performance[device];
      const bool is_tie = value == best && choice.device != cpu();
      if (value == kCannot || (value >= best && !is_tie)) continue;
      best = value;
      choice.device = device;
    }
    if (choice.device == cpu() && op.is_control_flow()) choice.device = interpreter();
    return choice;
  }

 private:
  static double own_performance(const PlanDevice& device, const std::string& type) {
    if (device.type_performance.empty()) return device.performance;
    const auto known = device.type_performance.find(type);
    return known == device.type_performance.end() ? std::numeric_limits<double>::infinity() : known->second;
  }

  static double performance(const PlanDevice& device, const PlanModel& model) {
    double sum = 0;
    for (const PlanOp& op : model.ops) sum += performance(device, model, op);
    return sum;
  }

  /// An op is judged by its first input's type.
  static double performance(const PlanDevice& device, const PlanModel& model, const PlanOp& op) {
    const double own =
        op.inputs.empty() ? device.performance
                          : own_performance(device, op.is_control_flow() ? op.type : model.operands[op.inputs[0]].type);
    if (!op.is_control_flow()) return own;
    const double inner = performance(device, op.models[0]) + performance(device, op.models[1]);
    return own + (op.is_if() ? 0.5 : 1.0) * inner;
  }

  static bool has_unknown_size(const PlanModel& model, const std::vector<std::uint32_t>& operands) {
    return std::ranges::any_of(operands, [&](std::uint32_t at) { return !model.operands[at].is_size_known; });
  }
  static bool has_unknown_size(const PlanModel& model, const PlanOp& op) {
    return has_unknown_size(model, op.inputs) || has_unknown_size(model, op.outputs) ||
           std::ranges::any_of(op.models, [](const PlanModel& inner) {
             return has_unknown_size(inner, inner.inputs) || has_unknown_size(inner, inner.outputs);
           });
  }

  const std::vector<PlanDevice>& devices_;
};

class Partitioner {
 public:
  Partitioner(const Devices& devices, Plan& plan) : devices_(devices), plan_(plan) {}

  void partition(const PlanModel& main) {
    add_model(main);
    const std::vector<std::uint32_t> device_of = choose_devices(0);
    if (device_of.front() != devices_.interpreter() &&
        std::ranges::count(device_of, device_of.front()) == static_cast<std::ptrdiff_t>(device_of.size())) {
      plan_.kind = PlanKind::kSimple;
      plan_.device = device_of.front();
      return;
    }
    plan_.kind = PlanKind::kCompound;
    emit(0, device_of);
    find_outputs();
    for (std::size_t index = 0; index < plan_.steps.size(); ++index) {
      const auto* const step = std::get_if<ExecStep>(&plan_.steps[index]);
      if (step == nullptr || !(step->inputs.empty() || step->outputs.empty())) continue;
      plan_.code = ResultCode::kOpFailed;
      plan_.error = fmt::format("step {} has no {}", index, step->inputs.empty() ? "inputs" : "outputs");
      return;
    }
  }

 private:
  std::uint32_t add_model(const PlanModel& model) {
    plan_.models.push_back(&model);
    return static_cast<std::uint32_t>(plan_.models.size()) - 1;
  }

  [[nodiscard]] std::uint32_t next_step() const { return static_cast<std::uint32_t>(plan_.steps.size()); }

  std::vector<std::uint32_t> choose_devices(std::uint32_t model) {
    std::vector<std::uint32_t> device_of;
    for (const PlanOp& op : plan_.models[model]->ops) {
      DeviceChoice choice = devices_.choose(*plan_.models[model], op);
      choice.model = model;
      choice.op = static_cast<std::uint32_t>(device_of.size());
      device_of.push_back(choice.device);
      plan_.choices.push_back(std::move(choice));
    }
    return device_of;
  }

  /// Ops of one model whose inputs are known, in a queue per device and one for the interpreter.
  class Queues {
   public:
    Queues(const PlanModel& model, const std::vector<std::uint32_t>& device_of, std::size_t count)
        : model_(model), device_of_(device_of), queues_(count), readers_(model.operands.size()) {
      for (std::uint32_t op = 0; op < model.ops.size(); ++op) {
        std::size_t unknown = 0;
        for (const std::uint32_t operand : model.ops[op].inputs) {
          const Life life = model.operands[operand].life;
          if (life != Life::kTemporary && life != Life::kOutput) continue;
          readers_[operand].push_back(op);
          ++unknown;
        }
        unknown_.push_back(unknown);
        if (unknown == 0) queues_[device_of[op]].push(op);
      }
    }

    /// The queue with the highest index that has an op: the interpreter, the CPU, devices from the last to the first.
    /// The queue count: all are empty.
    [[nodiscard]] std::size_t next() const {
      for (std::size_t at = queues_.size(); at-- > 0;) {
        if (!queues_[at].empty()) return at;
      }
      return queues_.size();
    }
    [[nodiscard]] bool is_empty(std::size_t queue) const { return queues_[queue].empty(); }

    std::uint32_t take(std::size_t queue) {
      const std::uint32_t op = queues_[queue].front();
      queues_[queue].pop();
      return op;
    }
    void mark_known(std::uint32_t op) {
      for (const std::uint32_t operand : model_.ops[op].outputs) {
        for (const std::uint32_t reader : readers_[operand]) {
          if (--unknown_[reader] == 0) queues_[device_of_[reader]].push(reader);
        }
      }
    }

   private:
    const PlanModel& model_;
    const std::vector<std::uint32_t>& device_of_;
    std::vector<std::queue<std::uint32_t>> queues_;
    std::vector<std::vector<std::uint32_t>> readers_;  // by operand
    std::vector<std::size_t> unknown_;                 // by op: inputs
  };

  void emit(std::uint32_t model) { emit(model, choose_devices(model)); }

  void emit(std::uint32_t model, const std::vector<std::uint32_t>& device_of) {
    Queues queues(*plan_.models[model], device_of, devices_.interpreter() + std::size_t{1});
    for (std::size_t queue = queues.next(); queue <= devices_.interpreter(); queue = queues.next()) {
      if (queue != devices_.interpreter()) {
        emit_exec(model, static_cast<std::uint32_t>(queue), queues);
        continue;
      }
      while (!queues.is_empty(queue)) {
        const std::uint32_t op = queues.take(queue);
        if (plan_.models[model]->ops[op].is_if()) {
          emit_if(model, op);
        } else {
          emit_while(model, op);
        }
        queues.mark_known(op);
      }
    }
  }

  void emit_exec(std::uint32_t model, std::uint32_t device, Queues& queues) {
    const PlanModel& source = *plan_.models[model];
    ExecStep step{.device = device, .model = model};
    std::vector<bool> seen(source.operands.size(), false);
    std::vector<std::uint32_t> temporaries, outputs;  // of other steps, that this one reads
    while (!queues.is_empty(device)) {
      const std::uint32_t op = queues.take(device);
      step.ops.push_back(op);
      for (const std::uint32_t operand : source.ops[op].inputs) {
        if (seen[operand]) continue;
        seen[operand] = true;
        switch (source.operands[operand].life) {
          case Life::kInput:
            step.inputs.push_back(operand);
            break;
          case Life::kTemporary:
            temporaries.push_back(operand);
            break;
          case Life::kOutput:
            outputs.push_back(operand);
            break;
          case Life::kConstant:
            break;
        }
      }
      for (const std::uint32_t operand : source.ops[op].outputs) {
        seen[operand] = true;
        if (source.operands[operand].life == Life::kOutput) step.outputs.push_back(operand);
        writers_[{model, operand}] = next_step();
      }
      queues.mark_known(op);
    }
    for (const std::vector<std::uint32_t>* more : {&temporaries, &outputs}) {
      for (const std::uint32_t operand : *more) used_.emplace(model, operand);
      step.inputs.insert(step.inputs.end(), more->begin(), more->end());
    }
    plan_.steps.emplace_back(std::move(step));
  }

  /// The operands that a step of the control flow reads where the devices leave them.
  void use_inputs(std::uint32_t model, const PlanOp& op) {
    for (const std::uint32_t operand : op.inputs) used_.emplace(model, operand);
  }

  //  i    if then = i + 1, else = j + 1
  //       steps of then
  //  j    goto k
  //       steps of else
  //  k
  void emit_if(std::uint32_t model, std::uint32_t op) {
    const PlanOp& source = plan_.models[model]->ops[op];
    use_inputs(model, source);
    const std::uint32_t at = next_step();
    IfStep step{.model = model, .op = op, .then_model = add_model(source.models[0])};
    step.else_model = add_model(source.models[1]);
    plan_.steps.emplace_back(step);
    step.then_step = next_step();
    emit(step.then_model);
    const std::uint32_t after_then = next_step();
    plan_.steps.emplace_back(GotoStep{});
    step.else_step = next_step();
    emit(step.else_model);
    plan_.steps[after_then] = GotoStep{next_step()};
    plan_.steps[at] = step;
  }

  //  i    while cond = i + 1, body = j + 1, exit = k + 1
  //       steps of the condition
  //  j    goto i
  //       steps of the body
  //  k    goto i
  void emit_while(std::uint32_t model, std::uint32_t op) {
    const PlanOp& source = plan_.models[model]->ops[op];
    use_inputs(model, source);
    const std::uint32_t at = next_step();
    WhileStep step{.model = model, .op = op, .cond_model = add_model(source.models[0])};
    step.body_model = add_model(source.models[1]);
    plan_.steps.emplace_back(step);
    step.cond_step = next_step();
    emit(step.cond_model);
    plan_.steps.emplace_back(GotoStep{at});
    step.body_step = next_step();
    emit(step.body_model);
    plan_.steps.emplace_back(GotoStep{at});
    step.exit_step = next_step();
    plan_.steps[at] = step;
  }

  /// Temporaries that others use are outputs of the step that writes them; outputs of a model that others use are
  /// downstream inputs.
  void find_outputs() {
    for (const auto& [model, operand] : used_) {  // ascending
      const auto writer = writers_.find({model, operand});
      if (writer == writers_.end()) continue;  // an input, a constant, or written by control flow
      ExecStep& step = std::get<ExecStep>(plan_.steps[writer->second]);
      const bool is_output = plan_.models[model]->operands[operand].life == Life::kOutput;
      (is_output ? step.downstream : step.outputs).push_back(operand);
    }
  }

  const Devices& devices_;
  Plan& plan_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> writers_;  // (model, operand) -> step
  std::set<std::pair<std::uint32_t, std::uint32_t>> used_;  // by another step than the one that writes
};

}  // namespace

Plan make_plan(PlanCase& plan_case) {
  Plan plan;
  plan.error = finish_model(plan_case.model);
  if (!plan.error.empty()) {
    plan.code = ResultCode::kBadData;
    return plan;
  }
  const Devices devices(plan_case.devices);
  if (plan_case.partitioning != Partitioning::kNone) {
    Partitioner(devices, plan).partition(plan_case.model);
    if (plan.code == ResultCode::kNoError) return plan;
    plan.steps.clear();
    plan.kind = PlanKind::kError;
    if (plan_case.partitioning == Partitioning::kWithoutFallback) return plan;
    plan.code = ResultCode::kNoError;
  }
  plan.kind = PlanKind::kSimple;
  plan.device = devices.cpu();
  plan.models = {&plan_case.model};
  plan.choices.clear();
  return plan;
}

}  // namespace detent::models::partition
