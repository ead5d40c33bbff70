// Bounds and simulated runs -> does every run end by a deadline?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/answer/answer.hpp"
#include "models/core/model.hpp"
#include "reports/data/deadline.hpp"
#include "verify/timing/bounds.hpp"
#include "verify/verdict/verdict.hpp"

namespace detent::app {

/// A time by which every run shall have ended, and who demands it.
struct WantedDeadline {
  std::uint64_t deadline_ps = 0;
  std::string source{};
  std::optional<std::uint64_t> period_ps{};  ///< between two releases; none: a run is not followed by another
};

/// Where only a period is demanded, a run has to end before the next is released.
/// @param option  --deadline as base/words/quantity.hpp reads times, which counts before what the model's file says;
///                empty: not given
/// @param file    of the model
/// @return  none where neither demands one
/// @throws std::invalid_argument  the option is no time above 0
std::optional<WantedDeadline> wanted_deadline(const std::string& option, const models::TimeDemands& demands,
                                              const std::string& file);

/// The longest run seen in simulation.
struct LongestSeen {
  std::uint64_t makespan_ps = 0;
  std::string replay{};  ///< the line that repeats it; empty: a line cannot say it
};

/// What judges a deadline, all of the same policy, mode and platform.
struct DeadlineEvidence {
  std::vector<verify::Bound> bounds{};    ///< unknown ones are not looked at
  std::optional<LongestSeen> seen{};      ///< none: no run was simulated
  std::string failure{};                  ///< why runs did not end; empty: they did
  bool are_times_assumed = false;         ///< of some op
  std::string policy{};                   ///< that a bound of method sag is of
  bool has_outcomes = false;              ///< bounds are the largest of all outcomes of decisions
  std::string condition{};                ///< under which bounds hold; empty: if no op exceeds its worst time
  std::vector<reports::ClassUse> uses{};  ///< of runs once per period; empty: not known
  std::string more{};                     ///< what may tell more where neither is known; empty: options of one network
};

struct JudgedDeadline {
  verify::Verdict verdict{};  ///< property "deadline"
  reports::Deadline figures{};
};

/// With a period, runs are released again and again, and each finds the chip as a run alone does only if every run ends
/// before the next is released: a bound that is above the period is none of theirs, and proves nothing.
///
/// Violated where a run ends later: one that was seen, that of the exact worst case, or the one in which every op takes
/// its worst time, which no lower bound exceeds; and where a class has more work in a period than time. Else it holds
/// where an upper bound is not above it. All is about runs in which no op exceeds its worst time, whatever those rest
/// on.
JudgedDeadline judge_deadline(const WantedDeadline& wanted, const DeadlineEvidence& evidence);

/// "deadline  5.00 ms  holds (ASSUMED times): ...", the line that repeats the run which violates it, and utilisation.
Lines deadline_lines(const JudgedDeadline& judged);

}  // namespace detent::app
