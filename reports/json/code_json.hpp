// CodeCoverage -> JSON, for report.json.
#pragma once

#include "reports/data/code_coverage.hpp"
#include "reports/text/text.hpp"

namespace detent::reports {

/// `code_coverage` of report.json: {lines, branches, functions, files[{name, lines, branches, functions, uncovered[]}],
/// native_runs, schedules, note}; each count is {covered, total}, each uncovered function {function, line}.
Json code_json(const CodeCoverage& code);

}  // namespace detent::reports
