// detent emit c: a network as a self-contained firmware directory.
#include "app/model/emit.hpp"

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"

namespace detent::cli {
namespace {

struct EmitCommandOptions {
  Common common;
  app::EmitRequest wanted;
};

int emit_c_command(EmitCommandOptions options) {
  options.wanted.request = options.common;
  return show(options.common, app::emit_firmware(options.wanted));
}

}  // namespace

void add_emit(CLI::App& app, Action& action) {
  auto options = std::make_shared<EmitCommandOptions>();
  CLI::App* command = app.add_subcommand("emit", "Write MODEL as sources of a firmware");
  command->require_subcommand(1);
  CLI::App* c = command->add_subcommand("c", "Const C tables, kernels, the runtime and a Makefile");
  add_common(*c, options->common);
  add_model_options(*c, options->wanted.model);
  add_set_option(*c, options->wanted.model.set);
  c->add_option("-o,--out", options->wanted.directory, "Directory to write; absent or empty")
      ->required()
      ->type_name("DIR");
  c->add_option("--workers", options->wanted.workers,
                "Workers of the firmware by default, 0 = serial, with static schedules for them: 2; or 2,3,4, "
                "the most are the default. Else its cores, at most 3")
      ->delimiter(',')
      ->check(whole_number(0, DETENT_MAX_WORKERS));
  c->add_flag("--force", options->wanted.force,
              "Write into a directory that is not empty: files of the same names change");
  add_audit_option(*c, options->wanted.no_audit);
  c->callback([options, &action] { action = [options] { return emit_c_command(*options); }; });
}

}  // namespace detent::cli
