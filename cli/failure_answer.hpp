// A failing schedule of detent explore: checked behind gates, told as JSON and as text, written as a file.
#pragma once

#include <string>

#include "app/model/loaded_model.hpp"
#include "cli/failure_line.hpp"
#include "cli/output.hpp"
#include "reports/data/failure_story.hpp"
#include "verify/explore/ops/failure.hpp"

namespace detent::cli {

/// One failure with what was made of it.
struct FailureAnswer {
  app::ReplayLine line;
  verify::explore::GateReplay native;  ///< runs is 0 where gates cannot show it
  reports::FailureStory story;
};

struct FailureOptions {
  std::uint64_t gate_runs = 3;
  std::string file{};  ///< for detent-failure/1; empty: none
};

/// Repeat natively behind gates, simulate, write options.file.
/// @param line  model, seed, split and input_seed of the exploration
/// @throws InputError  the file cannot be written
FailureAnswer answer_failure(const app::ReplayLine& line, const app::LoadedModel& loaded,
                             const verify::explore::OpSpace& space, const verify::explore::OpFailure& failure,
                             const FailureOptions& options);

/// `failure` of detent.explore/1 at op level.
Json failure_json(const detent_desc& desc, const verify::explore::OpFailure& failure, const FailureAnswer& answer);
void print_failure(const Common& common, const detent_desc& desc, const verify::explore::OpFailure& failure,
                   const FailureAnswer& answer);

/// "  replay    detent replay '...'": the line whole unless it is very long.
void print_replay(const Common& common, const std::string& line, const std::string& file);

/// Run `ops` natively with the constraints as gates, `runs` times; where that leaves other pairs among them open,
/// these get gates, too, as long as there are workers for them.
/// @throws std::invalid_argument  as explore::replay_with_gates
verify::explore::GateReplay run_behind_gates(const verify::explore::OpSpace& space, const app::LoadedModel& loaded,
                                             const app::ReplayLine& line, std::uint64_t runs,
                                             std::uint64_t watchdog_ms);

}  // namespace detent::cli
