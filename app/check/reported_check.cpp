#include "app/check/reported_check.hpp"

#include <utility>

#include "app/check/check_summary.hpp"
#include "app/check/report.hpp"
#include "app/replay/simulated_line.hpp"
#include "app/simulate/trace_files.hpp"
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
    data.replay = format_replay_line(
        worst_replay_line(check.request, check.simulation, check.schedule, check.model, *result.simulated));
  }
  return data;
}

void write_files(const std::string& directory, const reports::ReportData& data, const std::string& json) {
  write_file_atomically(directory + "/report.html", reports::report_html(data));
  write_file_atomically(directory + "/report.json", json);
  write_trace_files(directory, data);
  write_file_atomically(directory + "/findings.sarif", reports::sarif_findings(data));
}

}  // namespace

CheckStart start_check(const CheckRequest& wanted) {
  CheckOptions check = wanted.check;
  sim::Platform platform = simulated_platform(check.simulation);
  std::optional<Fingerprints> baseline = baseline_of(wanted.ci);
  check.model.accelerator = accelerator_of(check.simulation, platform);
  check_order_file(check.schedule);
  check.model.outcome_seed = check.request.seeds.schedule;
  CheckStart start{.check = check,
                   .platform = std::move(platform),
                   .baseline = std::move(baseline),
                   .loaded = load(check.request.model, check.model)};
  start.check.model.outcomes = start.loaded.outcomes;
  make_output_directory(wanted.directory);
  return start;
}

Answer report_check(const CheckRequest& wanted, const CheckStart& start, std::size_t width,
                    const OnProgress& on_progress) {
  const CheckResult result = check(start.check, start.loaded, start.platform, on_progress);
  const reports::ReportData data = report_of(start, result);
  std::string json = reports::report_json(data);
  Answer answer{Json::parse(json), result.remedy.lines, outcome_of(result.verdicts)};
  const bool is_mendable = !result.remedy.json.is_null();
  if (is_mendable) answer.json["remedy"] = result.remedy.json;
  const bool is_partial = stop_requested();
  if (is_partial) answer.json["partial"] = true;
  if (is_partial || is_mendable) json = reports::file_json(answer.json);
  write_files(wanted.directory, data, json);
  add_ci_outputs(wanted.ci, start.baseline, start.check.request, start.loaded, result.verdicts, answer);
  Lines lines{format_summary(answer.json, wanted.directory, width)};
  append(lines, std::move(answer.lines));
  answer.lines = std::move(lines);
  return answer;
}

}  // namespace detent::app
