// --split auto: into how many bands the heavy ops of a model are split, by simulated runs of what each would
// be.
#pragma once

#include <cstdint>
#include <string>

#include "app/model/loaded_model.hpp"
#include "sim/platform/platform.hpp"

namespace detent::app {

/// Let ModelOptions::split be a number where it is kAutoSplit. The model is prepared with 1, 2, 3, 4, 6 and 8 bands, at
/// most four for each worker, and each is simulated once with every op at its worst time. Taken is the lowest time,
/// where twice the workspace weighs as much as 5 % of the time; more bands than others must save 2 %. 1 where there is
/// nothing to choose: one worker, no op that can be split, ops with guards, a plan or schedules that the model came
/// with, a settings file that names ops.
/// @param workers  on CPUs; 0: one for each
/// @param options  gets split, and split_note where that is not 1
/// @throws as load_prepared
void settle_split(const std::string& model, const sim::Platform& platform, std::uint32_t workers,
                  ModelOptions& options);

/// Cores as native runs have them, for comparing runs of one model: their figures are typical, and none is measured.
sim::Platform typical_host(std::uint32_t cores);

}  // namespace detent::app
