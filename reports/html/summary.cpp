// Head of report.html: what was looked at, the answers, and at the end what they rest on.
#include <array>

#include "base/units.hpp"
#include "reports/html/glossary.hpp"
#include "reports/html/parts.hpp"
#include "reports/text/report_text.hpp"
#include "reports/text/simulated_text.hpp"
#include "reports/view/desc_view.hpp"

namespace detent::reports {
namespace {

/// @param label  HTML
std::string figure(const std::string& label, std::uint64_t ps) {
  return "<div><dt>" + label + "</dt><dd>" + duration_html(ps) + "</dd></div>";
}

/// The numbers under the third answer: estimate and bound never stand without their labels.
std::string time_figures(const ReportData& data) {
  if (data.sim_runs == 0) return "";
  std::string out = "<div class=\"figures\"><p class=\"label\">" + term_html("estimate", kEstimateLabel) + ", " +
                    count_of(data.sim_runs, "run") + "</p><dl>";
  out += figure("shortest", data.min_ps) + figure(term_html("median", "median"), data.median_ps);
  if (is_told(data, "p99")) out += figure(term_html("p99", "p99"), data.p99_ps);
  out += figure(term_html("longest", "longest seen"), data.max_ps) + "</dl>";
  std::string notes;
  for (const Percentile& percentile : data.percentiles) notes += percentile_text(percentile) + "; ";
  if (data.search) notes += search_text(*data.search) + "; ";
  if (!notes.empty()) out += "<p class=\"note\">" + escape_html(notes.substr(0, notes.size() - 2)) + ".</p>";
  return out + "</div>";
}

/// The bits behind the first answer: one digest, or the two that differ.
std::string digest_figures(const ReportData& data) {
  if (data.serial_digest.empty() && data.native_digest.empty()) return "";
  const auto code = [](const std::string& digest) { return "<code>" + escape_html(short_name(digest)) + "</code>"; };
  std::string out = "<div class=\"figures\"><p class=\"label\">output " + term_html("digest", "digest") + "</p>";
  if (data.serial_digest == data.native_digest) return out + code(data.serial_digest) + "</div>";
  return out + code(data.serial_digest) + " serial<br>" + code(data.native_digest) + " with " +
         count_of(data.native_workers, "worker") + "</div>";
}

std::string answer_html(const Answer& answer, const std::string& figures) {
  std::string out = "<article class=\"answer " + std::string(outcome_class(answer.outcome)) + "\"><h2>" +
                    escape_html(answer.question) + "</h2>";
  out += "<p class=\"said\">" + badge_html(answer.outcome, answer.answer) + "</p>";
  out += "<p class=\"why\">" + name_html(short_name(answer.detail, 900)) + "</p>";
  return out + figures + "</article>";
}

}  // namespace

const char* outcome_class(verify::Outcome outcome) {
  switch (outcome) {
    case verify::Outcome::kHolds:
      return "ok";
    case verify::Outcome::kViolated:
      return "bad";
    case verify::Outcome::kUnknown:
      return "open";
  }
  return "open";
}

std::string badge_html(verify::Outcome outcome, std::string_view word) {
  const char* path = "M5 8h6";  // a dash: open
  if (outcome == verify::Outcome::kHolds) path = "M4.5 8.3l2.4 2.4 4.6-5";
  if (outcome == verify::Outcome::kViolated) path = "M5 5l6 6M11 5l-6 6";
  return "<span class=\"badge " + std::string(outcome_class(outcome)) +
         "\"><svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><circle cx=\"8\" cy=\"8\" r=\"7.2\"/><path d=\"" + path +
         "\"/></svg>" + escape_html(word) + "</span>";
}

std::string duration_html(std::uint64_t ps) {
  return "<span class=\"num\" title=\"" + format_integer(ps) + " ps\">" + format_duration(ps) + "</span>";
}

std::string duration_up_html(std::uint64_t ps) {
  return "<span class=\"num\" title=\"" + format_integer(ps) + " ps\">" + format_duration_up(ps) + "</span>";
}

std::string percent_of(std::uint64_t value, std::uint64_t scale) {
  const double share = scale == 0 ? 0.0 : static_cast<double>(value) / static_cast<double>(scale);
  const auto hundredths = static_cast<std::uint64_t>((share > 1.0 ? 1.0 : share) * 10000.0 + 0.5);
  const std::string fraction = std::to_string(hundredths % 100);
  return std::to_string(hundredths / 100) + "." + std::string(2 - fraction.size(), '0') + fraction + "%";
}

std::string title_of(const ReportData& data) {
  // "default" is what TVM calls every module that its user gave no name, "graph" an op graph without one.
  const std::string name = model_name(data.desc);
  const bool is_named = !name.empty() && name != "default" && name != "graph";
  return short_name(is_named ? name : data.model);
}

std::string header_html(const ReportData& data) {
  const std::string title = title_of(data);
  std::string out = "<header class=\"top\"><p class=\"eyebrow\">Detent report</p><h1>" + name_html(title) +
                    "</h1><p class=\"facts\">";
  if (title != short_name(data.model)) out += "<span>from " + name_html(short_name(data.model)) + "</span>";
  if (!data.platform.empty()) out += "<span>on " + name_html(short_name(data.platform)) + "</span>";
  const std::uint32_t count = real_op_count(data.desc);
  out += "<span>" + std::to_string(count) + " " + term_html("op", count == 1 ? "op" : "ops") + "</span>";
  if (data.arena_bytes > 0)
    out += "<span>" + format_bytes(data.arena_bytes) + " of " + term_html("workspace", "workspace") + "</span>";
  out += "<span>" + term_html("seed", "seed") + " " + std::to_string(data.seed) + "</span>";
  out += "<span>detent " + escape_html(short_name(data.version)) + "</span></p>";
  out += "<nav aria-label=\"Sections\"><a href=\"#time\">Time</a>";
  if (data.budget) out += "<a href=\"#budget\">Budget</a>";
  out += "<a href=\"#timeline\">Timeline</a>";
  if (data.exact) out += "<a href=\"#exact\">Exact</a>";
  out += "<a href=\"#verdicts\">Verdicts</a>";
  if (!data.failures.empty()) out += "<a href=\"#failures\">Failing schedules</a>";
  if (has_machine(data)) out += "<a href=\"#accounts\">Cores</a>";
  out += "<a href=\"#memory\">Memory</a><a href=\"#graph\">Graph</a>";
  if (!data.schedules.empty()) out += "<a href=\"#schedules\">Schedules</a>";
  if (data.code) out += "<a href=\"#code\">Code</a>";
  out += "<a href=\"#assumptions\">Assumptions</a><a href=\"#glossary\">Words</a></nav>";
  return out + "</header>";
}

std::string answers_html(const ReportData& data) {
  const std::vector<Answer> answers = answers_of(data);
  std::string out =
      "<section class=\"answers" + std::string(answers.size() > 3 ? " four" : "") + "\" aria-label=\"Answers\">";
  const std::array<std::string, 4> figures = {digest_figures(data), "", time_figures(data), ""};
  for (std::size_t i = 0; i < answers.size(); ++i) out += answer_html(answers[i], figures[i]);
  return out + "</section>";
}

std::string assumptions_html(const ReportData& data) {
  std::string out =
      "<section id=\"assumptions\"><h2>Assumptions</h2>"
      "<p class=\"lead\">The figures above hold under these. A simulation of a chip's internals is less "
      "representative than a test on the chip.</p>";
  if (data.assumptions.empty()) return out + "<p class=\"empty\">None were recorded.</p></section>";
  out += "<dl class=\"assumptions\">";
  for (const Assumption& item : data.assumptions) {
    out += "<div><dt>" + name_html(short_name(item.key)) + "</dt><dd>" + name_html(short_name(item.text, 2000)) +
           "</dd></div>";
  }
  return out + "</dl></section>";
}

}  // namespace detent::reports
