// The plan of a model: steps for devices, and steps of the control flow between them.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "models/partition/plan_case.hpp"

namespace detent::models::partition {

/// Ops of one model that one device executes at once.
struct ExecStep {
  std::uint32_t device = 0;
  std::uint32_t model = 0;
  std::vector<std::uint32_t> ops{};  ///< in run order, by their places in it
  /// Operands of the model: its inputs, then temporaries that are defined elsewhere, then outputs of the model that
  /// another step writes, each in the order in which ops meet them.
  std::vector<std::uint32_t> inputs{};
  /// Outputs of the model in the order in which ops write them, then temporaries that others use, ascending.
  std::vector<std::uint32_t> outputs{};
  std::vector<std::uint32_t> downstream{};  ///< the outputs of the model among them that another step reads, ascending
};

/// Go on with then_step when the condition holds, else with else_step.
struct IfStep {
  std::uint32_t model = 0, op = 0;
  std::uint32_t then_model = 0, else_model = 0;
  std::uint32_t then_step = 0, else_step = 0;
};

/// Steps of the condition begin at cond_step and those of the body at body_step; both end with a GOTO to this step.
struct WhileStep {
  std::uint32_t model = 0, op = 0;
  std::uint32_t cond_model = 0, body_model = 0;
  std::uint32_t cond_step = 0, body_step = 0, exit_step = 0;
};

struct GotoStep {
  std::uint32_t target = 0;
};

using PlanStep = std::variant<ExecStep, IfStep, WhileStep, GotoStep>;

enum class PlanKind : std::uint8_t { kSimple, kCompound, kError };

/// Why an op is on a device.
struct DeviceChoice {
  std::uint32_t model = 0, op = 0;
  std::uint32_t device = 0;           ///< or the number of devices: the interpreter of the control flow
  bool is_unknown_size = false;       ///< control flow with an operand of unknown size: the CPU, whatever others say
  std::vector<double> performance{};  ///< by device; negative: it does not do the op
};

struct Plan {
  ResultCode code = ResultCode::kNoError;
  std::string error{};  ///< for people; also where the whole model fell back to the CPU
  PlanKind kind = PlanKind::kError;
  std::uint32_t device = 0;       ///< of a simple plan
  std::vector<PlanStep> steps{};  ///< of a compound one
  /// By number, in the order in which the partitioner meets them; 0 is the main model. They point into the case.
  std::vector<const PlanModel*> models{};
  std::vector<DeviceChoice> choices{};  ///< of each op of these models; without partitioning none
};

/// Finish the model (finish_model) and partition it.
Plan make_plan(PlanCase& plan_case);

}  // namespace detent::models::partition
