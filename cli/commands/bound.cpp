// detent bound: analytic bounds on the makespan and on every op's completion.
#include <CLI/CLI.hpp>
#include <memory>

#include "app/check/bound_model.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"

namespace detent::cli {
namespace {

struct BoundOptions {
  Common common;
  app::BoundRequest wanted;
};

int bound_command(BoundOptions options) {
  options.wanted.request = options.common;
  return show(options.common, app::bound_model(options.wanted));
}

}  // namespace

void add_bound(CLI::App& app, Action& action) {
  auto options = std::make_shared<BoundOptions>();
  CLI::App* command = app.add_subcommand("bound", "Bound the makespan of MODEL under any work-conserving schedule");
  add_common(*command, options->common);
  add_model_options(*command, options->wanted.model);
  add_set_option(*command, options->wanted.model.set);
  add_outcome_option(*command, options->wanted.model);
  add_costs_option(*command, options->wanted.model);
  command->add_option("--platform", options->wanted.platform, "Chip: a name or a TOML file. Default: quad_npu")
      ->type_name("PLATFORM");
  command->add_option("--cores", options->wanted.cores, "Bare cores without overheads: 4, or cpu=2,npu=1")
      ->type_name("CORES");
  command->add_option("--workers", options->wanted.workers, "CPU workers; 0 = one per CPU core")->capture_default_str();
  choose(command->add_option("--method", options->wanted.method, "Upper bound to compute"),
         {"graham", "typed", "serial", "all"})
      ->capture_default_str();
  command
      ->add_option("--jitter", options->wanted.jitter, "Spread of roofline times: their worst is time * (1 + spread)")
      ->type_name("RULES")
      ->capture_default_str();
  command->add_flag("--no-npu", options->wanted.no_npu, "Keep every op of a network on the CPU");
  command->add_flag("--no-overheads", options->wanted.no_overheads, "The runtime costs nothing");
  command->add_flag("--no-contention", options->wanted.no_contention,
                    "Every client of the DRAM sees its whole bandwidth");
  command->add_flag("--private-ports", options->wanted.private_ports,
                    "NPU operands have full-bandwidth ports of their own");
  command->callback([options, &action] { action = [options] { return bound_command(*options); }; });
}

}  // namespace detent::cli
