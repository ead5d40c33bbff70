// detent plan: where every tensor lies.
#include "app/model/plan.hpp"

#include <CLI/CLI.hpp>

#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"

namespace detent::cli {
namespace {

int plan_command(Question<app::PlanRequest>& options) {
  options.wanted.request = options.common;
  return show(options.common, app::plan_memory(options.wanted, progress_of(options.common, "nodes searched")));
}

}  // namespace

void add_plan(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("plan", "Place every tensor in memory");
  auto& [common, wanted] = make_options(*command, action, plan_command);
  add_common(*command, common, false);
  command->add_option("MODEL", common.model, "Zoo name, package, or op graph file");
  add_file(*command, "--problem", wanted.problem,
           "Instead of MODEL: buffers to be placed, CSV: id,lower,upper,size; lifetimes [lower, upper)");
  add_split_option(*command, wanted.split);
  choose(command->add_option("--order", wanted.order, "parallel: valid for every schedule; serial: for one order only"),
         {"parallel", "serial"})
      ->capture_default_str();
  take_bytes(command->add_option("--capacity", wanted.capacity_bytes,
                                 "Largest workspace, or height; 0 = unbounded, as low as it gets"))
      ->capture_default_str();
  command
      ->add_option("--max-nodes", wanted.max_nodes,
                   "Of --problem: nodes of the search, which decide the answer; 0 = about a minute")
      ->capture_default_str();
}

}  // namespace detent::cli
