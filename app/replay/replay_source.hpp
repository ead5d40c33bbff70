// Where a replay line comes from, and for which world it is taken.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/model/loaded_model.hpp"
#include "app/replay/failure_file.hpp"
#include "app/replay/replay_line.hpp"

namespace detent::app {

/// Where a line came from.
struct ReplaySource {
  ReplayLine line;
  std::optional<FailureRecord> record{};
};

/// @param source  the line itself, a detent-failure/1 file, or a JSON answer that has a "replay" line
/// @throws InputError, std::invalid_argument  it is none of these
ReplaySource read_replay_source(const std::string& source);

/// The line of `source` for another model and another world, where these are not empty.
/// @throws std::invalid_argument  a line of threads runs under the explorer only
ReplayLine line_for(const ReplaySource& source, const std::string& model, const std::string& on);

/// What of the record does not fit: the model, which is refused without `force` as its ids mean other ops, or the
/// engine, which is only said as another engine is what a fix looks like.
/// @param source  as messages name the record   @param model_name  of `loaded`
std::vector<std::string> compare_identity(const std::string& source, const std::string& model_name, bool force,
                                          const FailureRecord& record, const LoadedModel& loaded);

}  // namespace detent::app
