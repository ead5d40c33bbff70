#include "app/partition/placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "models/partition/plan.hpp"

namespace detent::app {
namespace {

using namespace models::partition;

/// The ops and edges of a model as a plan case, all sizes known: an operand for what each op writes, and one for the
/// input of those that follow none. The first device is the CPU, which a case has as its last one.
class NetworkCase {
 public:
  NetworkCase(const models::Model& model, const std::vector<PlacementDevice>& devices) : count_(devices.size()) {
    const auto ops = static_cast<std::uint32_t>(model.ops.size());
    case_.model.operands.resize(ops + std::size_t{1});
    for (PlanOperand& operand : case_.model.operands) operand = {.type = "f32", .life = Life::kOutput};
    case_.model.operands[ops].life = Life::kInput;
    case_.model.inputs = {ops};
    case_.model.ops.resize(ops);
    for (std::uint32_t op = 0; op < ops; ++op) case_.model.ops[op].outputs = {op};
    for (const models::Edge& edge : model.edges) {
      case_.model.ops[edge.to].inputs.push_back(edge.from);
      case_.model.operands[edge.from].life = Life::kTemporary;
    }
    for (PlanOp& op : case_.model.ops) {
      std::ranges::sort(op.inputs);
      op.inputs.erase(std::ranges::unique(op.inputs).begin(), op.inputs.end());
      if (op.inputs.empty()) op.inputs = {ops};
    }
    for (std::uint32_t op = 0; op < ops; ++op) {
      if (case_.model.operands[op].life == Life::kOutput) case_.model.outputs.push_back(op);
    }
    for (std::size_t device = 1; device < count_; ++device) {
      case_.devices.push_back(
          {.name = devices[device].name, .performance = devices[device].performance / devices.front().performance});
    }
    case_.devices.push_back({.name = devices.front().name, .performance = 1, .does_all = true});
  }

  /// The op is judged by times of its own, relative to that on the CPU: those of the type of its first operand, which
  /// is the op's alone.
  void set_times(std::uint32_t op, const std::vector<double>& performances) {
    const std::string type = fmt::format("op {}", op);
    PlanModel& model = case_.model;
    PlanOp& it = model.ops[op];
    it.inputs.insert(it.inputs.begin(), static_cast<std::uint32_t>(model.operands.size()));
    model.operands.push_back({.type = type, .life = Life::kConstant});
    for (std::uint32_t device = 1; device < count_; ++device) {
      PlanDevice& of = case_.devices[device - 1];
      of.type_performance["f32"] = of.performance;  // of all others
      of.type_performance[type] = performances[device];
    }
  }

  /// Ops of a case have types, and devices say which they do.
  void set_type(std::uint32_t op, std::string type) { case_.model.ops[op].type = std::move(type); }
  void let(std::uint32_t device, std::string type) {
    if (device != 0) case_.devices[device - 1].ops.insert(std::move(type));
  }
  void set_performance(std::uint32_t device, double performance) {
    if (device != 0) case_.devices[device - 1].performance = performance;
  }
  [[nodiscard]] std::uint32_t device_of(std::uint32_t at) const { return at + 1 == count_ ? 0 : at + 1; }

  /// Ops of the plan are numbered in run order; `place` of each is the one here.
  Plan plan() { return make_plan(case_); }

 private:
  std::size_t count_;
  PlanCase case_{};
};

/// By device the op's worst time relative to that on the first one, which is 1. Where that is none, or unknown: the
/// time itself, so that the order of the others stays.
std::vector<double> performances_of(const models::Op& op, const std::vector<PlacementDevice>& devices) {
  const auto worst_on = [&](const PlacementDevice& device) {
    const auto time = op.times_by_class.find(device.name);
    return time == op.times_by_class.end() ? 0.0 : static_cast<double>(time->second.second);
  };
  const double first = worst_on(devices.front());
  std::vector<double> performances;
  for (const PlacementDevice& device : devices) performances.push_back(worst_on(device) / (first > 0 ? first : 1));
  return performances;
}

/// Where the op stays whatever devices execute; empty: it may be moved.
std::string reason_to_stay(const models::Op& op, bool is_placed) {
  if (is_placed) return "--set gives its class";
  if (op.workers != 0) return "its workers are given, of class " + op.core_class;
  if (op.time_ps && op.times_by_class.empty()) return fmt::format("its time is given, of class {}", op.core_class);
  return "";
}

std::uint32_t device_at(const std::vector<PlacementDevice>& devices, const std::string& name) {
  const auto found = std::ranges::find(devices, name, &PlacementDevice::name);
  return static_cast<std::uint32_t>(found - devices.begin());
}

}  // namespace

std::vector<OpChoices> op_choices(const models::Model& model, const std::vector<PlacementDevice>& devices,
                                  const std::vector<bool>& is_placed) {
  std::vector<OpChoices> choices(model.ops.size());
  for (std::size_t id = 0; id < choices.size(); ++id) {
    const models::Op& op = model.ops[id];
    OpChoices& choice = choices[id];
    choice.reason = reason_to_stay(op, is_placed[id]);
    if (!choice.reason.empty()) {
      const std::uint32_t device = device_at(devices, op.core_class);
      if (device == devices.size()) {
        throw std::invalid_argument(fmt::format("op {} ({}) stays on class {}, which is none of the devices; {}", id,
                                                op.name, op.core_class, choice.reason));
      }
      choice.devices = {device};
      continue;
    }
    for (std::uint32_t device = 0; device < devices.size(); ++device) {
      const bool is_known = op.times_by_class.contains(devices[device].name);
      if (op.times_by_class.empty() ? devices[device].executes(op.kernel) : is_known) choice.devices.push_back(device);
    }
    if (choice.devices.empty() && !op.times_by_class.empty()) {
      throw std::invalid_argument(fmt::format(
          "op {} ({}): has a time on no device; add one to its \"time_ps\", or a class to --devices", id, op.name));
    }
    if (choice.devices.empty()) {
      throw std::invalid_argument(
          fmt::format("op {} ({}): no device executes kernel {}; add one to --devices, or say --can CLASS={}", id,
                      op.name, op.kernel, op.kernel));
    }
  }
  return choices;
}

Placement nnapi_placement(const models::Model& model, const std::vector<PlacementDevice>& devices,
                          const std::vector<OpChoices>& choices) {
  NetworkCase network(model, devices);
  for (std::uint32_t op = 0; op < choices.size(); ++op) {
    std::string type;  // ops with equal choices have one type
    for (const std::uint32_t device : choices[op].devices) type += fmt::format("{} ", device);
    network.set_type(op, type);
    for (const std::uint32_t device : choices[op].devices) network.let(device, type);
    if (!model.ops[op].times_by_class.empty()) network.set_times(op, performances_of(model.ops[op], devices));
  }
  const Plan plan = network.plan();
  Placement placement(choices.size());
  for (const DeviceChoice& choice : plan.choices) {
    const std::uint32_t op = plan.models[choice.model]->ops[choice.op].place;
    const std::vector<std::uint32_t>& allowed = choices[op].devices;
    placement[op] = network.device_of(choice.device);
    if (std::ranges::find(allowed, placement[op]) != allowed.end()) continue;
    // A case's CPU does everything; this op is for others only.
    const models::Op& placed = model.ops[op];
    placement[op] = *std::ranges::min_element(allowed, {}, [&](std::uint32_t it) {
      const auto time = placed.times_by_class.find(devices[it].name);
      return time == placed.times_by_class.end() ? devices[it].performance : static_cast<double>(time->second.second);
    });
  }
  return placement;
}

std::vector<PlacementStep> steps_of(const models::Model& model, const std::vector<PlacementDevice>& devices,
                                    const Placement& placement) {
  NetworkCase network(model, devices);
  for (std::uint32_t op = 0; op < placement.size(); ++op) network.set_type(op, std::to_string(placement[op]));
  for (std::uint32_t device = 0; device < devices.size(); ++device) {
    network.let(device, std::to_string(device));
    network.set_performance(device, 0.5);  // below the CPU's, so that the one device that does the op is chosen
  }
  const Plan plan = network.plan();
  std::vector<PlacementStep> steps;
  const auto add = [&](std::uint32_t device, const std::vector<std::uint32_t>& ops) {
    PlacementStep step{.device = network.device_of(device)};
    for (const std::uint32_t op : ops) step.ops.push_back(plan.models.front()->ops[op].place);
    steps.push_back(std::move(step));
  };
  if (plan.kind == PlanKind::kSimple) {
    std::vector<std::uint32_t> all(placement.size());
    for (std::uint32_t op = 0; op < all.size(); ++op) all[op] = op;
    add(plan.device, all);
  }
  for (const PlanStep& step : plan.steps) {
    const auto& exec = std::get<ExecStep>(step);
    add(exec.device, exec.ops);
  }
  return steps;
}

}  // namespace detent::app
