// Options that every command takes.
#include "cli/command.hpp"

#include <CLI/CLI.hpp>
#include <utility>

#include "cli/command_line.hpp"

namespace detent::cli {

int exit_code(verify::Outcome outcome) {
  switch (outcome) {
    case verify::Outcome::kHolds:
      return kHolds;
    case verify::Outcome::kViolated:
      return kViolated;
    case verify::Outcome::kUnknown:
      break;
  }
  return kUnknown;
}

void set_action(CLI::App& command, Action& action, Action act) {
  command.callback([&action, act = std::move(act)] { action = act; });
}

void add_json_option(CLI::App& command, std::string& file) {
  add_file(command, "--json", file, "Write the answer as JSON to FILE; - is standard output");
}

void add_common(CLI::App& command, Common& common, bool with_model) {
  if (with_model) {
    command.add_option("MODEL", common.model, "Zoo name, package, or op graph file")->required();
  }
  add_json_option(command, common.json);
  command.add_option("--seed", common.seeds.schedule, "Seed of jitter and of random choices")->capture_default_str();
  command.add_flag("--quiet,-q", common.quiet, "No human text");
  choose(command.add_option("--color", common.color, "Colour of verdicts; auto: on terminals, unless NO_COLOR is set"),
         {"auto", "always", "never"})
      ->capture_default_str();
  command.add_flag("--reproducible", common.reproducible,
                   "Leave out everything measured on this host, so that equal inputs give equal bytes");
}

void add_input_seed(CLI::App& command, Common& common) {
  command.add_option("--input-seed", common.seeds.input, "Seed of the input data")->capture_default_str();
}

}  // namespace detent::cli
