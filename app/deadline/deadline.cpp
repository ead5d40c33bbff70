#include "app/deadline/deadline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "app/deadline/period_use.hpp"
#include "base/units.hpp"
#include "base/words/quantity.hpp"

namespace detent::app {
namespace {

constexpr const char* kCondition = "if no op exceeds its worst time";

/// deadline - time, as far as 64 bits hold it.
std::int64_t margin(std::uint64_t deadline_ps, std::uint64_t time_ps) {
  const std::uint64_t size = deadline_ps > time_ps ? deadline_ps - time_ps : time_ps - deadline_ps;
  const auto held = static_cast<std::int64_t>(std::min<std::uint64_t>(size, INT64_MAX));
  return deadline_ps >= time_ps ? held : -held;
}

const verify::Bound* least_upper(const std::vector<verify::Bound>& bounds) {
  const verify::Bound* least = nullptr;
  for (const verify::Bound& bound : bounds) {
    if (!bound.is_upper || bound.bound_ps == verify::kUnknownPs) continue;
    if (least == nullptr || bound.bound_ps < least->bound_ps) least = &bound;
  }
  return least;
}

/// The largest makespan that some run is known to reach; its bound is exact or a lower one.
const verify::Bound* longest_known_run(const std::vector<verify::Bound>& bounds) {
  const verify::Bound* longest = nullptr;
  for (const verify::Bound& bound : bounds) {
    if ((bound.is_upper && !bound.exact) || bound.bound_ps == verify::kUnknownPs) continue;
    if (longest == nullptr || bound.bound_ps >= longest->bound_ps) longest = &bound;
  }
  return longest;
}

std::string beyond(std::uint64_t time_ps, std::uint64_t deadline_ps) {
  return format_time(time_ps - deadline_ps) + " more than the deadline of " + format_time(deadline_ps);
}

std::string seen_text(const LongestSeen& seen) { return "the longest run seen takes " + format_time(seen.makespan_ps); }

/// What bounds a run alone says nothing of runs that are still there when the next is released.
std::string overlap_text(std::uint64_t period_ps, const verify::Bound& upper) {
  return fmt::format(
      "a run alone is not longer than {} ({}), which is more than the period of {}, and runs that overlap wait for "
      "each other; detent tasks judges those",
      format_time_up(upper.bound_ps), upper.name, format_time(period_ps));
}

/// Neither a proof nor a run against it.
std::string open_text(std::uint64_t deadline_ps, const DeadlineEvidence& evidence, const verify::Bound* upper) {
  std::string text = upper == nullptr
                         ? "no upper bound is known"
                         : fmt::format("the lowest upper bound, {} ({}), is {}", format_time_up(upper->bound_ps),
                                       upper->name, beyond(upper->bound_ps, deadline_ps));
  text += ", and ";
  text += evidence.seen ? seen_text(*evidence.seen) : "no run is known to be longer";
  if (!evidence.more.empty()) return text + "; " + evidence.more;
  return text + (evidence.seen ? "; more --search, or of the closed loop detent bound --method exact, may tell more"
                               : "; --method exact, or a larger --max-states, tells more");
}

}  // namespace

std::optional<WantedDeadline> wanted_deadline(const std::string& option, const models::TimeDemands& demands,
                                              const std::string& file) {
  if (!option.empty()) {
    const std::optional<std::uint64_t> time = read_time_ps(option);
    if (!time) throw std::invalid_argument("--deadline " + option + ": " + refuse_time(option));
    if (*time == 0)
      throw std::invalid_argument("--deadline " + option + ": no run has ended by then; give a time above 0");
    return WantedDeadline{*time, "--deadline", demands.period_ps};
  }
  if (demands.deadline_ps) return WantedDeadline{*demands.deadline_ps, file, demands.period_ps};
  if (demands.period_ps) return WantedDeadline{*demands.period_ps, file + ", period", demands.period_ps};
  return std::nullopt;
}

JudgedDeadline judge_deadline(const WantedDeadline& wanted, const DeadlineEvidence& evidence) {
  const std::uint64_t deadline_ps = wanted.deadline_ps;
  JudgedDeadline made{.verdict = {verify::Property::kDeadline, verify::Outcome::kUnknown, "", {}},
                      .figures = {.deadline_ps = deadline_ps,
                                  .source = wanted.source,
                                  .period_ps = wanted.period_ps,
                                  .uses = evidence.uses,
                                  .condition = evidence.condition.empty() ? kCondition : evidence.condition,
                                  .are_times_assumed = evidence.are_times_assumed}};
  const verify::Bound* const upper = least_upper(evidence.bounds);
  const verify::Bound* const run = longest_known_run(evidence.bounds);
  if (upper != nullptr) {
    made.figures.bound_ps = upper->bound_ps;
    made.figures.method = upper->name;
  }
  const bool may_overlap = wanted.period_ps && upper != nullptr && upper->bound_ps > *wanted.period_ps;
  if (evidence.seen) made.figures.longest_seen_ps = evidence.seen->makespan_ps;
  const auto decide = [&](verify::Outcome outcome, std::uint64_t time_ps, const std::string& text) {
    made.verdict.outcome = outcome;
    made.verdict.summary = text + (evidence.are_times_assumed ? "; op times are assumed" : "");
    made.figures.margin_ps = margin(deadline_ps, time_ps);
  };
  if (evidence.seen && evidence.seen->makespan_ps > deadline_ps) {
    const std::uint64_t longest_ps = evidence.seen->makespan_ps;
    decide(verify::Outcome::kViolated, longest_ps, seen_text(*evidence.seen) + ", " + beyond(longest_ps, deadline_ps));
    const std::string& line = evidence.seen->replay;
    made.verdict.witnesses.push_back(
        {line.empty() ? made.verdict.summary : "the run that is longer: detent replay '" + line + "'", {}, {}});
  } else if (run != nullptr && run->bound_ps > deadline_ps) {
    const std::string far = beyond(run->bound_ps, deadline_ps);
    const char* const some = evidence.has_outcomes ? "with some outcomes of the decisions, " : "";
    decide(verify::Outcome::kViolated, run->bound_ps,
           run->exact
               ? fmt::format("{}the longest run takes {} ({}), {}", some, format_time(run->bound_ps), run->name, far)
               : fmt::format("{}where every op takes its worst time, the run takes at least {} ({}), {}", some,
                             format_time(run->bound_ps), run->name, far));
  } else if (const auto full = std::ranges::find(evidence.uses, true, &reports::ClassUse::is_overloaded);
             wanted.period_ps && full != evidence.uses.end()) {
    made.verdict.outcome = verify::Outcome::kViolated;
    made.verdict.summary = fmt::format(
        "where every op takes its worst time, the work of {} takes more than the period of {}, so runs fall behind "
        "without end",
        full->core_class, format_time(*wanted.period_ps));
  } else if (!evidence.failure.empty()) {
    made.verdict.summary = "not every run ends: " + evidence.failure;
  } else if (may_overlap && upper->bound_ps <= deadline_ps) {
    made.verdict.summary = overlap_text(*wanted.period_ps, *upper);
  } else if (upper != nullptr && upper->bound_ps <= deadline_ps) {
    const std::string of_policy = evidence.policy.empty() || upper->name != "sag" ? "" : ", policy " + evidence.policy;
    decide(verify::Outcome::kHolds, upper->bound_ps,
           fmt::format("no run is longer than {} ({}{}), {} before the deadline of {}, {}",
                       format_time_up(upper->bound_ps), upper->name, of_policy,
                       format_time(deadline_ps - upper->bound_ps), format_time(deadline_ps), made.figures.condition));
  } else {
    made.verdict.summary = open_text(deadline_ps, evidence, upper);
  }
  return made;
}

Lines deadline_lines(const JudgedDeadline& judged) {
  Lines lines{fmt::format("{:<14} {:>12}  {}{}: {}", "deadline", format_time(judged.figures.deadline_ps),
                          verify::outcome_name(judged.verdict.outcome),
                          judged.figures.are_times_assumed ? " (ASSUMED times)" : "", judged.verdict.summary)};
  for (const verify::Witness& witness : judged.verdict.witnesses) {
    if (witness.text != judged.verdict.summary) lines.push_back("  " + witness.text);
  }
  append(lines, use_lines(judged.figures.uses));
  return lines;
}

}  // namespace detent::app
