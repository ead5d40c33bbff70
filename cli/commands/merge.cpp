// detent merge: files of all shards of a campaign -> the answer that one uninterrupted simulate or explore would have
// given.
#include <CLI/CLI.hpp>

#include "app/campaign/whole_command.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/options.hpp"
#include "cli/program.hpp"

namespace detent::cli {
namespace {

int merge_command(app::MergeRequest& options) {
  return run_line(app::whole_command(options),
                  options.files.front() + ": byte 40: options that this program refuses: ");
}

}  // namespace

void add_merge(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "merge", "Campaign files of all shards, in any order -> the answer of the whole campaign, byte for byte");
  app::MergeRequest& wanted = make_options(*command, action, merge_command);
  command->add_option("FILES", wanted.files, "Written by simulate or explore --campaign FILE --shard i/n")->required();
  add_json_option(*command, wanted.json);
  command->add_option("--keep-worst", wanted.keep_worst, "List the seeds of the N longest runs")
      ->check(whole_number(1, 10'000))
      ->capture_default_str();
  add_deadline_option(*command, wanted.deadline);
  add_file(*command, "--failure", wanted.failure,
           "explore: write the failing schedule for detent replay: constraints, bytes, hashes of engine and model");
  command->add_flag("--sensitivity", wanted.sensitivity,
                    "Simulate the worst seeds again with each cost a little higher");
  command->add_flag("--quiet,-q", wanted.quiet, "Print nothing for people");
}

}  // namespace detent::cli
