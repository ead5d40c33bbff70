// A plan case from a seed: nested branches and loops, devices of all kinds, failures.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "models/partition/plan_case.hpp"

namespace detent::models::partition::testing {

class RandomPlanCase {
 public:
  explicit RandomPlanCase(std::uint64_t seed) : random_(seed) {}

  PlanCase draw() {
    PlanCase out;
    out.partitioning = chance(8) ? Partitioning::kNone : Partitioning(1 + random_.below(3) / 2);
    out.max_iterations = random_.below(6);
    const std::uint32_t devices = random_.below(4);
    for (std::uint32_t i = 0; i < devices; ++i) out.devices.push_back(device(i));
    out.devices.push_back({.name = std::string(kCpuDevice), .does_all = true});
    out.model = model(std::vector<std::string>(1 + random_.below(3), "f32"),
                      std::vector<std::string>(1 + random_.below(2), "f32"), 2);
    for (std::uint32_t i = 0; i < 4; ++i) out.runs.push_back(run(out, i));
    return out;
  }

 private:
  bool chance(std::uint32_t of) { return random_.below(of) == 0; }

  PlanDevice device(std::uint32_t index) {
    static constexpr std::array kPerformance = {0.5, 0.75, 1.0, 1.5};
    PlanDevice out{.name = "d" + std::to_string(index), .performance = kPerformance[random_.below(4)]};
    out.does_most = chance(2);
    for (const char* const type : {"ADD", "SUB", "NEG", "COPY", "LESS", "OP0", "OP1", "OP2"}) {
      if (chance(2)) out.ops.emplace(type);
    }
    for (const char* const type : {"IF", "WHILE", "LESS"}) {
      if (chance(2)) out.control.emplace(type);
    }
    return out;
  }

  PlanRun run(const PlanCase& plan_case, std::uint32_t index) {
    PlanRun out{.is_fenced = chance(4)};
    for (std::size_t i = 0; i < plan_case.model.inputs.size(); ++i) out.arguments.push_back(int(random_.below(9)) - 4);
    for (std::uint32_t i = 0; i < index; ++i) {
      const std::uint32_t pick = random_.below(static_cast<std::uint32_t>(plan_case.devices.size()) + 2);
      const std::string name = pick < plan_case.devices.size()    ? plan_case.devices[pick].name
                               : pick == plan_case.devices.size() ? std::string(kPartialFallback)
                                                                  : std::string(kFullFallback);
      out.fails.emplace(name, 1 + random_.below(3));
    }
    return out;
  }

  /// A model under construction: operands that have a value.
  struct Draft {
    PlanModel model{};
    std::vector<std::uint32_t> numbers{}, truths{};
  };

  std::uint32_t add_operand(Draft& draft, const std::string& type, Life life, double value = 0) {
    draft.model.operands.push_back({type, life, !(life == Life::kTemporary && chance(25)), value});
    const auto at = static_cast<std::uint32_t>(draft.model.operands.size()) - 1;
    (type == "bool" ? draft.truths : draft.numbers).push_back(at);
    return at;
  }
  std::uint32_t pick(const std::vector<std::uint32_t>& from) {
    return from[random_.below(static_cast<std::uint32_t>(from.size()))];
  }
  std::vector<std::uint32_t> pick_some(const std::vector<std::uint32_t>& from, std::size_t count) {
    std::vector<std::uint32_t> out;
    for (std::size_t i = 0; i < count; ++i) out.push_back(pick(from));
    return out;
  }

  PlanModel model(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
                  std::uint32_t depth) {
    Draft draft;
    for (const std::string& type : inputs) draft.model.inputs.push_back(add_operand(draft, type, Life::kInput));
    if (draft.numbers.empty() || chance(2)) add_operand(draft, "f32", Life::kConstant, random_.below(4));
    for (std::uint32_t left = random_.below(depth == 2 ? 9 : 3); left > 0; --left) add_op(draft, depth);
    for (const std::string& type : outputs) add_last_op(draft, type);
    shuffle(draft.model.ops);
    return std::move(draft.model);
  }

  void add_op(Draft& draft, std::uint32_t depth) {
    static constexpr std::array kTypes = {"ADD", "SUB", "NEG", "COPY", "OP0", "OP1", "OP2", "LESS", "EQUAL"};
    if (depth > 0 && chance(3)) return chance(2) ? add_if(draft, depth) : add_while(draft, depth);
    const std::string type = kTypes[random_.below(kTypes.size())];
    const bool is_truth = type == "LESS" || type == "EQUAL";
    const std::size_t count = type == "NEG" || type == "COPY" ? 1 : type[0] == 'O' ? 1 + random_.below(3) : 2;
    PlanOp op{.type = type, .inputs = pick_some(draft.numbers, count)};
    op.outputs = {add_operand(draft, is_truth ? "bool" : "f32", Life::kTemporary)};
    draft.model.ops.push_back(std::move(op));
  }

  void add_last_op(Draft& draft, const std::string& type) {
    PlanOp op{.type = type == "bool" ? "LESS" : "ADD", .inputs = pick_some(draft.numbers, 2)};
    op.outputs = {add_operand(draft, type, Life::kOutput)};
    draft.model.outputs.push_back(op.outputs[0]);
    draft.model.ops.push_back(std::move(op));
  }

  std::uint32_t truth(Draft& draft) {
    if (!draft.truths.empty() && chance(2)) return pick(draft.truths);
    PlanOp op{.type = "LESS", .inputs = pick_some(draft.numbers, 2)};
    op.outputs = {add_operand(draft, "bool", Life::kTemporary)};
    draft.model.ops.push_back(op);
    return op.outputs[0];
  }

  void add_if(Draft& draft, std::uint32_t depth) {
    const std::size_t arguments = random_.below(3), outputs = 1 + random_.below(2);
    PlanOp op{.type = "IF", .inputs = {truth(draft)}};
    for (const std::uint32_t operand : pick_some(draft.numbers, arguments)) op.inputs.push_back(operand);
    for (int branch = 0; branch < 2; ++branch) {
      op.models.push_back(
          model(std::vector<std::string>(arguments, "f32"), std::vector<std::string>(outputs, "f32"), depth - 1));
    }
    for (std::size_t i = 0; i < outputs; ++i) op.outputs.push_back(add_operand(draft, "f32", Life::kTemporary));
    draft.model.ops.push_back(std::move(op));
  }

  /// The first value counts up, and the condition asks for it: at most three rounds more than it begins below its
  /// limit.
  void add_while(Draft& draft, std::uint32_t depth) {
    const std::size_t all = 1 + random_.below(3), carried = 1 + random_.below(static_cast<std::uint32_t>(all));
    const std::size_t outputs = 1 + random_.below(static_cast<std::uint32_t>(carried));
    PlanOp op{.type = "WHILE", .inputs = pick_some(draft.numbers, all)};
    Draft condition;
    for (std::size_t i = 0; i < all; ++i) condition.model.inputs.push_back(add_operand(condition, "f32", Life::kInput));
    const std::uint32_t limit = add_operand(condition, "f32", Life::kConstant, random_.below(4));
    condition.model.outputs = {add_operand(condition, "bool", Life::kOutput)};
    condition.model.ops = {
        {.type = "LESS", .inputs = {condition.model.inputs[0], limit}, .outputs = condition.model.outputs}};
    PlanModel body = model(std::vector<std::string>(all, "f32"), std::vector<std::string>(carried, "f32"), depth - 1);
    body.operands.push_back({.type = "f32", .life = Life::kConstant, .value = 1});
    for (PlanOp& inner : body.ops) {
      if (inner.outputs[0] == body.outputs[0]) {
        inner.inputs = {body.inputs[0], static_cast<std::uint32_t>(body.operands.size()) - 1};
      }
    }
    op.models = {std::move(condition.model), std::move(body)};
    for (std::size_t i = 0; i < outputs; ++i) op.outputs.push_back(add_operand(draft, "f32", Life::kTemporary));
    draft.model.ops.push_back(std::move(op));
  }

  void shuffle(std::vector<PlanOp>& ops) {
    for (std::size_t i = ops.size(); i > 1; --i)
      std::swap(ops[i - 1], ops[random_.below(static_cast<std::uint32_t>(i))]);
  }

  RandomSource random_;
};

}  // namespace detent::models::partition::testing
