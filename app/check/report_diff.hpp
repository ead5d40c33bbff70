// Two answers of detent check compared: what changed, and whether a verdict got worse.
#pragma once

#include <string>

#include "app/answer/verdicts.hpp"

namespace detent::app {

/// A finished check: its answer and what to call it.
struct CheckedReport {
  std::string place;  ///< directory or file, as the command line has it
  Json answer{};      ///< detent.check/1
};

/// @param place  the --out directory of detent check, or its report.json
/// @throws InputError             cannot be read, no JSON
/// @throws std::invalid_argument  another schema
CheckedReport read_checked_report(const std::string& place);

/// `detent.report_diff/1`: identity, verdicts, answers, bounds, simulated times, sources of op times, digests and ops
/// that differ. A verdict that is not there counts as unknown. Ops are compared by name.
/// @return  violated when a verdict got worse, else holds
/// @throws nlohmann::json::exception  a member of an answer is missing or of another type
Answer compare_reports(const CheckedReport& before, const CheckedReport& after);

}  // namespace detent::app
