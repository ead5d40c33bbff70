// detent replay: repeat a run from its line, from the JSON answer that carries the line, or from a failure file; twice,
// and compare.
#include "app/replay/replay.hpp"

#include <CLI/CLI.hpp>

#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/output.hpp"

namespace detent::cli {
namespace {

int replay_command(Question<app::ReplayRequest>& options) {
  options.wanted.request = options.common;
  const app::Replayed replayed = app::replay(options.wanted);
  write_json(options.common, replayed.answer.json);
  for (const std::string& warning : replayed.warnings) print_warning(warning);
  say(options.common, replayed.answer.lines);
  return exit_code(replayed.answer.outcome);
}

}  // namespace

void add_replay(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "replay", "Repeat a run or a failing schedule, twice: exit 0 when it is what was recorded, 1 when not");
  auto& [common, wanted] = make_options(*command, action, replay_command);
  add_common(*command, common, false);
  command
      ->add_option(
          "FILE_OR_LINE", wanted.source,
          "A detent-replay/1 line, a JSON answer that has one, or a detent-failure/1 file of explore --failure")
      ->required();
  choose(command->add_option(
             "--on", wanted.on,
             "native: threads, each constraint (before=) a gate at op begin; sim: simulated time, the order of open "
             "pairs held on several cores; explore: op by op, or the engine's threads step by step (choices=). "
             "Default: as recorded"),
         {"native", "sim", "explore"});
  command->add_option("--model", wanted.model, "The model where it lies now, instead of the name recorded")
      ->type_name("MODEL");
  command->add_option("--runs", wanted.world.runs, "Native runs of each of the two replays")
      ->check(whole_number(1, 1'000'000))
      ->capture_default_str();
  command
      ->add_option("--watchdog-ms", wanted.world.watchdog_ms,
                   "A gate that is held for longer opens, and the run counts as not reproduced")
      ->check(whole_number(1, 600'000))
      ->capture_default_str();
  command->add_flag("--force", wanted.force, "Go on although the failure file belongs to another model");
}

}  // namespace detent::cli
