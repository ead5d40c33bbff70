// detent merge: files of all shards of a campaign -> the answer that one uninterrupted simulate or explore would have
// given.
#include <CLI/CLI.hpp>
#include <memory>

#include "app/explore/part_file.hpp"
#include "app/simulate/campaign_identity.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/program.hpp"

namespace detent::cli {
namespace {

struct MergeOptions {
  std::vector<std::string> files;
  std::string out;
  std::uint32_t keep_worst = 10;
  std::string failure;
  bool sensitivity = false;
  bool quiet = false;
};

/// The command of the first file, told to take its shards from all of them.
std::vector<std::string> whole_arguments(const MergeOptions& options) {
  const std::string& first = options.files.front();
  const bool explores = app::is_explore_part(first);
  std::vector<std::string> arguments = {explores ? "explore" : "simulate"};
  for (std::string& word : explores ? app::identity_arguments(first, app::read_explore_part(first).identity)
                                    : app::campaign_arguments(first)) {
    arguments.push_back(std::move(word));
  }
  if (explores && options.sensitivity) {
    throw std::invalid_argument("--sensitivity: is of simulated runs; leave it out");
  }
  if (!explores && !options.failure.empty()) {
    throw std::invalid_argument("--failure: is of explored schedules; leave it out");
  }
  if (!explores) arguments.push_back("--keep-worst=" + std::to_string(options.keep_worst));
  if (!options.failure.empty()) arguments.push_back("--failure=" + options.failure);
  if (!options.out.empty()) arguments.push_back("--json=" + options.out);
  if (options.sensitivity) arguments.emplace_back("--sensitivity");
  if (options.quiet) arguments.emplace_back("--quiet");
  for (const std::string& file : options.files) arguments.push_back("--merge=" + file);
  return arguments;
}

int merge_command(const MergeOptions& options) {
  Action action;
  const std::vector<std::string> words = whole_arguments(options);
  const auto parser = make_parser(action, words.front());
  try {
    parser->parse(std::vector<std::string>(words.rbegin(), words.rend()));  // as CLI11 wants them
  } catch (const CLI::ParseError& error) {
    throw std::invalid_argument(options.files.front() +
                                ": byte 40: options that this program refuses: " + explain(error, words));
  }
  return action();
}

}  // namespace

void add_merge(CLI::App& app, Action& action) {
  auto options = std::make_shared<MergeOptions>();
  CLI::App* command = app.add_subcommand(
      "merge", "Campaign files of all shards, in any order -> the answer of the whole campaign, byte for byte");
  command->add_option("FILES", options->files, "Written by simulate or explore --campaign FILE --shard i/n")
      ->required();
  command->add_option("--json", options->out, "Write the answer as JSON to FILE; - is standard output")
      ->type_name("FILE");
  command->add_option("--keep-worst", options->keep_worst, "List the seeds of the N longest runs")
      ->check(whole_number(1, 10'000))
      ->capture_default_str();
  command
      ->add_option(
          "--failure", options->failure,
          "explore: write the failing schedule for detent replay: constraints, bytes, hashes of engine and model")
      ->type_name("FILE");
  command->add_flag("--sensitivity", options->sensitivity,
                    "Simulate the worst seeds again with each cost a little higher");
  command->add_flag("--quiet,-q", options->quiet, "Print nothing for people");
  command->callback([options, &action] { action = [options] { return merge_command(*options); }; });
}

}  // namespace detent::cli
