// Answers: verdicts and times -> the three questions at the top of a report, in plain words.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/data/report_data.hpp"

namespace detent::reports {

/// One question with its answer. `detail` says on what evidence.
struct Answer {
  std::string question;
  std::string answer;                                   ///< "Yes", "No", "Not known", "At most 24.10 ms"
  verify::Outcome outcome = verify::Outcome::kUnknown;  ///< kHolds is the good news, whatever the word
  std::string detail;
};

/// "Is the output the same on any schedule?", "Can a buffer be corrupted?", "How long does it take?", in this order.
std::vector<Answer> answers_of(const ReportData& data);

/// The tightest upper bound, if any applies.
std::optional<verify::Bound> tightest_bound(const ReportData& data);

/// A bound's name for people: "critical path", "Graham's bound".
std::string bound_title(const verify::Bound& bound);

inline constexpr const char* kEstimateLabel = "simulated estimate (optimistic)";
inline constexpr const char* kBoundLabel = "bound under these assumptions";

}  // namespace detent::reports
