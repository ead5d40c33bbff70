// Periodic runs -> what they want of the cores of every class.
#pragma once

#include <string>
#include <vector>

#include <detent/desc.h>

#include "app/answer/answer.hpp"
#include "models/core/model.hpp"
#include "reports/data/deadline.hpp"
#include "verify/periodic/task.hpp"

namespace detent::app {

/// Of every class that has cores and ops with time.
/// @param class_names  by class of the tasks' problems
/// @throws std::invalid_argument  as verify::require_sound
std::vector<reports::ClassUse> class_uses(const std::vector<verify::PeriodicTask>& tasks,
                                          const std::vector<std::string>& class_names);

/// Of one network that is released once per period, alone.
/// @param problem  of desc; its times of ops, without what the engine and others add
/// @return  empty where no period is demanded
/// @throws std::invalid_argument  as verify::require_sound
std::vector<reports::ClassUse> network_uses(const models::TimeDemands& demands, const detent_desc& desc,
                                            const verify::TimingProblem& problem);

/// "utilisation  45.0%  of cpu (2 cores), at worst times of ops", one line a class.
Lines use_lines(const std::vector<reports::ClassUse>& uses);

}  // namespace detent::app
