// detent list: what the program has by name.
#include <CLI/CLI.hpp>
#include <iostream>
#include <stdexcept>
#include <string>

#include "app/catalogue/list_answer.hpp"
#include "app/catalogue/platform_list.hpp"
#include "app/partition/device_list.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/output.hpp"

namespace detent::cli {
namespace {

struct ListOptions {
  Common common;
  std::string what;
  std::string platform;
  std::string module;
  bool markdown = false;
};

int list_command(ListOptions& options) {
  if (options.markdown) {
    if (options.what != "platforms" || !options.common.json.empty()) {
      throw std::invalid_argument("--markdown: only for `list platforms` without --json; drop one");
    }
    std::cout << app::platforms_markdown(app::all_platforms());
    return kHolds;
  }
  if (!options.module.empty() && (options.what != "devices" || !options.platform.empty())) {
    throw std::invalid_argument("--device: only for `list devices` without --platform; drop one");
  }
  if (!options.module.empty()) return show(options.common, app::list_device_module(options.common, options.module));
  if (options.what == "devices") return show(options.common, app::list_devices(options.common, options.platform));
  if (!options.platform.empty()) {
    throw std::invalid_argument("--platform: only for `list devices`; leave it out");
  }
  return show(options.common, app::list_answer(options.common, options.what));
}

}  // namespace

void add_list(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("list", "List models, platforms, devices, policies, kernels or operators");
  auto& [common, what, platform, module, markdown] = make_options(*command, action, list_command);
  add_common(*command, common, false);
  choose(command->add_option("WHAT", what, "models, platforms, devices, policies, kernels or operators")->required(),
         {"models", "platforms", "devices", "policies", "kernels", "operators"});
  command->add_option("--platform", platform,
                      "Of devices: those of one chip, a name of `detent list platforms` or a file; "
                      "default: of all that are built in");
  command->add_option("--device", module, "Of devices: what a module says of itself, software or a shared object")
      ->type_name("MODULE");
  command->add_flag("--markdown", markdown, "Platforms as docs/PLATFORMS.md: every number with its source");
}

}  // namespace detent::cli
