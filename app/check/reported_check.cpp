#include "app/check/reported_check.hpp"

#include <future>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "app/answer/device_account.hpp"
#include "app/check/check_summary.hpp"
#include "app/check/report.hpp"
#include "app/coverage/code_coverage.hpp"
#include "app/deadline/deadline.hpp"
#include "app/replay/simulated_line.hpp"
#include "app/simulate/auto_split.hpp"
#include "app/simulate/trace_files.hpp"
#include "app/static/static_checks.hpp"
#include "base/interrupt.hpp"
#include "base/io.hpp"
#include "reports/text/text.hpp"

namespace detent::app {
namespace {

reports::ReportData report_of(const CheckStart& start, const CheckResult& result) {
  const CheckOptions& check = start.check;
  reports::ReportData data = make_report_data(check.request, check.simulation, start.loaded, start.platform, result);
  data.known = start.baseline;
  if (result.simulated && !result.simulated->failure && check.schedule.engine.policy != "given") {
    data.replay = format_replay_line(worst_replay_line(check.request, check.simulation, check.schedule, check.model,
                                                       start.loaded, *result.simulated));
  }
  return data;
}

void write_files(const std::string& directory, const reports::ReportData& data, const std::string& json,
                 const std::vector<CoveragePage>& pages) {
  std::future<std::string> drawn = std::async(std::launch::async, [&] { return reports::report_html(data); });
  write_trace_files(directory, data);
  const std::string html = drawn.get();
  const std::string sarif = reports::sarif_findings(data);
  std::vector<FileBytes> files = {{.path = directory + "/report.html", .bytes = html},
                                  {.path = directory + "/report.json", .bytes = json},
                                  {.path = directory + "/findings.sarif", .bytes = sarif}};
  for (const CoveragePage& page : pages) files.push_back({.path = directory + "/" + page.name, .bytes = page.bytes});
  write_files_atomically(files);
}

/// Refused before a model is loaded: no tools, or nothing that they could see.
std::optional<CoverageTools> tools_of(const CheckRequest& wanted) {
  if (!wanted.coverage) return std::nullopt;
  if (wanted.check.simulation.timing_only) {
    throw std::invalid_argument("--coverage: --timing-only executes no kernel; leave one of them out");
  }
  if (!wanted.check.model.device.module.empty()) {
    throw std::invalid_argument(
        "--coverage: counts kernels of CPU cores, and --device executes some elsewhere; leave "
        "one of them out");
  }
  return find_coverage_tools("");
}

}  // namespace

CheckStart start_check(const CheckRequest& wanted) {
  CheckOptions check = wanted.check;
  sim::Platform platform = simulated_platform(check.simulation);
  std::optional<Fingerprints> baseline = baseline_of(wanted.ci);
  check.model.accelerator = accelerator_of(check.simulation, platform);
  settle_split(check.request.model, platform, check.schedule.engine.workers, check.model);
  check_order_file(check.schedule);
  check.coverage = tools_of(wanted);
  begin_step(check.on_step, "makes the model");
  check.model.outcome_seed = check.request.seeds.schedule;
  CheckStart start{.check = check,
                   .platform = std::move(platform),
                   .baseline = std::move(baseline),
                   .loaded = load(check.request.model, check.model)};
  start.check.model.outcomes = start.loaded.outcomes;
  if (check.coverage) require_coverable(check.request.model, start.loaded);
  static_cast<void>(wanted_deadline(check.simulation.deadline, start.loaded.model.demands, check.request.model));
  if (!wanted.directory.empty()) make_output_directory(wanted.directory);
  return start;
}

Answer report_check(const CheckRequest& wanted, const CheckStart& start, std::size_t width,
                    const OnProgress& on_progress) {
  const CheckResult result = check(start.check, start.loaded, start.platform, on_progress);
  begin_step(start.check.on_step, "writes the report");
  const reports::ReportData data = report_of(start, result);
  std::string json = reports::report_json(data);
  Answer answer{Json::parse(json), result.remedy.lines, outcome_of(result.verdicts)};
  const bool is_mendable = !result.remedy.json.is_null();
  if (is_mendable) answer.json["remedy"] = result.remedy.json;
  if (start.loaded.device != nullptr) {
    answer.json["device"] = device_json(*start.loaded.device, start.check.request.reproducible);
  }
  const bool is_partial = stop_requested();
  if (is_partial) answer.json["partial"] = true;
  if (is_partial || is_mendable || start.loaded.device != nullptr) json = reports::file_json(answer.json);
  write_files(wanted.directory, data, json, result.code_pages);
  add_ci_outputs(wanted.ci, start.baseline, start.check.request, start.loaded, result.verdicts, answer);
  Lines lines{format_summary(answer.json, wanted.directory, width)};
  append(lines, std::move(answer.lines));
  answer.lines = std::move(lines);
  return answer;
}

}  // namespace detent::app
