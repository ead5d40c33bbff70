// Answers: verdicts and times -> the three questions at the top of a report, in plain words.
#include "reports/text/report_text.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "reports/text/text.hpp"
#include "verify/static/memory_plan.hpp"

namespace detent::reports {
namespace {

const verify::Verdict* find_verdict(const ReportData& data, verify::Property property) {
  const auto at = std::find_if(data.verdicts.begin(), data.verdicts.end(),
                               [property](const verify::Verdict& v) { return v.property == property; });
  return at != data.verdicts.end() ? &*at : nullptr;
}

/// Evidence against comes first; a check that was not made leaves the question open.
std::string detail_of(const verify::Verdict& verdict) {
  if (verdict.outcome == verify::Outcome::kViolated && !verdict.witnesses.empty()) {
    const std::string& text = verdict.witnesses.front().text;
    if (!text.empty()) return text;
  }
  return verdict.summary;
}

Answer same_output(const ReportData& data) {
  Answer answer{"Is the output the same on any schedule?", "Not known", verify::Outcome::kUnknown, "Not checked."};
  const verify::Verdict* verdict = find_verdict(data, verify::Property::kDeterminism);
  if (verdict == nullptr) return answer;
  answer.outcome = verdict->outcome;
  answer.detail = detail_of(*verdict);
  if (verdict->outcome == verify::Outcome::kHolds) answer.answer = "Yes";
  if (verdict->outcome == verify::Outcome::kViolated) answer.answer = "No";
  return answer;
}

/// Both the races and the memory plan must hold; the first that is violated answers.
Answer safe_buffers(const ReportData& data) {
  Answer answer{"Can a buffer be corrupted?", "Not known", verify::Outcome::kUnknown, "Not checked."};
  const std::array<const verify::Verdict*, 3> asked = {find_verdict(data, verify::Property::kBufferRaces),
                                                       find_verdict(data, verify::Property::kMemoryPlan),
                                                       find_verdict(data, verify::Property::kValueFlow)};
  for (const verify::Verdict* verdict : asked) {
    if (verdict == nullptr || verdict->outcome != verify::Outcome::kViolated) continue;
    return {answer.question, "Yes", verify::Outcome::kViolated, detail_of(*verdict)};
  }
  const verify::Verdict* races = asked[0];
  if (races == nullptr) return answer;
  answer.detail = races->summary;
  const bool plan_holds = asked[1] == nullptr || asked[1]->outcome == verify::Outcome::kHolds;
  if (!plan_holds) answer.detail = asked[1]->summary;
  if (races->outcome != verify::Outcome::kHolds || !plan_holds) return answer;
  if (asked[1] != nullptr && asked[1]->summary.find(verify::kRangesNameNoValue) != std::string::npos) {
    answer.answer = "Not by a race";
    answer.detail += "; " + asked[1]->summary;
    return answer;
  }
  answer.answer = "No";
  answer.outcome = verify::Outcome::kHolds;
  return answer;
}

Answer how_long(const ReportData& data) {
  Answer answer{"How long does it take?", "Not known", verify::Outcome::kUnknown, "Not simulated and not bounded."};
  const auto bound = tightest_bound(data);
  if (bound) {
    answer.answer = "At most " + format_duration(bound->bound_ps);
    answer.detail = kBoundLabel;
    answer.outcome = verify::Outcome::kHolds;
  }
  if (data.sim_runs == 0) return answer;
  if (!bound) {
    answer.answer = "Up to " + format_duration(data.max_ps) + " seen";
    answer.detail = std::string(kEstimateLabel) + "; no bound applies";
  } else if (data.max_ps > bound->bound_ps) {
    answer.outcome = verify::Outcome::kViolated;
    answer.answer = "Bound exceeded";
    answer.detail = "A simulated run takes longer than the bound allows: a cost or an assumption is wrong.";
  }
  return answer;
}

}  // namespace

std::vector<Answer> answers_of(const ReportData& data) {
  return {same_output(data), safe_buffers(data), how_long(data)};
}

std::optional<verify::Bound> tightest_bound(const ReportData& data) {
  std::optional<verify::Bound> best;
  for (const verify::Bound& bound : data.bounds) {
    if (bound.is_upper && (!best || bound.bound_ps < best->bound_ps)) best = bound;
  }
  return best;
}

std::string bound_title(const verify::Bound& bound) {
  static const std::array<std::pair<const char*, const char*>, 7> kTitles = {{
      {"critical_path", "Critical path"},
      {"work_per_core", "Work / cores"},
      {"serial", "All work on one core"},
      {"graham", "Graham's bound"},
      {"typed", "Typed bound"},
      {"he2022", "Bound of He 2022"},
      {"exact", "Exact worst case"},
  }};
  for (const auto& [key, title] : kTitles) {
    if (bound.name == key) return title;
  }
  return bound.name;
}

}  // namespace detent::reports
