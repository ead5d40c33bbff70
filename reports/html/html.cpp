// report.html: sections that need no script, the drawings' data as JSON, and style and script from reports/html/.
#include "reports/data/report_data.hpp"
#include "reports/html/assets.hpp"
#include "reports/html/parts.hpp"
#include "reports/text/failure_print.hpp"
#include "reports/view/page_data.hpp"

namespace detent::reports {
namespace {

constexpr std::string_view kPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

std::string head_html(const ReportData& data) {
  return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta "
         "http-equiv=\"Content-Security-Policy\" "
         "content=\"" +
         std::string(kPolicy) +
         "\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
         "<meta name=\"color-scheme\" content=\"light dark\"><meta name=\"referrer\" content=\"no-referrer\"><title>" +
         escape_html(short_name(data.model)) + " \xC2\xB7 Detent report</title><style>" + std::string(kPageStyle) +
         "</style></head>";
}

/// A drawing that the script fills; without script the sentence says what would be there.
std::string drawing_html(const char* id, const char* title, const char* lead) {
  return "<section id=\"" + std::string(id) + "\"><h2>" + title + "</h2><p class=\"lead\">" + lead +
         "</p><div class=\"drawing\"></div><noscript><p class=\"empty\">This drawing needs JavaScript; report.json and "
         "trace.pftrace hold the same facts.</p></noscript></section>";
}

}  // namespace

std::string report_html(const ReportData& data) {
  std::string out = head_html(data) + "<body><a class=\"skip\" href=\"#time\">Skip to the figures</a><main>";
  out += header_html(data) + answers_html(data) + ladder_html(data) + verdicts_html(data);
  out += failures_html(data.failures);
  out += schedules_html(data);
  out += accounts_html(data);
  out +=
      drawing_html("timeline", "Timeline",
                   "Which core ran which op when. Colours are kinds of kernels, with their share of the time of ops.");
  out += charts_html(data);
  out += drawing_html(
      "graph", "Graph of ops",
      "Edges are the only order the runtime keeps. Select an op to see what it waits for and what waits for it.");
  out += drawing_html("memory", "Memory map",
                      "Which bytes hold which tensor when. Blocks above each other in time are bytes used again.");
  out += "<div class=\"pair\">" + distribution_html(data) + utilisation_html(data) + "</div>" + assumptions_html(data);
  out += "</main><script type=\"application/json\" id=\"data\">" + script_json(page_data(data)) + "</script><script>" +
         std::string(kPageScript) + "</script></body></html>\n";
  return out;
}

}  // namespace detent::reports
