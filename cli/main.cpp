// The `detent` program: parses the command line, runs one command, turns bad input into exit code 2.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <iostream>
#include <iterator>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "app/version.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/output.hpp"
#include "cli/standard_output.hpp"
#include "reports/text/text.hpp"

namespace {

constexpr const char* kAbout =
    "Runs a compiled neural network with one small real-time runtime, natively and inside a SystemC model of the "
    "chip;\n"
    "shows how long it can take, that no schedule can corrupt a reused buffer, and that the output never depends on\n"
    "the schedule.\n\n"
    "MODEL is a zoo name (detent list models), a package made by import, or an op graph file (detent.graph/1, /2).";

constexpr const char* kFooter =
    "Examples:\n"
    "  detent check yolov8n --platform quad_npu --runs 200 --out build/demo\n"
    "  detent run resnet18 --workers 2 --policy critical-path\n"
    "  detent verify bad_reuse_war\n"
    "  detent explore bad_reuse_war\n"
    "  detent bound mynet.json --cores cpu=4,npu=1\n\n"
    "Exit codes: 0 holds or done, 1 a law is violated, 2 bad input, usage, or an answer that could not be\nwritten, 3 "
    "unknown (a limit was reached).";

struct Command {
  std::string_view name;
  void (*add)(CLI::App& app, detent::cli::Action& action);
};

/// In the order of --help.
constexpr Command kCommands[] = {{"check", detent::cli::add_check},
                                 {"run", detent::cli::add_run},
                                 {"simulate", detent::cli::add_simulate},
                                 {"merge", detent::cli::add_merge},
                                 {"calibrate", detent::cli::add_calibrate},
                                 {"verify", detent::cli::add_verify},
                                 {"explore", detent::cli::add_explore},
                                 {"bound", detent::cli::add_bound},
                                 {"npu", detent::cli::add_npu},
                                 {"plan", detent::cli::add_plan},
                                 {"import", detent::cli::add_import},
                                 {"graph", detent::cli::add_graph},
                                 {"emit", detent::cli::add_emit},
                                 {"replay", detent::cli::add_replay},
                                 {"report", detent::cli::add_report},
                                 {"list", detent::cli::add_list}};

[[noreturn]] void refuse_command(std::string_view word) {
  std::string names;
  for (const Command& command : kCommands) names += std::string(names.empty() ? "" : ", ") + std::string(command.name);
  throw std::invalid_argument(std::string(word) + ": no such command; choose " + names);
}

/// The command that the line begins with, or all of them where it begins otherwise: the options of all commands take
/// longer than a verdict on a small graph.
void add_commands(CLI::App& app, detent::cli::Action& action, std::string_view first_word) {
  const auto named = std::find_if(std::begin(kCommands), std::end(kCommands),
                                  [&](const Command& command) { return command.name == first_word; });
  if (named != std::end(kCommands)) return named->add(app, action);
  if (!first_word.empty() && first_word.front() != '-') refuse_command(first_word);
  for (const Command& command : kCommands) command.add(app, action);
}

int parse_and_run(int argc, char** argv) {
  CLI::App app(kAbout, "detent");
  app.footer(kFooter);
  app.set_version_flag("--version", std::string("detent ") + detent::app::kVersion);
  app.require_subcommand(1);
  detent::cli::Action action;
  add_commands(app, action, argc > 1 ? argv[1] : "");
  detent::cli::check_numbers(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream told;
    std::ostringstream refused;
    const int code = app.exit(error, told, refused);
    std::cout << detent::reports::printable_text(told.str());
    std::cerr << detent::reports::printable_text(refused.str());
    return code == 0 ? detent::cli::kHolds : detent::cli::kBadInput;
  }
  detent::cli::check_outputs(app);
  return action();
}

/// Exceptions as exit codes.
int guarded_run(int argc, char** argv) {
  try {
    return parse_and_run(argc, argv);
  } catch (const std::bad_alloc&) {
    detent::cli::print_error("out of memory: the model does not fit; try a smaller one or --timing-only");
    return detent::cli::kUnknown;
  } catch (const std::exception& error) {
    detent::cli::print_error(error.what());
    return detent::cli::kBadInput;
  }
}

}  // namespace

int main(int argc, char** argv) {
  detent::cli::StandardOutput output;
  return output.finish(guarded_run(argc, argv));
}
