// Plan cases: what is accepted is planned without a step that leads nowhere, or refused as a compiler refuses it.
#include "models/partition/plan.hpp"
#include "tests/fuzz/target.hpp"

namespace detent::fuzz {
namespace {

using namespace models::partition;

/// Steps that a step may be followed by.
std::vector<std::size_t> next_steps(const PlanStep& step, std::size_t at) {
  if (const auto* const branch = std::get_if<IfStep>(&step)) return {branch->then_step, branch->else_step};
  if (const auto* const loop = std::get_if<WhileStep>(&step)) {
    return {loop->cond_step, loop->body_step, loop->exit_step};
  }
  if (const auto* const jump = std::get_if<GotoStep>(&step)) return {jump->target};
  return {at + 1};
}

}  // namespace

void plan_case_target(std::string_view input) {
  PlanCase read;
  if (!accepts([&] { read = parse_plan_case(input, kInputName); })) return;
  require(!read.devices.empty() && read.devices.back().does_all, "the CPU is the last device");
  const Plan plan = make_plan(read);
  require((plan.kind == PlanKind::kError) == (plan.code != ResultCode::kNoError), "an error has a code");
  require(plan.kind == PlanKind::kCompound || plan.steps.empty(), "steps of compound plans only");
  for (std::size_t at = 0; at < plan.steps.size(); ++at) {
    for (const std::size_t next : next_steps(plan.steps[at], at)) {
      require(next != at && next <= plan.steps.size(), "a step, or the end");
    }
    const auto* const exec = std::get_if<ExecStep>(&plan.steps[at]);
    require(exec == nullptr || !(exec->ops.empty() || exec->inputs.empty() || exec->outputs.empty()),
            "a step reads, does and writes something");
  }
}

}  // namespace detent::fuzz
