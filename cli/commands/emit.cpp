// detent emit c: a network as a self-contained firmware directory.
#include "app/model/emit.hpp"

#include <CLI/CLI.hpp>

#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"

namespace detent::cli {

void add_emit(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("emit", "Write MODEL as sources of a firmware");
  command->require_subcommand(1);
  CLI::App* c = command->add_subcommand("c", "Const C tables, kernels, the runtime and a Makefile");
  auto& [common, wanted] = ask(*c, action, app::emit_firmware);
  add_scheduled_model(*c, common, wanted.model);
  add_schedule_file(*c, wanted.model.schedule, "the firmware has them as a static schedule");
  add_folder(*c, "-o,--out", wanted.directory, "Directory to write; absent or empty")->required();
  c->add_option("--workers", wanted.workers,
                "Workers of the firmware by default, 0 = serial, with static schedules for them: 2; or 2,3,4, "
                "the most are the default. Else its cores, at most 3")
      ->delimiter(',')
      ->check(whole_number(0, DETENT_MAX_WORKERS));
  c->add_flag("--force", wanted.force, "Write into a directory that is not empty: files of the same names change");
  add_audit_option(*c, wanted.no_audit);
}

}  // namespace detent::cli
