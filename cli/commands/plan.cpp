// detent plan: where every tensor lies.
#include "app/model/plan.hpp"

#include <CLI/CLI.hpp>
#include <memory>

#include "app/model/loaded_model.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"

namespace detent::cli {
namespace {

struct PlanCommandOptions {
  Common common;
  app::ModelOptions model;
  app::PlanRequest wanted;
};

int plan_command(PlanCommandOptions options) {
  options.wanted.request = options.common;
  options.wanted.split = options.model.split;
  return show(options.common, app::plan_model(options.wanted));
}

}  // namespace

void add_plan(CLI::App& app, Action& action) {
  auto options = std::make_shared<PlanCommandOptions>();
  CLI::App* command = app.add_subcommand("plan", "Place every tensor in memory");
  add_common(*command, options->common);
  add_model_options(*command, options->model);
  choose(command->add_option("--order", options->wanted.order,
                             "parallel: valid for every schedule; serial: for one order only"),
         {"parallel", "serial"})
      ->capture_default_str();
  take_bytes(command->add_option("--capacity", options->wanted.capacity_bytes, "Largest workspace; 0 = unbounded"))
      ->capture_default_str();
  command->callback([options, &action] { action = [options] { return plan_command(*options); }; });
}

}  // namespace detent::cli
