// What the times of a model's ops on a platform rest on.
#pragma once

#include <string>

#include <detent/desc.h>

#include "app/answer/answer.hpp"
#include "app/model/loaded_model.hpp"
#include "reports/data/time_grounds.hpp"
#include "sim/platform/platform.hpp"

namespace detent::app {

/// Count the ops of `loaded` by the source of their time, by the same function that gives the simulator their times.
/// Pseudo-ops that only delay others are not counted.
/// @param jitter  as --jitter has it
/// @param model   as the command line has it, for the remedy
/// @throws std::invalid_argument  as sim::op_work
reports::TimeGrounds time_grounds(const LoadedModel& loaded, const sim::Platform& platform, const std::string& jitter,
                                  const std::string& model);

/// What a screen of times must say of them: that some are assumed, and what of a cost table nothing reads. None where
/// every time is given or measured.
Lines ground_lines(const reports::TimeGrounds& times);

}  // namespace detent::app
