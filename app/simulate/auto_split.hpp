// --split auto: into how many bands the heavy ops of a model are split, by simulated runs of what each would
// be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "app/model/loaded_model.hpp"
#include "sim/platform/platform.hpp"

namespace detent::app {

/// A model split into some number of bands.
struct SplitTrial {
  std::uint32_t bands = 1;
  std::uint64_t time_ps = 0;  ///< of one run, every op at its worst time
  std::uint64_t workspace_bytes = 0;
};

/// Index of the trial that costs least: time, where twice the workspace of the first weighs as much as 5 % of it. A
/// later one must save 2 %.
/// @param trials  not empty; fewer bands first
std::size_t cheapest_split(const std::vector<SplitTrial>& trials);

/// Let ModelOptions::split be a number where it is kAutoSplit. The model is prepared with 1, 2, 3, 4, 6 and 8 bands, at
/// most four for each worker, and each is simulated once with every op at its worst time; cheapest_split is taken. 1
/// where there is nothing to choose: one worker, no op that can be split, ops with guards, a plan or schedules that the
/// model came with, a settings file that names ops.
/// @param workers  on CPUs; 0: one for each
/// @param options  gets split, and split_note where that is not 1
/// @throws as load_prepared
void settle_split(const std::string& model, const sim::Platform& platform, std::uint32_t workers,
                  ModelOptions& options);

/// Cores as native runs have them, for comparing runs of one model: their figures are typical, and none is measured.
sim::Platform typical_host(std::uint32_t cores);

}  // namespace detent::app
