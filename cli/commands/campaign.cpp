// detent campaign: a command in shards, on one machine, on several, or on a cluster -> the answer of one process.
#include <CLI/CLI.hpp>

#include "app/campaign/command.hpp"
#include "app/campaign/driver.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/interrupt.hpp"
#include "cli/output.hpp"
#include "cli/program.hpp"

namespace detent::cli {
namespace {

struct CampaignCommand {
  Common common;
  app::CampaignRequest request;
};

int campaign_command(CampaignCommand& options) {
  const auto note = [&](const std::string& text) {
    if (!options.common.quiet) print_note(text);
  };
  const app::CampaignRun run = [&] {
    const StopOnInterrupt stop;
    return app::run_campaign(options.request, progress_of(options.common, "shards"), note);
  }();
  if (!run.done) return options.request.prepare ? kHolds : kUnknown;
  if (!run.of_detent) return show(options.common, run.answer);
  return run_line(app::merge_words(run.manifest, run.parts, options.common.json, options.common.quiet), "");
}

}  // namespace

void add_campaign(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "campaign", "Cut simulate, explore or a program into shards, run them anywhere, and answer as one process would");
  auto& [common, request] = make_options(*command, action, campaign_command);
  command
      ->add_option("COMMAND", request.command,
                   "simulate or explore with its options; or a program with {shard} (i/n), {index} or {shards} in its "
                   "words, behind --")
      ->type_name("WORD");
  choose(command->add_option("--engine", request.engine,
                             "local: processes of this machine; parallel: GNU parallel; slurm: an array of Slurm"),
         {"local", "parallel", "slurm"})
      ->capture_default_str();
  command->add_option("--shards", request.shards, "Parts to cut into; default: by a short trial run")
      ->check(whole_number(1, 1'000'000))
      ->type_name("N");
  add_folder(*command, "-o,--out", request.directory, "Folder of the campaign: job files, parts, logs");
  add_file(*command, "--hosts", request.hosts,
           "parallel: file of hosts, one a line: user@host, 4/host for four at a time, : for this machine");
  command->add_option("--jobs", request.jobs, "Shards at a time on this machine; default: one per core")
      ->check(whole_number(1, 10'000))
      ->type_name("N");
  command->add_option("--partition", request.partition, "slurm: partition; default: that of the cluster")
      ->type_name("NAME");
  command->add_option("--time", request.time, "slurm: limit of a shard as HH:MM:SS; default: by the trial run")
      ->type_name("TIME");
  command->add_option("--retries", request.retries, "How often a shard that dies is run again")
      ->check(whole_number(0, 1000))
      ->capture_default_str();
  command->add_flag("--resume", request.resume, "Go on with the campaign in --out; COMMAND may be left out");
  command->add_flag("--prepare", request.prepare, "Write the job files and start nothing");
  add_json_option(*command, common.json);
  command->add_flag("--quiet,-q", common.quiet, "No human text");
}

}  // namespace detent::cli
