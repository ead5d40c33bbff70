// Answers: verdicts and times -> the questions at the top of a report, in plain words.
#pragma once

#include <optional>
#include <string>
#include <string_view>
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

/// "Is the output the same on any schedule?", "Can a buffer be corrupted?", "How long can it take?", in this order;
/// with a deadline, "Does every run end within 5 ms?".
/// The third and the fourth are good news only where a bound applies and no op time behind it is an assumption.
std::vector<Answer> answers_of(const ReportData& data);

/// "if no op exceeds its worst time", and what is assumed of failures.
std::string short_condition(const TimeGrounds& times);

/// What the bound is conditional on: "if no op exceeds its worst time; worst times: 3 measured (...), 1 assumed (...)".
std::string condition_of_bounds(const TimeGrounds& times);
/// "3 measured (...), 1 assumed (...)": ops by the source of their time, firmest first.
std::string grounds_text(const TimeGrounds& times);
/// Why the longest run seen is shorter than the highest lower bound on the worst case; empty: it is not.
std::string below_lower_bound(const ReportData& data);

/// Have the runs an interval of this percentile, or was none asked for?
bool is_told(const ReportData& data, std::string_view percentile);
/// What is of the outcomes of the runs, and of which the bounds are. "" where no op has guards.
std::string outcomes_in_words(const ReportData& data);
/// Rows of the cost table that nothing reads, by count and name; empty: there are none.
std::string unused_rows_text(const TimeGrounds& times);
/// `text` of a race without the abbreviation before it.
std::string race_in_words(std::string_view text);

/// The tightest upper bound, if any applies.
std::optional<verify::Bound> tightest_bound(const ReportData& data);

/// A bound's name for people: "critical path", "Graham's bound".
std::string bound_title(const verify::Bound& bound);

inline constexpr const char* kEstimateLabel = "simulated estimate (optimistic)";
inline constexpr const char* kBoundLabel = "bound under these assumptions";
inline constexpr const char* kLongestLabel = "longest run seen";

}  // namespace detent::reports
