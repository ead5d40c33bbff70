// The parts of report.html that need no script: each function gives the HTML of one section.
#pragma once

#include <string>
#include <string_view>

#include "reports/data/report_data.hpp"
#include "reports/text/text.hpp"
#include "verify/verdict/verdict.hpp"

namespace detent::reports {

/// From the doctype to the end of the head: what may be fetched (nothing), title, style. @param title  not escaped
std::string page_head_html(const std::string& title);
/// The model's own name; where it has none, what the command line called it. Cleaned and cut, not escaped.
std::string title_of(const ReportData& data);
/// Title, model, platform, what was done; the links to the sections.
std::string header_html(const ReportData& data);
/// The three questions with their answers.
std::string answers_html(const ReportData& data);
/// Ladder of times: lower rungs, the simulated range, the bounds, on one scale from zero.
std::string ladder_html(const ReportData& data);
/// What the lowest upper bound counts, as a table that adds up to it; which times to measure first. Empty: no bound.
std::string budget_html(const ReportData& data);
/// The exact worst case: a run that attains it beside the one with every op at its worst time, on one axis, and the ops
/// that make it longer; or why it is not known. Empty: nothing was simulated.
/// @param page  of page_data
std::string exact_html(const ReportData& data, const Json& page);
/// Histogram of makespans with its markers, and its table.
std::string distribution_html(const ReportData& data);
/// Busy share per core of the longest run.
std::string utilisation_html(const ReportData& data);
/// Is there an account of a simulated chip's time?
bool has_machine(const ReportData& data);
/// Where the time of each core and NPU of the longest run went; empty without a model of the chip.
std::string accounts_html(const ReportData& data);
/// DRAM bandwidth by client and lengths of queues over the longest run; empty without a model of the chip.
std::string charts_html(const ReportData& data);
/// Verdict table with expandable witnesses.
std::string verdicts_html(const ReportData& data);
/// Coverage of the orders of ops and what must have happened to them; empty when nothing was looked at.
std::string schedules_html(const ReportData& data);
/// Coverage of the lines, branches and functions of the model's own C, by file; empty when it was not asked for.
std::string code_html(const ReportData& data);
/// The same as schedules_html of the steps of the engine's own threads, folded; empty when nothing was looked at.
std::string engine_html(const ReportData& data);
/// What the figures rest on.
std::string assumptions_html(const ReportData& data);

/// "ok", "bad", "open": the CSS class of an outcome.
const char* outcome_class(verify::Outcome outcome);
/// A mark that differs in shape, not only in colour, followed by `word`.
std::string badge_html(verify::Outcome outcome, std::string_view word);
/// A duration for people whose tooltip has the exact picoseconds.
std::string duration_html(std::uint64_t ps);
/// The same rounded up, for upper bounds.
std::string duration_up_html(std::uint64_t ps);
/// Position in percent of a scale, two decimals, for CSS: "41.25%". Clamped to [0, 100].
std::string percent_of(std::uint64_t value, std::uint64_t scale);

}  // namespace detent::reports
