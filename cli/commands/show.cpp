// detent show: what is in a model.
#include "app/model/show.hpp"

#include <CLI/CLI.hpp>

#include "cli/command.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"

namespace detent::cli {

void add_show(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("show", "Inputs, outputs, memory and kernels of MODEL; executes nothing");
  auto& [common, wanted] = ask(*command, action, app::show_model);
  add_scheduled_model(*command, common, wanted.model);
  add_schedule_file(*command, wanted.model.schedule, "shown as the model's own");
}

}  // namespace detent::cli
