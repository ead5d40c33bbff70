// detent log: a log file -> text and traces.
#include <CLI/CLI.hpp>
#include <memory>

#include "app/runs/log_answer.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/output.hpp"

namespace detent::cli {
namespace {

struct LogOptions {
  Common common;
  app::LogRequest wanted;
};

int log_command(LogOptions options) {
  options.wanted.request = options.common;
  return show(options.common, app::answer_log(options.wanted));
}

}  // namespace

void add_log(CLI::App& app, Action& action) {
  auto options = std::make_shared<LogOptions>();
  CLI::App* command = app.add_subcommand("log", "Decode a log file of a run or a target: text, Perfetto, BTF");
  add_common(*command, options->common, false);
  command->add_option("FILE", options->common.model, "Log file: of detent run --log, or of a firmware")->required();
  command->add_option("--run", options->wanted.run, "Number of the run in the log. Default: the last one")
      ->type_name("N")
      ->check(whole_number(1, UINT32_MAX));
  command
      ->add_option("-o,--out", options->wanted.directory,
                   "Write trace.pftrace, trace.btf and trace.vcd of the run into this directory")
      ->type_name("DIR");
  command->callback([options, &action] { action = [options] { return log_command(*options); }; });
}

}  // namespace detent::cli
