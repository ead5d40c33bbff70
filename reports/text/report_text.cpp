// Answers: verdicts and times -> the questions at the top of a report, in plain words.
#include "reports/text/report_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/counted.hpp"
#include "reports/text/text.hpp"
#include "verify/static/memory_plan.hpp"
#include "verify/verdict/vacuous.hpp"

namespace detent::reports {
namespace {

const verify::Verdict* find_verdict(const ReportData& data, verify::Property property) {
  const auto at = std::find_if(data.verdicts.begin(), data.verdicts.end(),
                               [property](const verify::Verdict& v) { return v.property == property; });
  return at != data.verdicts.end() ? &*at : nullptr;
}

/// How many, then the first in words.
std::string detail_of(const verify::Verdict& verdict) {
  if (verdict.outcome != verify::Outcome::kViolated || verdict.witnesses.empty()) return verdict.summary;
  const std::string& text = verdict.witnesses.front().text;
  if (text.empty()) return verdict.summary;
  const char* const first = verdict.witnesses.size() > 1 ? ". The first: " : ": ";
  return verdict.summary + first + race_in_words(text);
}

/// On assumed bytes even a proof is no good news.
Answer with_assumption(Answer answer, const verify::Verdict& verdict) {
  if (!verify::is_assumed(verdict)) return answer;
  answer.outcome = verify::Outcome::kUnknown;
  answer.answer += ", on assumed bytes";
  answer.detail = "If " + verdict.assumes + ": " + answer.detail;
  return answer;
}

Answer same_output(const ReportData& data) {
  Answer answer{"Is the output the same on any schedule?", "Not known", verify::Outcome::kUnknown, "Not checked."};
  const verify::Verdict* verdict = find_verdict(data, verify::Property::kDeterminism);
  if (verdict == nullptr) return answer;
  answer.outcome = verdict->outcome;
  // The pair of a race stands with the second answer.
  const verify::Verdict* races = find_verdict(data, verify::Property::kBufferRaces);
  const bool is_told_there = races != nullptr && races->outcome == verify::Outcome::kViolated;
  answer.detail = is_told_there ? verdict->summary : detail_of(*verdict);
  if (verdict->outcome == verify::Outcome::kHolds) answer.answer = "Yes";
  if (verdict->outcome == verify::Outcome::kViolated) answer.answer = "No";
  return with_assumption(std::move(answer), *verdict);
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
    return with_assumption(std::move(answer), *races);
  }
  answer.answer = "No";
  answer.outcome = verify::Outcome::kHolds;
  return with_assumption(std::move(answer), *races);
}

Answer how_long(const ReportData& data) {
  Answer answer{"How long can it take?", "Not known", verify::Outcome::kUnknown, "Not simulated and not bounded."};
  const auto bound = tightest_bound(data);
  if (bound) {
    const bool is_assumed = data.op_times.are_assumed();
    answer.answer = "At most " + format_duration_up(bound->bound_ps) + (is_assumed ? ", on assumed op times" : "");
    answer.detail = condition_of_bounds(data.op_times);
    if (!is_assumed) answer.outcome = verify::Outcome::kHolds;
  }
  if (data.sim_runs == 0) return answer;
  if (!bound) {
    answer.answer = "Up to " + format_duration(data.max_ps) + " seen";
    answer.detail = fmt::format("{}; no bound applies", kEstimateLabel);
  } else if (data.max_ps > bound->bound_ps) {
    answer.outcome = verify::Outcome::kViolated;
    answer.answer = "Bound exceeded";
    answer.detail = "A simulated run takes longer than the bound allows: a cost or an assumption is wrong.";
  }
  return answer;
}

/// ". A period of 10 ms uses 45.0 % of cpu (2 cores)"; empty without a period.
std::string uses_text(const Deadline& deadline) {
  std::string text;
  for (const ClassUse& use : deadline.uses) {
    text += text.empty() ? fmt::format(". A period of {} uses ", format_duration(*deadline.period_ps)) : ", ";
    text += fmt::format("{:.1f} % of {} ({})", use.utilisation * 100, use.core_class, counted(use.cores, "core"));
  }
  return text;
}

/// On assumed op times even a proof is no good news.
Answer in_time(const ReportData& data) {
  Answer answer{"Does every run end within " + format_duration(data.deadline->deadline_ps) + "?", "Not known",
                verify::Outcome::kUnknown, "Not checked."};
  const verify::Verdict* verdict = find_verdict(data, verify::Property::kDeadline);
  if (verdict == nullptr) return answer;
  answer.detail = verdict->summary + uses_text(*data.deadline);
  if (verdict->outcome == verify::Outcome::kUnknown) return answer;
  const bool holds = verdict->outcome == verify::Outcome::kHolds;
  const bool is_assumed = data.deadline->are_times_assumed;
  answer.answer = std::string(holds ? "Yes" : "No") + (is_assumed ? ", on assumed op times" : "");
  if (!holds || !is_assumed) answer.outcome = verdict->outcome;
  return answer;
}

}  // namespace

std::vector<Answer> answers_of(const ReportData& data) {
  std::vector<Answer> answers = {same_output(data), safe_buffers(data), how_long(data)};
  if (data.deadline) answers.push_back(in_time(data));
  return answers;
}

std::string grounds_text(const TimeGrounds& times) {
  std::uint64_t whole_ps = 0;
  for (const TimeGround& ground : times.grounds) {
    whole_ps += std::min(UINT64_MAX - whole_ps, ground.worst_ps);
  }
  std::string out;
  for (const TimeGround& ground : times.grounds) {
    out += (out.empty() ? "" : ", ") + std::to_string(ground.ops) + " " + ground.source;
    std::string why = ground.why;
    if (times.grounds.size() > 1 && whole_ps > 0) {
      const double share = static_cast<double>(ground.worst_ps) / static_cast<double>(whole_ps);
      why = format_share(share) + " of the time" + (why.empty() ? "" : "; ") + why;
    }
    if (!why.empty()) out += " (" + why + ")";
  }
  return out;
}

std::string short_condition(const TimeGrounds& times) {
  return "if " + (times.assumed_failures.empty() ? "" : times.assumed_failures + " and ") +
         "no op exceeds its worst time";
}

std::string condition_of_bounds(const TimeGrounds& times) {
  const std::string text = grounds_text(times);
  return short_condition(times) + ". " +
         (text.empty() ? std::string("Where op times come from is not known.") : "Op times: " + text + ".");
}

std::string below_lower_bound(const ReportData& data) {
  const verify::Bound* highest = nullptr;
  for (const verify::Bound& bound : data.bounds) {
    if (!bound.is_upper && (highest == nullptr || bound.bound_ps > highest->bound_ps)) highest = &bound;
  }
  if (data.sim_runs == 0 || highest == nullptr || highest->bound_ps <= data.max_ps) return "";
  const std::string name = highest->name == "critical_path" ? "the critical path" : "work per core";
  const std::string seen = "The longest run seen is below " + name + ", which counts the worst time of every op: ";
  if (!data.guarded_bounds.empty()) {
    return seen + "the runs have outcomes " + data.outcomes + " and draw op times (jitter " + data.op_times.jitter +
           "), and bounds are of other outcomes, too.";
  }
  if (data.op_times.draws_worst_only) return seen + "as every op took its worst time, that cannot be; report it.";
  return seen + "runs draw op times between best and worst (jitter " + data.op_times.jitter +
         "), and none drew the worst of all that count.";
}

bool is_told(const ReportData& data, std::string_view percentile) {
  const auto place = std::ranges::find(data.percentiles, percentile, &Percentile::name);
  return place == data.percentiles.end() || place->has_interval;
}

std::string outcomes_in_words(const ReportData& data) {
  if (data.outcomes.empty()) return "";
  return "Runs and explored schedules are of outcomes " + data.outcomes +
         (data.guarded_bounds.empty() ? "." : "; bounds are of " + data.guarded_bounds + ".");
}

std::string unused_rows_text(const TimeGrounds& times) {
  constexpr std::size_t kNamed = 5;
  const std::size_t count = times.unused_rows.size();
  if (count == 0) return "";
  std::string names;
  for (std::size_t i = 0; i < std::min(count, kNamed); ++i) {
    names += (i == 0 ? "" : ", ") + short_name(times.unused_rows[i]);
  }
  if (count > kNamed) names += " and " + std::to_string(count - kNamed) + " more";
  return count_of(count, "row") + " of the cost table " + (count == 1 ? "is" : "are") + " not used (" + names +
         "): " + times.unused_why;
}

std::string race_in_words(std::string_view text) {
  for (const std::string_view kind : {"raw: ", "war: ", "waw: "}) {
    if (text.starts_with(kind)) return std::string(text.substr(kind.size()));
  }
  return std::string(text);
}

std::optional<verify::Bound> tightest_bound(const ReportData& data) {
  std::optional<verify::Bound> best;
  for (const verify::Bound& bound : data.bounds) {
    if (bound.is_upper && (!best || bound.bound_ps < best->bound_ps)) best = bound;
  }
  return best;
}

std::string bound_title(const verify::Bound& bound) {
  static const std::array<std::pair<const char*, const char*>, 8> kTitles = {{
      {"critical_path", "Critical path"},
      {"work_per_core", "Work per core"},
      {"serial", "One op after another"},
      {"graham", "Graham's bound"},
      {"typed", "Bound per class of cores"},
      {"he2022", "Bound of He 2022"},
      {"exact", "Exact worst case"},
      {"lists", "Static lists"},
  }};
  for (const auto& [key, title] : kTitles) {
    if (bound.name == key) return title;
  }
  return bound.name;
}

}  // namespace detent::reports
