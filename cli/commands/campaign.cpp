// detent campaign: a command in shards, on one machine, on several, or on a cluster -> the answer of one process.
#include <CLI/CLI.hpp>
#include <memory>

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

/// The command itself, told to take its shards from their parts.
int answer_whole(const app::CampaignRun& run, const Common& common) {
  const std::vector<std::string> words = app::merge_words(run.manifest, run.parts, common.json, common.quiet);
  Action action;
  const auto parser = make_parser(action, words.front());
  try {
    parser->parse(std::vector<std::string>(words.rbegin(), words.rend()));  // as CLI11 wants them
  } catch (const CLI::ParseError& error) {
    throw std::invalid_argument(explain(error, words));
  }
  return action();
}

int campaign_command(const CampaignCommand& options) {
  const auto note = [&](const std::string& text) {
    if (!options.common.quiet) print_note(text);
  };
  const app::CampaignRun run = [&] {
    const StopOnInterrupt stop;
    return app::run_campaign(options.request, progress_of(options.common, "shards"), note);
  }();
  if (!run.done) return options.request.prepare ? kHolds : kUnknown;
  return run.of_detent ? answer_whole(run, options.common) : show(options.common, run.answer);
}

}  // namespace

void add_campaign(CLI::App& app, Action& action) {
  auto options = std::make_shared<CampaignCommand>();
  CLI::App* command = app.add_subcommand(
      "campaign", "Cut simulate, explore or a program into shards, run them anywhere, and answer as one process would");
  app::CampaignRequest& request = options->request;
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
  command->add_option("-o,--out", request.directory, "Folder of the campaign: job files, parts, logs")
      ->type_name("DIR");
  command
      ->add_option("--hosts", request.hosts,
                   "parallel: file of hosts, one a line: user@host, 4/host for four at a time, : for this machine")
      ->type_name("FILE");
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
  command->add_option("--json", options->common.json, "Write the answer as JSON to FILE; - is standard output")
      ->type_name("FILE");
  command->add_flag("--quiet,-q", options->common.quiet, "No human text");
  command->callback([options, &action] { action = [options] { return campaign_command(*options); }; });
}

}  // namespace detent::cli
