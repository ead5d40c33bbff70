// detent verify: the static laws, without a run.
#include <CLI/CLI.hpp>
#include <memory>

#include "app/model/loaded_model.hpp"
#include "cli/checker.hpp"
#include "cli/command.hpp"
#include "cli/kernel_audit.hpp"
#include "cli/model_options.hpp"
#include "cli/output.hpp"
#include "cli/smt_answer.hpp"
#include "verify/runs/determinism.hpp"

namespace detent::cli {
namespace {

struct VerifyOptions {
  Common common;
  app::ModelOptions model;
  SmtOptions smt;
};

int verify_command(VerifyOptions options) {
  options.model.weights = false;
  const app::LoadedModel loaded = app::load(options.common.model, options.model);
  StaticAnswer result = check_static_laws(loaded.desc());
  if (result.races) result.verdicts.push_back(verify::judge_determinism(loaded.desc(), *result.races));

  write_smt_files(loaded.desc(), result, options.smt, options.common);
  std::optional<SmtAnswer> proved;
  if (options.smt.smt) {
    proved = prove_by_smt(loaded.desc(), result, options.smt, options.common);
    result.verdicts.insert(result.verdicts.end(), proved->verdicts.begin(), proved->verdicts.end());
  }

  add_ground(result.verdicts, footprint_ground(loaded, nullptr), nullptr);
  Json answer = json_header("verify", options.common);
  answer["ops"] = loaded.desc().op_count;
  answer["verdicts"] = verdicts_json(result.verdicts);
  answer["races"] = Json::array();
  if (result.races) {
    answer["races"] = races_json(loaded.desc(), result.races->races.listed);
    answer["race_count"] = result.races->races.count;
    answer["racing_pairs"] = result.races->races.pairs;
    answer["order_dependent"] = races_json(loaded.desc(), result.races->order_dependent.listed);
    answer["unordered_pairs"] = result.races->unordered_pairs;
    answer["conflicting_pairs"] = result.races->conflicting_pairs;
  }
  if (proved) {
    answer["smt"] = proved->json;
    if (!options.common.reproducible) answer["host"] = {{"smt_seconds", proved->seconds}};
  }
  write_json(options.common, answer);
  print_verdicts(options.common, result.verdicts);
  return exit_code(result.verdicts);
}

}  // namespace

void add_verify(CLI::App& app, Action& action) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* command = app.add_subcommand("verify", "Check structure, memory plan and buffer races without a run");
  add_common(*command, options->common);
  add_model_options(*command, options->model);
  add_smt_options(*command, options->smt);
  command->callback([options, &action] { action = [options] { return verify_command(*options); }; });
}

}  // namespace detent::cli
