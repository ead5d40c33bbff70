#include "app/front/checked_plan.hpp"

#include <vector>

#include "models/plan/plan_check.hpp"
#include "verify/static/memory_plan.hpp"

namespace detent::app {

CheckedPlan check_plan(const models::Model& model, const detent_desc& desc) {
  const verify::Verdict verdict = verify::check_memory_plan(desc);
  CheckedPlan checked{.memory = verdict.outcome};
  if (verdict.outcome != verify::Outcome::kHolds) checked.fault = "memory_plan: " + verdict.summary;
  const std::vector<std::string> faults = models::find_plan_faults(model);
  if (!faults.empty()) checked.fault = faults.front();
  return checked;
}

}  // namespace detent::app
