// detent report: the answer of a finished check again, from where it lies.
#pragma once

#include <cstddef>
#include <string>

#include "app/answer/verdicts.hpp"

namespace detent::app {

/// The answer as it was, with its screen. @param directory  the --out directory of detent check
/// @param width  as format_summary
/// @throws InputError, std::invalid_argument  as read_checked_report; an answer that lacks what its screen shows
Answer saved_check(const std::string& directory, std::size_t width);

/// compare_reports of two --out directories, or report.json files, of detent check.
/// @throws InputError, std::invalid_argument  likewise
Answer compare_saved_checks(const std::string& before, const std::string& after);

}  // namespace detent::app
