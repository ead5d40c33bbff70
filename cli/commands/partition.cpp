// detent partition: the plan of a model over several devices, and runs in which they fail.
#include "app/partition/partition.hpp"

#include <CLI/CLI.hpp>
#include <string>

#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/output.hpp"

namespace detent::cli {
namespace {

struct Wanted {
  std::string file{};
};

int partition_command(Question<Wanted>& options) {
  app::Request request = options.common;
  request.model = options.wanted.file;
  return show(options.common, app::partition_model(request, progress_of(options.common, "runs executed")));
}

}  // namespace

void add_partition(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "partition", "Steps of a model with control flow for several devices, and runs in which they fail");
  auto& [common, wanted] = make_options(*command, action, partition_command);
  add_common(*command, common, false);
  command->add_option("FILE", wanted.file, "Plan case: devices, model and runs, detent.plan_case/1")->required();
}

}  // namespace detent::cli
