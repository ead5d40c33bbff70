// detent replay: repeat a run from its line, from the JSON answer that carries the line, or from a failure file; twice,
// and compare.
#include <CLI/CLI.hpp>
#include <memory>

#include "app/replay/replay_source.hpp"
#include "app/replay/replay_worlds.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/output.hpp"

namespace detent::cli {
namespace {

struct ReplayOptions {
  Common common;
  std::string source;
  std::string on;
  std::string model;  ///< instead of the one that the source names
  app::ReplayWorld world;
  bool force = false;
};

int replay_command(ReplayOptions options) {
  const app::ReplaySource source = app::read_replay_source(options.source);
  const app::ReplayLine line = app::line_for(source, options.model, options.on);
  options.common.model = line.model;
  const sim::Platform platform = line.on == "sim" ? app::platform_of(line) : sim::Platform{};
  const app::LoadedModel loaded = app::load_for(line, platform);
  std::vector<std::string> warnings;
  if (source.record)
    warnings = app::compare_identity(options.source, line.model, options.force, *source.record, loaded);
  const app::ReplayOutcome first = app::replay_in_world(line, loaded, platform, options.world);
  const app::ReplayOutcome second = app::replay_in_world(line, loaded, platform, options.world);
  std::string finding = app::difference_to(line, first);
  if (finding.empty() && first != second) finding = "two replays differ: the run does not depend on its line alone";

  Json answer = app::replay_answer(options.common, line, first);
  answer["same"] = finding.empty();
  if (!finding.empty()) answer["difference"] = finding;
  if (!warnings.empty()) answer["warnings"] = warnings;
  write_json(options.common, answer);
  for (const std::string& warning : warnings) print_warning(warning);
  say(options.common, app::replay_outcome_lines(line, first));
  if (finding.empty()) return kHolds;
  say(options.common, "VIOLATED: " + finding);
  return kViolated;
}

}  // namespace

void add_replay(CLI::App& app, Action& action) {
  auto options = std::make_shared<ReplayOptions>();
  CLI::App* command = app.add_subcommand(
      "replay", "Repeat a run or a failing schedule, twice: exit 0 when it is what was recorded, 1 when not");
  add_common(*command, options->common, false);
  command
      ->add_option(
          "FILE_OR_LINE", options->source,
          "A detent-replay/1 line, a JSON answer that has one, or a detent-failure/1 file of explore --failure")
      ->required();
  choose(command->add_option(
             "--on", options->on,
             "native: threads, each constraint (before=) a gate at op begin; sim: simulated time, the order of open "
             "pairs held on several cores; explore: op by op, or the engine's threads step by step (choices=). "
             "Default: as recorded"),
         {"native", "sim", "explore"});
  command->add_option("--model", options->model, "The model where it lies now, instead of the name recorded")
      ->type_name("MODEL");
  command->add_option("--runs", options->world.runs, "Native runs of each of the two replays")
      ->check(whole_number(1, 1'000'000))
      ->capture_default_str();
  command
      ->add_option("--watchdog-ms", options->world.watchdog_ms,
                   "A gate that is held for longer opens, and the run counts as not reproduced")
      ->check(whole_number(1, 600'000))
      ->capture_default_str();
  command->add_flag("--force", options->force, "Go on although the failure file belongs to another model");
  command->callback([options, &action] { action = [options] { return replay_command(*options); }; });
}

}  // namespace detent::cli
