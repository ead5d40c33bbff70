#include "app/deadline/period_use.hpp"

#include <fmt/format.h>

#include "base/counted.hpp"
#include "verify/periodic/response_analysis.hpp"

namespace detent::app {

std::vector<reports::ClassUse> class_uses(const std::vector<verify::PeriodicTask>& tasks,
                                          const std::vector<std::string>& class_names) {
  std::vector<reports::ClassUse> uses;
  for (const verify::ClassLoad& load : verify::class_loads(tasks)) {
    uses.push_back({.core_class = class_names[load.core_class],
                    .cores = tasks.front().problem.cores[load.core_class],
                    .utilisation = load.utilisation,
                    .is_overloaded = load.is_overloaded});
  }
  return uses;
}

std::vector<reports::ClassUse> network_uses(const models::TimeDemands& demands, const detent_desc& desc,
                                            const verify::TimingProblem& problem) {
  if (!demands.period_ps) return {};
  std::vector<std::string> names;
  for (std::uint32_t c = 0; c < desc.class_count; ++c) names.emplace_back(desc.classes[c].name);
  return class_uses({{.problem = problem, .period_ps = *demands.period_ps}}, names);
}

Lines use_lines(const std::vector<reports::ClassUse>& uses) {
  Lines lines;
  for (const reports::ClassUse& use : uses) {
    lines.push_back(
        fmt::format("utilisation    {:>11.1f}%  of {} ({}), at worst times of ops{}", use.utilisation * 100,
                    use.core_class, counted(use.cores, "core"),
                    use.is_overloaded ? ": VIOLATED, more work than time, so runs fall behind without end" : ""));
  }
  return lines;
}

}  // namespace detent::app
