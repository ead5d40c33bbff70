// A FailureStory as text, HTML and JSON.
#pragma once

#include <string>
#include <vector>

#include "reports/data/failure_story.hpp"
#include "reports/text/text.hpp"

namespace detent::reports {

/// Tables for a terminal, each line indented by two spaces and ended by a newline. Names are cleaned and cut.
std::string story_tables_text(const FailureStory& story);
/// The section of report.html; empty when there are no failures.
std::string failures_html(const std::vector<FailureStory>& failures);
/// An element of `failures` in report.json; docs/FORMATS.md.
Json story_json(const FailureStory& story);
/// `table` of it: [{title, digest, columns, rows[] {time_ps, cells}}].
Json story_tables_json(const FailureStory& story);

}  // namespace detent::reports
