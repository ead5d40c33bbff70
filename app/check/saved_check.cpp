#include "app/check/saved_check.hpp"

#include <stdexcept>

#include "app/check/check_summary.hpp"
#include "app/check/report_diff.hpp"
#include "reports/text/text.hpp"

namespace detent::app {
namespace {

/// Every text in it on one line: a name with a line break must not look like a line of ours.
void make_printable(Json& value) {
  if (value.is_string()) value = reports::printable_line(value.get_ref<const std::string&>());
  if (!value.is_structured()) return;
  for (Json& inner : value) make_printable(inner);  // not deeper than parse_answer allows
}

[[noreturn]] void refuse_answer(const std::string& place, const Json::exception& error) {
  throw std::invalid_argument(place + ": " + error.what() + "; run detent check again");
}

}  // namespace

Answer saved_check(const std::string& directory, std::size_t width) {
  if (directory.empty()) {
    throw std::invalid_argument("report: neither a directory nor --diff; give the --out directory of detent check");
  }
  Answer saved{.json = read_checked_report(directory).answer};
  try {
    Json shown = saved.json;
    make_printable(shown);
    const std::string screen = format_summary(shown, directory, width);
    if (saved.json.value("partial", false)) saved.lines.emplace_back("PARTIAL: the check was interrupted");
    saved.lines.push_back(screen);
    saved.outcome = summary_outcome(saved.json);
  } catch (const Json::exception& error) {
    refuse_answer(directory + "/report.json", error);
  }
  return saved;
}

Answer compare_saved_checks(const std::string& before, const std::string& after) {
  const CheckedReport first = read_checked_report(before), second = read_checked_report(after);
  try {
    return compare_reports(first, second);
  } catch (const Json::exception& error) {
    refuse_answer("--diff", error);
  }
}

}  // namespace detent::app
