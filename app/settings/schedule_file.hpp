// --schedule FILE: lists of ops per worker, or layers of such lists -> a Model that carries them as a static schedule.
// Two spellings: detent.schedule/1 (TOML) names ops, detent.lists/1 (JSON) numbers them and names the cores' classes.
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
  std::uint32_t line = 0;                         ///< in a TOML file
  std::uint32_t list = 0, at = 0;                 ///< in a JSON file, whose line is 0: lists[list].ops[at]
};

using OpLists = std::vector<std::vector<ListedOp>>;  ///< by worker

/// What a schedule file says.
struct ScheduleFile {
  std::vector<OpLists> layers{};  ///< one without barriers where the file has `lists`; at least one, all equally wide
  bool has_barriers = false;      ///< between the layers: the file has `layers`
  /// [workers] class of the core of each list, "cpu" first, else in the order of the file; empty: the file names none
  std::vector<std::string> cores{};

  [[nodiscard]] std::uint32_t workers() const { return static_cast<std::uint32_t>(layers.front().size()); }
  /// Those on CPUs; all of them where the file does not say.
  [[nodiscard]] std::uint32_t cpu_workers() const;
};

/// Read `detent.schedule/1` (TOML) without a model.
/// @throws std::invalid_argument  names file and line
ScheduleFile parse_schedule(std::string_view text, const std::string& file);

/// Read `detent.lists/1` (JSON) without a model. Lists of a class of cores that are all empty are left out, but for the
/// CPUs: there are no workers for a class that no op needs.
/// @throws InputError  names file and place
ScheduleFile parse_lists(std::string_view text, const std::string& file);

/// One list of ops and the class of the core that executes it.
struct NamedList {
  std::string core{};
  std::vector<std::uint32_t> ops{};
};
/// `detent.lists/1`. @return  with a final newline
std::string format_lists(const std::vector<NamedList>& lists);

/// Read a file and let the model carry its schedule, instead of one for as many workers that it may have. Layers also
/// become edges: from every op of a layer to every op of the next one that has ops.
struct AppliedSchedule {
  std::uint32_t workers = 0;      ///< 0: no schedule was given
  std::uint32_t cpu_workers = 0;  ///< as ScheduleFile
  std::string summary{};  ///< for people: "static schedule of 2 workers, 3 layers (4 edges for barriers), from FILE"
};
/// @throws std::invalid_argument  an unknown or ambiguous name, an op that is missing or there twice, lists that wait
/// for each other in a circle, ops with guards, an op in the list of a core of another class
AppliedSchedule apply_schedule_file(const std::string& path, models::Model& model);

/// Whose workers an engine counts: native ones serve every class, simulated ones are CPUs beside the accelerators.
enum class WorkersOf : std::uint8_t { kAllLists, kCpuLists };

/// The engine of a command whose options have `--schedule FILE`: static mode, with as many workers as lists where
/// --workers was not given. Nothing changes where `path` is empty.
/// @throws std::invalid_argument  --mode was given and is another one
void follow_schedule_file(const std::string& path, const std::vector<GivenOption>& given, WorkersOf workers,
                          harness::EngineSpec& engine);

}  // namespace detent::app
