// detent report: the screen of a finished check, from its directory; what changed between two of them.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <vector>

#include "app/check/check_summary.hpp"
#include "app/check/report_diff.hpp"
#include "cli/command.hpp"
#include "cli/output.hpp"
#include "reports/text/text.hpp"

namespace detent::cli {
namespace {

struct ReportOptions {
  Common common;
  std::string directory;
  std::vector<std::string> diff;
};

/// Every text in it on one line: a name with a line break must not look like a line of ours.
void make_printable(Json& value) {
  if (value.is_string()) value = reports::printable_line(value.get_ref<const std::string&>());
  if (!value.is_structured()) return;
  for (Json& inner : value) make_printable(inner);  // not deeper than parse_answer allows
}

int diff_command(const ReportOptions& options) {
  const app::CheckedReport before = app::read_checked_report(options.diff.at(0));
  const app::CheckedReport after = app::read_checked_report(options.diff.at(1));
  try {
    return show(options.common, app::compare_reports(before, after));
  } catch (const Json::exception& error) {
    throw std::invalid_argument(std::string("--diff: ") + error.what() + "; run detent check again");
  }
}

int report_command(const ReportOptions& options) {
  if (!options.diff.empty()) return diff_command(options);
  if (options.directory.empty()) {
    throw std::invalid_argument("report: neither a directory nor --diff; give the --out directory of detent check");
  }
  const Json answer = app::read_checked_report(options.directory).answer;
  try {
    Json shown = answer;
    make_printable(shown);
    const std::string screen = app::format_summary(shown, options.directory, screen_width());
    write_json(options.common, answer);
    if (answer.value("partial", false)) say(options.common, std::string("PARTIAL: the check was interrupted"));
    say(options.common, screen);
    return exit_code(app::summary_outcome(answer));
  } catch (const Json::exception& error) {
    throw std::invalid_argument(options.directory + "/report.json: " + error.what() + "; run detent check again");
  }
}

}  // namespace

void add_report(CLI::App& app, Action& action) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* command = app.add_subcommand("report", "Show the answer of a finished check again");
  add_common(*command, options->common, false);
  CLI::Option* directory = command->add_option("DIR", options->directory, "The --out directory of detent check");
  command->add_option("--diff", options->diff, "Compare two of them instead, the earlier one first")
      ->expected(2)
      ->type_name("BEFORE AFTER")
      ->excludes(directory);
  command->callback([options, &action] { action = [options] { return report_command(*options); }; });
}

}  // namespace detent::cli
