// Coverage of code in report.html: what of the model's own C was executed, by file, and which functions never were.
#include <algorithm>

#include "reports/html/glossary.hpp"
#include "reports/html/parts.hpp"

namespace detent::reports {
namespace {

constexpr std::size_t kNamedFunctions = 12;
constexpr std::size_t kMaxFiles = 200;

std::string of_text(const CoveredCount& count, const char* what) {
  return format_integer(count.covered) + " of " + format_integer(count.total) + " " + what;
}

/// Functions that were never called, as far as there is room.
std::string uncovered_html(const FileCoverage& file) {
  if (file.uncovered.empty()) return "";
  std::string out = "<small>never called: ";
  const std::size_t named = std::min(kNamedFunctions, file.uncovered.size());
  for (std::size_t i = 0; i < named; ++i) {
    const UncoveredFunction& one = file.uncovered[i];
    out += (i == 0 ? "" : ", ") + name_html(short_name(one.name)) + " (line " + format_integer(one.line) + ")";
  }
  if (named < file.uncovered.size()) out += " and " + format_integer(file.uncovered.size() - named) + " more";
  return out + "</small>";
}

std::string file_row(const FileCoverage& file, const std::string& name) {
  return "<tr><th scope=\"row\">" + name + uncovered_html(file) +
         "</th><td class=\"share\"><span class=\"track\"><b style=\"width:" +
         percent_of(file.lines.covered, file.lines.total) + "\"></b></span></td><td class=\"num\">" +
         of_text(file.lines, "lines") + "<small>" + of_text(file.branches, "branches") + ", " +
         of_text(file.functions, "functions") + "</small></td></tr>";
}

std::string file_table(const CodeCoverage& code) {
  std::string rows;
  const std::size_t shown = std::min(kMaxFiles, code.files.size());
  for (std::size_t i = 0; i < shown; ++i) rows += file_row(code.files[i], name_html(short_name(code.files[i].name)));
  if (code.files.size() > 1) rows += file_row(code.total(), "all files");
  std::string out =
      "<table class=\"measures\"><thead><tr><th>File</th><th>Lines</th><th>Of what</th></tr></thead><tbody>" + rows +
      "</tbody></table>";
  if (shown < code.files.size())
    out += "<p class=\"note\">" + count_of(code.files.size() - shown, "file") + " more.</p>";
  return out;
}

}  // namespace

std::string code_html(const ReportData& data) {
  if (!data.code) return "";
  const CodeCoverage& code = *data.code;
  std::string out =
      "<section id=\"code\"><h2>Code</h2><p class=\"lead\">What of the model\xE2\x80\x99s own C was executed, in " +
      count_of(code.native_runs, "native run") + " and " + count_of(code.schedules, "order") + " of ops.";
  if (!code.files.empty()) out += " Line by line: <a href=\"coverage.html\">coverage.html</a>.";
  out += "</p>";
  if (!code.note.empty()) out += "<p class=\"note\">" + name_html(short_name(code.note, 600)) + "</p>";
  return out + (code.files.empty() ? "" : file_table(code)) + "</section>";
}

}  // namespace detent::reports
