// detent report: the screen of a finished check, from its directory.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include "app/check/check_summary.hpp"
#include "base/io.hpp"
#include "cli/command.hpp"
#include "cli/output.hpp"
#include "reports/text/text.hpp"

namespace detent::cli {
namespace {

struct ReportOptions {
  Common common;
  std::string directory;
};

Json read_report(const std::string& directory) {
  const std::string path = directory + "/report.json";
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    const bool is_file = std::filesystem::is_regular_file(directory, error);
    throw std::invalid_argument(directory + (is_file ? ": is a file" : ": holds no report.json") +
                                "; give the folder that detent check --out wrote");
  }
  const std::string text = read_regular_file(path, app::kMaxAnswerBytes);
  Json answer = app::parse_answer(path, text);
  const bool is_check = answer.is_object() && answer.contains("schema") && answer["schema"] == "detent.check/1";
  if (!is_check) throw std::invalid_argument(path + ": is not a detent.check/1 answer; run detent check again");
  return answer;
}

/// Every text in it on one line: a name with a line break must not look like a line of ours.
void make_printable(Json& value) {
  if (value.is_string()) value = reports::printable_line(value.get_ref<const std::string&>());
  if (!value.is_structured()) return;
  for (Json& inner : value) make_printable(inner);  // not deeper than parse_answer allows
}

int report_command(const ReportOptions& options) {
  const Json answer = read_report(options.directory);
  try {
    Json shown = answer;
    make_printable(shown);
    const std::string screen = app::format_summary(shown, options.directory);
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
  command->add_option("DIR", options->directory, "The --out directory of detent check")->required();
  command->callback([options, &action] { action = [options] { return report_command(*options); }; });
}

}  // namespace detent::cli
