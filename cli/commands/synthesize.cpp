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
  command->add_option("--platform", wanted.platform, "Chip: a name or a TOML file. Default: quad_npu")
      ->type_name("PLATFORM");
  command->add_option("--cores", wanted.cores, "Bare cores without overheads: 4, or cpu=2,npu=1")->type_name("CORES");
  command->add_option("--workers", wanted.workers, "CPU workers; 0 = one per CPU core")->capture_default_str();
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
  command->add_option("--jitter", wanted.jitter, "Spread of roofline times: their worst is time * (1 + spread)")
      ->type_name("RULES")
      ->capture_default_str();
  command->add_flag("--no-npu", wanted.no_npu, "Keep every op of a network on the CPU, and off the NPU or GPU");
  add_file(*command, "-o,--out", wanted.out, "File to write: detent.lists/1, for --lists");
}

}  // namespace detent::cli
