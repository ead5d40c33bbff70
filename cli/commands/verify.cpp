// detent verify: the static laws, without a run.
#include <CLI/CLI.hpp>
#include <memory>

#include "app/static/verify_model.hpp"
#include "cli/command.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"

namespace detent::cli {
namespace {

struct VerifyOptions {
  Common common;
  app::VerifyRequest wanted;
};

int verify_command(VerifyOptions options) {
  options.wanted.request = options.common;
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
  command->callback([options, &action] { action = [options] { return verify_command(*options); }; });
}

}  // namespace detent::cli
