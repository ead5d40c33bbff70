// --schedule FILE: lists of ops per worker, or layers of such lists -> a Model that carries them as a static schedule.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/answer/given_option.hpp"
#include "harness/engine_spec.hpp"
#include "models/core/model.hpp"

namespace detent::app {

/// An op as a schedule names it.
struct ListedOp {
  std::variant<std::uint32_t, std::string> op{};  ///< id, or name
  std::uint32_t line = 0;                         ///< in the file
};

using OpLists = std::vector<std::vector<ListedOp>>;  ///< by worker

/// What a schedule file says.
struct ScheduleFile {
  std::vector<OpLists> layers{};  ///< one without barriers where the file has `lists`; at least one, all equally wide
  bool has_barriers = false;      ///< between the layers: the file has `layers`

  [[nodiscard]] std::uint32_t workers() const { return static_cast<std::uint32_t>(layers.front().size()); }
};

/// Read `detent.schedule/1` (TOML) without a model.
/// @throws std::invalid_argument  names file and line
ScheduleFile parse_schedule(std::string_view text, const std::string& file);

/// Read a file and let the model carry its schedule, instead of one for as many workers that it may have. Layers also
/// become edges: from every op of a layer to every op of the next one that has ops.
struct AppliedSchedule {
  std::uint32_t workers = 0;
  std::string summary{};  ///< for people: "static schedule of 2 workers, 3 layers (4 edges for barriers), from FILE"
};
/// @throws std::invalid_argument  an unknown or ambiguous name, an op that is missing or there twice, lists that wait
/// for each other in a circle, ops with guards
AppliedSchedule apply_schedule_file(const std::string& path, models::Model& model);

/// The engine of a command whose options have `--schedule FILE`: static mode, with as many workers as lists where
/// --workers was not given. Nothing changes where `path` is empty.
/// @throws std::invalid_argument  --mode was given and is another one
void follow_schedule_file(const std::string& path, const std::vector<GivenOption>& given, harness::EngineSpec& engine);

}  // namespace detent::app
