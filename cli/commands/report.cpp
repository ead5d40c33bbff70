// detent report: the screen of a finished check, from its directory; what changed between two of them.
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "app/check/saved_check.hpp"
#include "cli/command.hpp"
#include "cli/output.hpp"

namespace detent::cli {
namespace {

struct ReportOptions {
  Common common;
  std::string directory;
  std::vector<std::string> diff;
};

int report_command(ReportOptions& options) {
  const std::vector<std::string>& diff = options.diff;
  return show(options.common, diff.empty() ? app::saved_check(options.directory, screen_width())
                                           : app::compare_saved_checks(diff.at(0), diff.at(1)));
}

}  // namespace

void add_report(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("report", "Show the answer of a finished check again");
  auto& [common, directory, diff] = make_options(*command, action, report_command);
  add_common(*command, common, false);
  CLI::Option* place = command->add_option("DIR", directory, "The --out directory of detent check");
  command->add_option("--diff", diff, "Compare two of them instead, the earlier one first")
      ->expected(2)
      ->type_name("BEFORE AFTER")
      ->excludes(place);
}

}  // namespace detent::cli
