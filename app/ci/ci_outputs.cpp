// Verdicts -> SARIF, JUnit, and the comparison with a baseline.
#include "app/ci/ci_outputs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/ci/source_places.hpp"
#include "app/version.hpp"
#include "base/counted.hpp"
#include "base/io.hpp"
#include "reports/ci/junit.hpp"
#include "reports/data/report_data.hpp"

namespace detent::app {
namespace {

std::string sarif_of(const Request& request, const LoadedModel& loaded, const std::vector<verify::Verdict>& verdicts,
                     const std::optional<Fingerprints>& baseline) {
  reports::ReportData data;
  data.model = request.model;
  data.seed = request.seeds.schedule;
  data.version = kVersion;
  data.desc = &loaded.desc();
  data.verdicts = verdicts;
  data.places = source_places(request.model, loaded);
  data.known = baseline;
  return reports::sarif_findings(data);
}

void add_comparison(const std::string& file, const BaselineComparison& comparison, Answer& answer) {
  answer.json["baseline"] = {
      {"file", file}, {"known", comparison.known}, {"gone", comparison.gone}, {"new", comparison.fresh}};
  constexpr std::size_t kShown = 5;
  answer.lines.push_back(fmt::format("baseline {}: {} new, {} known before, {} gone", file,
                                     counted(comparison.fresh.size(), "finding"), comparison.known, comparison.gone));
  for (std::size_t i = 0; i < std::min(kShown, comparison.fresh.size()); ++i) {
    answer.lines.push_back("    new: " + comparison.fresh[i]);
  }
  if (comparison.fresh.size() > kShown) {
    answer.lines.push_back(fmt::format("    and {} more; --json FILE lists them", comparison.fresh.size() - kShown));
  }
  answer.outcome = outcome_of(comparison.remaining);
}

}  // namespace

std::optional<Fingerprints> baseline_of(const CiOptions& options) {
  if (options.baseline.empty()) return std::nullopt;
  return read_baseline(options.baseline);
}

void add_ci_outputs(const CiOptions& options, const std::optional<Fingerprints>& baseline, const Request& request,
                    const LoadedModel& loaded, const std::vector<verify::Verdict>& verdicts, Answer& answer) {
  if (!options.sarif.empty()) write_file_atomically(options.sarif, sarif_of(request, loaded, verdicts, baseline));
  if (!options.junit.empty()) {
    write_file_atomically(options.junit, reports::junit_xml(request.model, verdicts, baseline ? &*baseline : nullptr));
  }
  if (baseline) add_comparison(options.baseline, compare_to_baseline(*baseline, verdicts), answer);
}

}  // namespace detent::app
