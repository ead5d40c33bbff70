// detent verify-bundle: is a bundle of detent check what was written?
#include "app/bundle/verify_bundle.hpp"

#include <CLI/CLI.hpp>

#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/interrupt.hpp"
#include "cli/output.hpp"
#include "cli/program.hpp"

namespace detent::cli {
namespace {

int verify_bundle_command(Question<app::VerifyBundleRequest>& options) {
  const StopOnInterrupt stop;
  return show(options.common, app::verify_bundle(options.wanted, [](const std::vector<std::string>& words) {
                static_cast<void>(run_line(words, "verify-bundle: "));
              }));
}

}  // namespace

void add_verify_bundle(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("verify-bundle", "Check that a bundle of detent check is what was written, offline");
  auto& [common, wanted] = make_options(*command, action, verify_bundle_command);
  command->add_option("DIR", wanted.directory, "The --bundle directory of detent check")->required();
  command->add_option("--root", wanted.root, "The root that check --bundle printed, kept elsewhere")
      ->type_name("SHA256");
  command->add_flag("--again", wanted.again, "Make the check again from the bundle's inputs and compare every byte");
  add_json_option(*command, common.json);
  command->add_flag("--quiet,-q", common.quiet, "No human text");
}

}  // namespace detent::cli
