// Small plan cases by hand.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "models/partition/plan_case.hpp"

namespace detent::models::partition::testing {

/// OP0 on the NPU, then OP1 on the CPU; one run, whose first attempt on the NPU fails.
inline std::string two_ops_text() {
  return R"({"schema": "detent.plan_case/1", "partitioning": 1,
 "devices": [{"name": "npu", "perf": 0.5, "ops": ["OP0"], "ctrl": []}],
 "model": {"operands": [{"type": "f32", "life": "in", "known": true}, {"type": "f32", "life": "in", "known": true},
                        {"type": "f32", "life": "tmp", "known": true}, {"type": "f32", "life": "out", "known": true}],
           "inputs": [0, 1], "outputs": [3],
           "ops": [{"type": "OP0", "ins": [0, 1], "outs": [2]}, {"type": "OP1", "ins": [2, 1], "outs": [3]}]},
 "runs": [{"args": [1.0, 2.0], "fail": [["npu", 1]], "fenced": false}]})";
}

/// Inputs of these types, then one op over all of them, whose result is the output.
inline PlanModel one_op(const std::string& type, const std::vector<std::string>& inputs) {
  PlanModel model;
  PlanOp op{.type = type};
  for (const std::string& input : inputs) {
    op.inputs.push_back(static_cast<std::uint32_t>(model.operands.size()));
    model.operands.push_back({.type = input, .life = Life::kInput});
  }
  const bool is_truth = type == "LESS" || type == "EQUAL";
  op.outputs = {static_cast<std::uint32_t>(model.operands.size())};
  model.operands.push_back({.type = is_truth ? "bool" : inputs.front(), .life = Life::kOutput});
  model.inputs = op.inputs;
  model.outputs = op.outputs;
  model.ops = {std::move(op)};
  return model;
}

/// Inputs: a truth value and a number; the output is what the branch makes of the number.
inline PlanModel one_if(PlanModel then_model, PlanModel else_model) {
  PlanModel model = one_op("IF", {"bool", "f32"});
  model.operands.back().type = "f32";
  model.ops[0].models = {std::move(then_model), std::move(else_model)};
  return model;
}

/// Inputs: a value that is carried, and a limit.
inline PlanModel one_while(PlanModel condition, PlanModel body) {
  PlanModel model = one_op("WHILE", {"f32", "f32"});
  model.ops[0].models = {std::move(condition), std::move(body)};
  return model;
}

inline PlanCase plan_case(PlanModel model, std::vector<PlanDevice> devices,
                          Partitioning partitioning = Partitioning::kWithFallback) {
  devices.push_back({.name = std::string(kCpuDevice), .does_all = true});
  return {.partitioning = partitioning, .devices = std::move(devices), .model = std::move(model)};
}

/// A device for some types of ops.
inline PlanDevice device(std::string name, double performance, std::set<std::string, std::less<>> ops,
                         std::set<std::string, std::less<>> control = {}) {
  return {.name = std::move(name), .performance = performance, .ops = std::move(ops), .control = std::move(control)};
}

}  // namespace detent::models::partition::testing
