// Laws between the planner and the checkers of other folders, which share no code with it.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include <detent/detent.h>

#include "harness/run_native.hpp"
#include "models/lower/lower.hpp"
#include "models/plan/memory_plan.hpp"
#include "models/plan/plan_check.hpp"
#include "models/plan/reuse.hpp"
#include "properties/law.hpp"
#include "properties/models/arbitrary.hpp"
#include "verify/static/buffer_race.hpp"
#include "verify/static/memory_plan.hpp"
#include "verify/static/structure.hpp"

namespace detent::models {
namespace {

using verify::Outcome;

detent_status runtime_verdict(const detent_desc& desc) {
  std::vector<std::uint64_t> work(detent_check_bytes(&desc) / 8 + 16);
  detent_error error{};
  return detent_check(&desc, work.data(), work.size() * 8, &error);
}

RC_GTEST_PROP(PlanVerdictLaw, ParallelPlansHaveNoFaultAndNoRace, ()) {
  laws::law_of(random_models(40), plan_command, [](const Model& drawn) {
    Model model = drawn;
    plan_memory(model, {.rounds = 100});
    const LoweredModel low = lower(model);
    RC_ASSERT(verify::check_structure(low.desc()).outcome == Outcome::kHolds);
    RC_ASSERT(verify::check_memory_plan(low.desc()).outcome == Outcome::kHolds);
    RC_ASSERT(verify::check_buffer_races(low.desc()).outcome == Outcome::kHolds);
  });
}

RC_GTEST_PROP(PlanVerdictLaw, APlantedRaceIsTheOneThatIsFound, ()) {
  laws::law_of(random_models(40), plan_command, [](const Model& drawn) {
    Model model = drawn;
    plan_memory(model, {.rounds = 20});
    const auto planted = plant_race(model, model.ops.size() % 2 == 0 ? RaceKind::kWar : RaceKind::kWaw, 1);
    const LoweredModel low = lower(model);
    RC_ASSERT(verify::check_memory_plan(low.desc()).outcome == (planted ? Outcome::kViolated : Outcome::kHolds));
    const verify::RaceReport report = verify::find_races(low.desc());
    RC_ASSERT(report.races.pairs == (planted ? 1U : 0U));
    if (!planted) return;
    RC_ASSERT(report.races.listed[0].op_a == planted->first_op);
    RC_ASSERT(report.races.listed[0].op_b == planted->second_op);
  });
}

/// Between the serial plan and the one of all schedules: what a capacity gets is within it and needs its edges alone.
RC_GTEST_PROP(PlanVerdictLaw, PlansWithReuseEdgesHaveNoFaultAndNoRace, ()) {
  laws::law_of(random_models(30), plan_command, [](const Model& drawn) {
    std::vector<std::uint64_t> op_ps;
    for (std::size_t op = 0; op < drawn.ops.size(); ++op) op_ps.push_back(*rc::gen::inRange<std::uint64_t>(0, 100));
    const ReusePlanner planner(drawn, op_ps, {.rounds = 30});
    const std::uint64_t least = planner.serial().plan.arena_bytes, most = planner.parallel().plan.arena_bytes;
    RC_ASSERT(planner.parallel().edges.empty());
    std::vector<ReusePlan> plans = {planner.serial(), planner.parallel()};
    const std::uint64_t capacity = *rc::gen::inRange(std::min(least, most), std::max(least, most) + 1);
    const auto between = planner.within(capacity);
    RC_ASSERT(between.has_value());
    RC_ASSERT(between->plan.arena_bytes <= capacity);
    plans.push_back(*between);
    for (const ReusePlan& plan : plans) {
      RC_ASSERT(find_plan_faults(plan.model).empty());
      const LoweredModel low = lower(plan.model);
      RC_ASSERT(verify::check_structure(low.desc()).outcome == Outcome::kHolds);
      RC_ASSERT(verify::check_memory_plan(low.desc()).outcome == Outcome::kHolds);
      RC_ASSERT(verify::check_buffer_races(low.desc()).outcome == Outcome::kHolds);
    }
  });
}

/// Move one tensor: what the verifier lets pass for every schedule the runtime's check at bind lets pass for the serial
/// one; where no two ops race all schedules are alike, and the two agree.
RC_GTEST_PROP(PlanVerdictLaw, RuntimeAndVerifierAgreeOnMovedTensors, ()) {
  laws::law_of(random_models(25), plan_command, [](const Model& drawn) {
    Model model = drawn;
    plan_memory(model, {.rounds = 20});
    Tensor& moved = model.tensors[pick<std::size_t>(0, model.tensors.size() - 1)];
    moved.offset_bytes = flip() ? model.tensors[pick<std::size_t>(0, model.tensors.size() - 1)].offset_bytes
                                : std::uint64_t{16} * pick<std::uint64_t>(0, 200);
    const LoweredModel low = lower(model);
    const bool holds = verify::check_structure(low.desc()).outcome == Outcome::kHolds &&
                       verify::check_memory_plan(low.desc()).outcome == Outcome::kHolds;
    RC_LOG() << detent_status_name(runtime_verdict(low.desc())) << "\n";
    const bool is_bound = runtime_verdict(low.desc()) == DETENT_OK;
    RC_ASSERT(is_bound || !holds);
    if (verify::check_buffer_races(low.desc()).outcome == Outcome::kHolds) RC_ASSERT(is_bound == holds);
  });
}

/// Sharing bytes changes no result: not for the other order, not for more rounds.
RC_GTEST_PROP(PlanVerdictLaw, EveryPlanGivesTheSameOutput, ()) {
  laws::law_of(random_models(30), plan_command, [](const Model& drawn) {
    std::vector<std::uint64_t> digests;
    for (const PlanOptions& options : {PlanOptions{.rounds = 0}, PlanOptions{.rounds = 100},
                                       PlanOptions{.order = PlanOrder::kSerial, .rounds = 100}}) {
      Model model = drawn;
      plan_memory(model, options);
      const LoweredModel low = lower(model);
      const harness::Run run = harness::run_native(low.desc(), {.engine = {.workers = 0}});
      RC_ASSERT(run.result.error.status == DETENT_OK);
      digests.push_back(run.digest);
    }
    RC_ASSERT(digests[0] == digests[1]);
    RC_ASSERT(digests[0] == digests[2]);
  });
}

}  // namespace
}  // namespace detent::models
