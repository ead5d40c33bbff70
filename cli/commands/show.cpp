// detent show: what is in a model.
#include "app/model/show.hpp"

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"

namespace detent::cli {
namespace {

struct ShowOptions {
  Common common;
  app::ShowRequest wanted;
};

int show_command(ShowOptions options) {
  options.wanted.request = options.common;
  return show(options.common, app::show_model(options.wanted));
}

}  // namespace

void add_show(CLI::App& app, Action& action) {
  auto options = std::make_shared<ShowOptions>();
  options->wanted.model.weights = false;
  options->wanted.model.guards = app::ModelOptions::Guards::kKept;
  CLI::App* command = app.add_subcommand("show", "Inputs, outputs, memory and kernels of MODEL; executes nothing");
  add_common(*command, options->common);
  add_model_options(*command, options->wanted.model);
  add_set_option(*command, options->wanted.model.set);
  command->callback([options, &action] { action = [options] { return show_command(*options); }; });
}

}  // namespace detent::cli
