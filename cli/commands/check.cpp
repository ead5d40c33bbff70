// detent check: the main job. Static laws, native runs, simulated runs, bounds, report.
#include "app/check/check.hpp"

#include <CLI/CLI.hpp>
#include <memory>

#include "app/check/check_summary.hpp"
#include "app/check/report.hpp"
#include "app/ci/ci_outputs.hpp"
#include "app/replay/simulated_line.hpp"
#include "app/runs/simulated_run.hpp"
#include "app/simulate/trace_files.hpp"
#include "base/io.hpp"
#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "reports/text/text.hpp"

namespace detent::cli {
namespace {

struct CheckCommandOptions {
  Common common;
  app::CheckOptions check;
  bool no_audit = false;
  app::CiOptions ci;
  std::string directory;
};

int check_command(CheckCommandOptions options) {
  sim::Platform platform =
      app::choose_platform(app::platform_word(options.check.simulation.platform, options.check.simulation.cores),
                           options.check.simulation.no_overheads);
  app::simplify_chip(platform, options.check.simulation.no_contention, options.check.simulation.private_ports);
  const std::optional<app::Fingerprints> baseline = app::baseline_of(options.ci);
  options.check.model.use_npu = app::uses_npu(options.check.simulation, platform);
  app::check_order_file(options.check.schedule);
  options.check.model.outcome_seed = options.common.seeds.schedule;
  const app::LoadedModel loaded = app::load(options.common.model, options.check.model);
  options.check.model.outcomes = loaded.outcomes;
  app::make_output_directory(options.directory);
  options.check.request = options.common;
  const StopOnInterrupt stop;
  options.check.audit = !options.no_audit;
  const app::CheckResult result =
      app::check(options.check, loaded, platform, progress_of(options.common, "simulated runs"));
  reports::ReportData data = app::make_report_data(options.common, options.check.simulation, loaded, platform, result);
  data.known = baseline;
  if (result.simulated && !result.simulated->failure && options.check.schedule.engine.policy != "given") {
    data.replay = app::format_replay_line(app::worst_replay_line(
        options.common, options.check.simulation, options.check.schedule, options.check.model, *result.simulated));
  }
  std::string json = reports::report_json(data);
  Json answer = Json::parse(json);
  const bool is_mendable = !result.remedy.json.is_null();
  if (is_mendable) answer["remedy"] = result.remedy.json;
  const bool is_partial = mark_partial(options.common, answer);
  if (is_partial || is_mendable) json = reports::file_json(answer);
  write_file_atomically(options.directory + "/report.html", reports::report_html(data));
  write_file_atomically(options.directory + "/report.json", json);
  app::write_trace_files(options.directory, data);
  write_file_atomically(options.directory + "/findings.sarif", reports::sarif_findings(data));

  app::Answer compared{std::move(answer), result.remedy.lines, app::outcome_of(result.verdicts)};
  app::add_ci_outputs(options.ci, baseline, options.common, loaded, result.verdicts, compared);
  write_json(options.common, compared.json);
  say(options.common, app::format_summary(compared.json, options.directory, screen_width()));
  say(options.common, compared.lines);
  const int code = exit_code(compared.outcome);
  return is_partial ? partial_code(code) : code;
}

}  // namespace

void add_check(CLI::App& app, Action& action) {
  auto options = std::make_shared<CheckCommandOptions>();
  CLI::App* command = app.add_subcommand("check", "The main job: prove, run, simulate, bound, and write the report");
  add_common(*command, options->common);
  add_model_options(*command, options->check.model);
  add_set_option(*command, options->check.model.set);
  add_outcome_option(*command, options->check.model);
  add_costs_option(*command, options->check.model);
  add_schedule_options(*command, options->check.schedule, true);
  add_simulation_options(*command, options->common, options->check.simulation, options->check.schedule.engine);
  add_coverage_option(*command, options->check.schedules);
  add_audit_option(*command, options->no_audit);
  add_ci_options(*command, options->ci, false);
  command
      ->add_option("-o,--out", options->directory,
                   "Directory for report.html, report.json, findings.sarif and trace.pftrace, .btf, .vcd")
      ->required()
      ->type_name("DIR");
  command->callback([options, &action] { action = [options] { return check_command(*options); }; });
}

}  // namespace detent::cli
