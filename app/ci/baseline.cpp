// JSON or SARIF -> fingerprints; verdicts -> what is new.
#include "app/ci/baseline.hpp"

#include <algorithm>
#include <optional>

#include "base/input_error.hpp"
#include "base/wanted_file.hpp"
#include "reports/ci/findings.hpp"

namespace detent::app {
namespace {

constexpr const char* kFingerprintKey = "detentFinding/v1";

std::string text_at(const Json& object, const char* key) {
  if (!object.is_object() || !object.contains(key) || !object[key].is_string()) return {};
  return object[key].get<std::string>();
}

const Json& list_at(const Json& object, const char* key) {
  static const Json kNone = Json::array();
  return object.is_object() && object.contains(key) && object[key].is_array() ? object[key] : kNone;
}

Fingerprints of_sarif(const Json& log) {
  Fingerprints found;
  for (const Json& run : log["runs"]) {
    for (const Json& result : list_at(run, "results")) {
      if (!result.is_object() || !result.contains("partialFingerprints")) continue;
      const std::string fingerprint = text_at(result["partialFingerprints"], kFingerprintKey);
      if (!fingerprint.empty()) found.insert(fingerprint);
    }
  }
  return found;
}

std::optional<verify::Verdict> verdict_of(const Json& entry) {
  const std::string name = text_at(entry, "property");
  const std::string outcome = text_at(entry, "outcome");
  for (const verify::PropertyText& property : verify::all_properties()) {
    if (name != property.name) continue;
    verify::Verdict verdict{property.property, verify::Outcome::kHolds, text_at(entry, "summary"), {}};
    for (const verify::Outcome one : {verify::Outcome::kViolated, verify::Outcome::kUnknown}) {
      if (outcome == verify::outcome_name(one)) verdict.outcome = one;
    }
    for (const Json& witness : list_at(entry, "witnesses"))
      verdict.witnesses.push_back({text_at(witness, "text"), {}, {}});
    return verdict;
  }
  return std::nullopt;  // of another version
}

Fingerprints of_answer(const Json& answer) {
  std::vector<verify::Verdict> verdicts;
  for (const Json& entry : answer["verdicts"]) {
    const bool is_checked = !entry.is_object() || !entry.contains("checked") || entry["checked"] != false;
    if (!is_checked) continue;  // there was nothing to judge
    if (auto verdict = verdict_of(entry)) verdicts.push_back(std::move(*verdict));
  }
  Fingerprints found;
  for (const reports::Finding& finding : reports::findings_of(verdicts)) found.insert(finding.fingerprint);
  return found;
}

}  // namespace

Fingerprints read_baseline(const std::string& path) {
  static const WantedFile kBaseline = {"a baseline",
                                       {FileKind::kCheckAnswer, FileKind::kAnswer, FileKind::kSarif, FileKind::kJson},
                                       "give a file that detent verify or check wrote by --json or --sarif"};
  const Json answer = parse_answer(path, read_wanted_file(path, kMaxAnswerBytes, kBaseline));
  if (!list_at(answer, "runs").empty()) return of_sarif(answer);
  if (answer.is_object() && answer.contains("verdicts") && answer["verdicts"].is_array()) return of_answer(answer);
  throw InputError(path, "",
                   "has neither verdicts nor SARIF results; give a file that detent verify or check wrote by --json or "
                   "--sarif");
}

BaselineComparison compare_to_baseline(const Fingerprints& baseline, const std::vector<verify::Verdict>& verdicts) {
  BaselineComparison comparison;
  Fingerprints now;
  std::set<verify::Property> with_news;
  for (const reports::Finding& finding : reports::findings_of(verdicts)) {
    now.insert(finding.fingerprint);
    if (baseline.contains(finding.fingerprint)) {
      ++comparison.known;
    } else {
      comparison.fresh.push_back(finding.text);
      with_news.insert(finding.property);
    }
  }
  comparison.gone = static_cast<std::uint64_t>(
      std::ranges::count_if(baseline, [&](const std::string& one) { return !now.contains(one); }));
  std::ranges::copy_if(verdicts, std::back_inserter(comparison.remaining),
                       [&](const verify::Verdict& verdict) { return with_news.contains(verdict.property); });
  return comparison;
}

}  // namespace detent::app
