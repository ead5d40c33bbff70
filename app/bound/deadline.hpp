// Bounds -> does every run end by a deadline?
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/answer/answer.hpp"
#include "app/bound/guarded_bounds.hpp"
#include "verify/verdict/verdict.hpp"

namespace detent::app {

/// Property "deadline": no run ends later. It is about runs in which no op exceeds its worst time, whatever those rest
/// on.
struct DeadlineVerdict {
  verify::Outcome outcome = verify::Outcome::kUnknown;
  std::uint64_t deadline_ps = 0;
  std::optional<std::int64_t> margin_ps{};  ///< from the bound or run that decides to the deadline; below 0: violated
  std::string summary{};
};

/// Holds where an upper bound is not above the deadline. Violated where a run ends later: that of the exact worst case,
/// or the one in which every op takes its worst time, which no lower bound exceeds.
DeadlineVerdict judge_deadline(std::uint64_t deadline_ps, const ModelBounds& bounds);

/// {property, outcome, summary, deadline_ps, margin_ps, condition, assumed_times}
Json deadline_json(const DeadlineVerdict& verdict, bool are_times_assumed);
/// "deadline  5.00 ms  holds (ASSUMED times): ..."
std::string deadline_line(const DeadlineVerdict& verdict, bool are_times_assumed);

}  // namespace detent::app
