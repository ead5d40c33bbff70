// detent synthesize: static lists with the shortest makespan.
#include <CLI/CLI.hpp>

#include "app/synthesis/synthesize_model.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"

namespace detent::cli {

void add_synthesize(CLI::App& app, Action& action) {
  constexpr double kMostSeconds = 1e6;
  CLI::App* command = app.add_subcommand("synthesize", "Find static lists of MODEL's ops with the shortest makespan");
  auto& [common, wanted] = ask(*command, action, app::synthesize_model);
  add_scheduled_model(*command, common, wanted.model);
  add_costs_option(*command, wanted.model);
  add_chip_of_times(*command, wanted.platform, wanted.cores, wanted.workers);
  choose(command->add_option("--objective", wanted.objective,
                             "What is shortest; of static lists the makespan at worst times is the worst case, so both "
                             "words ask for the same"),
         {"makespan", "worst-case"})
      ->capture_default_str();
  command->add_option("--seconds", wanted.seconds, "Seconds that the search may take; then it depends on the machine")
      ->check(number_within(0.001, kMostSeconds));
  command
      ->add_option("--max-nodes", wanted.max_nodes,
                   "Nodes that the search may look at: the same answer on any machine. Default: 2000000, or with "
                   "--seconds any number")
      ->check(whole_number(1));
  add_spread_of_times(*command, wanted.jitter, wanted.no_npu);
  add_file(*command, "-o,--out", wanted.out, "File to write: detent.lists/1, for --lists");
}

}  // namespace detent::cli
