// What every command shares: its options, its exit code, and how commands register themselves.
#pragma once

#include <functional>
#include <string>

#include "app/answer/verdicts.hpp"

namespace CLI {
class App;
}

namespace detent::cli {

/// Exit codes of the program.
enum ExitCode : int {
  kHolds = 0,     ///< done, every law holds
  kViolated = 1,  ///< a law is violated
  kBadInput = 2,  ///< bad input or usage; an answer that could not be written
  kUnknown = 3    ///< a limit was reached before an answer
};

/// Options that every command takes.
struct Common : app::Request {
  std::string json;            ///< file for the JSON answer, "-" for standard output, empty for none
  bool quiet = false;          ///< no human text
  std::string color = "auto";  ///< auto: on terminals where NO_COLOR is not set; always, never
};

/// Of the program for an answer with this outcome.
int exit_code(verify::Outcome outcome);

/// A command sets `*action` when it was chosen; main runs it after parsing.
using Action = std::function<int()>;

/// Add the options of Common to a command; `with_model` adds the positional MODEL.
void add_common(CLI::App& command, Common& common, bool with_model = true);
/// --input-seed, of commands that compute with seeded data.
void add_input_seed(CLI::App& command, Common& common);

void add_check(CLI::App& app, Action& action);
void add_run(CLI::App& app, Action& action);
void add_explore(CLI::App& app, Action& action);
void add_simulate(CLI::App& app, Action& action);
void add_merge(CLI::App& app, Action& action);
void add_campaign(CLI::App& app, Action& action);
void add_calibrate(CLI::App& app, Action& action);
void add_verify(CLI::App& app, Action& action);
void add_bound(CLI::App& app, Action& action);
void add_npu(CLI::App& app, Action& action);
void add_plan(CLI::App& app, Action& action);
void add_list(CLI::App& app, Action& action);
void add_log(CLI::App& app, Action& action);
void add_replay(CLI::App& app, Action& action);
void add_report(CLI::App& app, Action& action);
void add_import(CLI::App& app, Action& action);
void add_graph(CLI::App& app, Action& action);
void add_show(CLI::App& app, Action& action);
void add_emit(CLI::App& app, Action& action);
void add_help(CLI::App& app, Action& action);
void add_completion(CLI::App& app, Action& action);

}  // namespace detent::cli
