#include "app/bound/deadline.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.hpp"
#include "verify/verdict/verdict.hpp"

namespace detent::app {
namespace {

constexpr const char* kCondition = "if no op exceeds its worst time";

/// deadline - time, as far as 64 bits hold it.
std::int64_t margin(std::uint64_t deadline_ps, std::uint64_t time_ps) {
  const std::uint64_t size = deadline_ps > time_ps ? deadline_ps - time_ps : time_ps - deadline_ps;
  const auto held = static_cast<std::int64_t>(std::min<std::uint64_t>(size, INT64_MAX));
  return deadline_ps >= time_ps ? held : -held;
}

const verify::Bound* least_upper(const ModelBounds& bounds) {
  const verify::Bound* least = nullptr;
  for (const verify::Bound& bound : bounds.bounds) {
    if (!bound.is_upper || bound.bound_ps == verify::kUnknownPs) continue;
    if (least == nullptr || bound.bound_ps < least->bound_ps) least = &bound;
  }
  return least;
}

/// The largest makespan that some run is known to reach; its bound is exact or a lower one.
const verify::Bound* longest_known_run(const ModelBounds& bounds) {
  const verify::Bound* longest = nullptr;
  for (const verify::Bound& bound : bounds.bounds) {
    if ((bound.is_upper && !bound.exact) || bound.bound_ps == verify::kUnknownPs) continue;
    if (longest == nullptr || bound.bound_ps >= longest->bound_ps) longest = &bound;
  }
  return longest;
}

}  // namespace

DeadlineVerdict judge_deadline(std::uint64_t deadline_ps, const ModelBounds& bounds) {
  DeadlineVerdict made;
  made.deadline_ps = deadline_ps;
  const verify::Bound* const upper = least_upper(bounds);
  const verify::Bound* const run = longest_known_run(bounds);
  if (upper != nullptr && upper->bound_ps <= deadline_ps) {
    made.outcome = verify::Outcome::kHolds;
    made.margin_ps = margin(deadline_ps, upper->bound_ps);
    made.summary = fmt::format("no run is longer than {} ps ({}), {} ps before the deadline", upper->bound_ps,
                               upper->name, deadline_ps - upper->bound_ps);
    return made;
  }
  if (run != nullptr && run->bound_ps > deadline_ps) {
    made.outcome = verify::Outcome::kViolated;
    made.margin_ps = margin(deadline_ps, run->bound_ps);
    made.summary = run->exact ? fmt::format("the longest run takes {} ps, {} ps more than the deadline: the witness",
                                            run->bound_ps, run->bound_ps - deadline_ps)
                              : fmt::format(
                                    "where every op takes its worst time, the run takes at least {} ps ({}), {} ps "
                                    "more than the deadline",
                                    run->bound_ps, run->name, run->bound_ps - deadline_ps);
    return made;
  }
  made.summary = upper == nullptr ? "no upper bound is known"
                                  : fmt::format(
                                        "the lowest upper bound, {} ps ({}), is above the deadline, and no run "
                                        "is known to be; --method exact, or a larger --max-states, tells more",
                                        upper->bound_ps, upper->name);
  return made;
}

Json deadline_json(const DeadlineVerdict& verdict, bool are_times_assumed) {
  return {{"property", "deadline"},
          {"outcome", verify::outcome_name(verdict.outcome)},
          {"summary", verdict.summary},
          {"deadline_ps", verdict.deadline_ps},
          {"margin_ps", verdict.margin_ps ? Json(*verdict.margin_ps) : Json(nullptr)},
          {"condition", kCondition},
          {"assumed_times", are_times_assumed}};
}

std::string deadline_line(const DeadlineVerdict& verdict, bool are_times_assumed) {
  return fmt::format("{:<14} {:>12}  {}{}: {}; {}", "deadline", format_time(verdict.deadline_ps),
                     verify::outcome_name(verdict.outcome), are_times_assumed ? " (ASSUMED times)" : "",
                     verdict.summary, kCondition);
}

}  // namespace detent::app
