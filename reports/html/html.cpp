// report.html: sections that need no script, the drawings' data as JSON, and style and script from reports/html/.
#include "reports/data/report_data.hpp"
#include "reports/html/assets.hpp"
#include "reports/html/drawings.hpp"
#include "reports/html/glossary.hpp"
#include "reports/html/parts.hpp"
#include "reports/text/failure_print.hpp"
#include "reports/view/page_data.hpp"

namespace detent::reports {
namespace {

/// A drawing that the script fills. Without script a static one stands there, or a sentence that says where the facts
/// are.
/// @param lead  HTML
/// @param facts  HTML below the lead that stands with and without script
std::string drawing_html(const char* id, const char* title, const std::string& lead, const std::string& still,
                         const std::string& facts = "") {
  const std::string without =
      still.empty()
          ? "<p class=\"empty\">This drawing needs JavaScript; detent graph MODEL writes the ops and edges.</p>"
          : still;
  return "<section id=\"" + std::string(id) + "\"><h2>" + title + "</h2><p class=\"lead\">" + lead + "</p>" + facts +
         "<div class=\"drawing\"></div><noscript>" + without + "</noscript></section>";
}

/// The reads that miss their value: what the frames in the memory map mean.
std::string lost_values_html(const std::vector<LostValue>& lost) {
  if (lost.empty()) return "";
  std::string out =
      "<p class=\"lead\">Framed: bytes in which a read misses its value, from the op that writes it to the "
      "one that reads it.</p><ul class=\"lost-values\">";
  for (const LostValue& one : lost) out += "<li>" + name_html(short_name(one.text, 600)) + "</li>";
  return out + "</ul>";
}

}  // namespace

std::string page_head_html(const std::string& title) {
  constexpr std::string_view kPolicy =
      "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
  return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta "
         "http-equiv=\"Content-Security-Policy\" "
         "content=\"" +
         std::string(kPolicy) +
         "\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
         "<meta name=\"color-scheme\" content=\"light dark\"><meta name=\"referrer\" content=\"no-referrer\"><title>" +
         escape_html(title) + "</title><style>" + std::string(kPageStyle) + "</style></head>";
}

std::string report_html(const ReportData& data) {
  const Json page = page_data(data);
  std::string out = page_head_html(title_of(data) + " \xC2\xB7 Detent report") +
                    "<body><a class=\"skip\" href=\"#time\">Skip to the figures</a><main>";
  out += header_html(data) + answers_html(data) + ladder_html(data) + budget_html(data);
  out += drawing_html("timeline", "Timeline",
                      "Which core ran which " + term_html("op", "op") + " when. Colours are families of " +
                          term_html("kernel", "kernels") + ", with their share of the time of ops.",
                      still_timeline(page));
  out += exact_html(data, page) + verdicts_html(data) + failures_html(data.failures) + accounts_html(data) +
         charts_html(data);
  out += drawing_html("memory", "Memory map",
                      "Which bytes hold which tensor when. " + term_html("buffer", "Buffers") +
                          " above each other in time are bytes used again.",
                      still_memory(page), lost_values_html(data.lost_values));
  out += drawing_html(
      "graph", "Graph of ops",
      "Edges are the only order the runtime keeps. Select an op to see what it waits for and what waits for it.", "");
  out += "<div class=\"pair\">" + distribution_html(data) + utilisation_html(data) + "</div>";
  out += schedules_html(data) + code_html(data) + assumptions_html(data) + glossary_html() + engine_html(data);
  out += "</main><script type=\"application/json\" id=\"data\">" + script_json(page) + "</script><script>" +
         std::string(kPageScript) + "</script></body></html>\n";
  return out;
}

}  // namespace detent::reports
