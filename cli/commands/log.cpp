// detent log: a log file -> text and traces.
#include <CLI/CLI.hpp>

#include "app/runs/log_answer.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/output.hpp"

namespace detent::cli {

void add_log(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("log", "Decode a log file of a run or a target: text, Perfetto, BTF");
  auto& [common, wanted] = ask(*command, action, app::answer_log);
  add_common(*command, common, false);
  command->add_option("FILE", common.model, "Log file: of detent run --log, or of a firmware")->required();
  command->add_option("--run", wanted.run, "Number of the run in the log. Default: the last one")
      ->type_name("N")
      ->check(whole_number(1, UINT32_MAX));
  command
      ->add_option("--of", wanted.of_model,
                   "The model that was run: tells when the bytes of each tensor became free, and traces show its edges")
      ->type_name("MODEL");
  add_folder(*command, "-o,--out", wanted.directory,
             "Write trace.pftrace, trace.btf and trace.vcd of the run into this directory");
}

}  // namespace detent::cli
