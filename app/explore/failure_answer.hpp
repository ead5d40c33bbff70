// A failing schedule of detent explore: checked behind gates, told as JSON and as text, written as a file.
#pragma once

#include <string>

#include "app/answer/answer.hpp"
#include "app/model/loaded_model.hpp"
#include "app/replay/failure_line.hpp"
#include "reports/data/failure_story.hpp"
#include "verify/explore/ops/failure.hpp"

namespace detent::app {

/// One failure with what was made of it.
struct FailureAnswer {
  ReplayLine line;
  verify::explore::GateReplay native;  ///< runs is 0 where gates cannot show it
  reports::FailureStory story;
};

struct FailureOptions {
  std::uint64_t gate_runs = 3;
  std::string file{};  ///< for detent-failure/1; empty: none
};

/// Repeat natively behind gates, simulate, write options.file.
/// @param line  model, seeds and split of the exploration
/// @throws InputError  the file cannot be written
FailureAnswer answer_failure(const ReplayLine& line, const LoadedModel& loaded, const verify::explore::OpSpace& space,
                             const verify::explore::OpFailure& failure, const FailureOptions& options);

/// `failure` of detent.explore/1 at op level.
Json failure_json(const detent_desc& desc, const verify::explore::OpFailure& failure, const FailureAnswer& answer);
/// The same for people.
Lines failure_lines(const detent_desc& desc, const verify::explore::OpFailure& failure, const FailureAnswer& answer);

}  // namespace detent::app
