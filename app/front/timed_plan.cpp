#include "app/front/timed_plan.hpp"

#include <utility>

#include "verify/timing/bounds.hpp"

namespace detent::app {

PlanTime time_plan(const detent_desc& desc, const sim::Platform& platform, const BoundSpec& spec,
                   const ExactQuestion& question) {
  const PlatformProblems problems = timing_problems(desc, platform, spec);
  ExactBound exact = exact_bound(desc, problems, platform, spec, question);
  PlanTime made{.ps = verify::kUnknownPs, .is_exact = false, .method = "none", .states = exact.summary.states};
  made.assumptions = exact.bound.assumptions;
  const auto take = [&](const verify::Bound& bound) {
    if (bound.bound_ps >= made.ps) return;
    made.ps = bound.bound_ps;
    made.method = bound.name;
    made.assumptions = bound.assumptions;
  };
  if (exact.summary.is_complete) take(exact.bound);
  made.is_exact = exact.bound.exact && made.ps != verify::kUnknownPs;
  if (made.is_exact) return made;
  for (const BoundFunction function : verify::upper_bounds()) take(upper_bound(function, problems, platform, spec));
  return made;
}

}  // namespace detent::app
