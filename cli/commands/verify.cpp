// detent verify: the static laws, without a run.
#include <CLI/CLI.hpp>
#include <memory>
#include <stdexcept>
#include <string>

#include "app/static/verify_model.hpp"
#include "cli/command.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"

namespace detent::cli {
namespace {

struct VerifyOptions {
  Common common;
  app::VerifyRequest wanted;
  std::string fix;
};

int verify_command(VerifyOptions options) {
  options.wanted.request = options.common;
  if (options.fix.empty() != options.wanted.fix.file.empty()) {
    throw std::invalid_argument(options.fix.empty() ? "-o: what is to be written? add --fix edges or --fix places"
                                                    : "--fix: where does the mended model go? add -o FILE");
  }
  if (!options.fix.empty()) options.wanted.fix.kind = app::repair_kind(options.fix);
  const app::Answer answer = app::verify_model(options.wanted, progress_of(options.common, "accesses proved"));
  return show(options.common, answer);
}

}  // namespace

void add_verify(CLI::App& app, Action& action) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* command =
      app.add_subcommand("verify", "Check structure, memory plan, buffer races and value flow without a run");
  add_common(*command, options->common);
  add_model_options(*command, options->wanted.model);
  add_smt_options(*command, options->wanted.smt);
  add_ci_options(*command, options->wanted.ci, true);
  command
      ->add_option("--fix", options->fix,
                   "Mend the model and prove it again: edges orders what conflicts, places moves values; with -o")
      ->type_name("edges|places");
  command->add_option("-o,--out", options->wanted.fix.file, "The mended model: an op graph or a package, as MODEL is")
      ->type_name("FILE");
  command->callback([options, &action] { action = [options] { return verify_command(*options); }; });
}

}  // namespace detent::cli
