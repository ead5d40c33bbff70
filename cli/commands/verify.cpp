// detent verify: the static laws, without a run.
#include <CLI/CLI.hpp>
#include <string>

#include "app/static/verify_model.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"

namespace detent::cli {
namespace {

int verify_command(Question<app::VerifyRequest>& options) {
  options.wanted.request = options.common;
  const app::Answer answer =
      app::verify_model(options.wanted, progress_of(options.common, "accesses proved"), show_step);
  return show(options.common, answer);
}

}  // namespace

void add_verify(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("verify", "Check structure, memory plan, buffer races and value flow without a run");
  auto& [common, wanted] = make_options(*command, action, verify_command);
  add_common(*command, common);
  add_split_option(*command, wanted.model.split);
  add_winograd_option(*command, wanted.model);
  add_smt_options(*command, wanted.smt);
  add_ci_options(*command, wanted.ci, true);
  const auto set_kind = [&fix = wanted.fix](const std::string& word) { fix.kind = app::repair_kind(word); };
  command
      ->add_option_function<std::string>(
          "--fix", set_kind,
          "Mend the model and prove it again: edges orders what conflicts, places moves values; with -o")
      ->type_name("edges|places");
  add_file(*command, "-o,--out", wanted.fix.file, "The mended model: an op graph or a package, as MODEL is");
}

}  // namespace detent::cli
