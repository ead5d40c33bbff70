// detent plan: where every tensor lies.
#include "app/model/plan.hpp"

#include <CLI/CLI.hpp>

#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"

namespace detent::cli {

void add_plan(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("plan", "Place every tensor in memory");
  auto& [common, wanted] = ask(*command, action, app::plan_model);
  add_common(*command, common);
  add_split_option(*command, wanted.split);
  choose(command->add_option("--order", wanted.order, "parallel: valid for every schedule; serial: for one order only"),
         {"parallel", "serial"})
      ->capture_default_str();
  take_bytes(command->add_option("--capacity", wanted.capacity_bytes, "Largest workspace; 0 = unbounded"))
      ->capture_default_str();
}

}  // namespace detent::cli
