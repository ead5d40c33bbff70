// What every command shares: its options, its exit code, and how commands register themselves.
#pragma once

#include <functional>
#include <memory>
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

/// What a command asks one function of app/: the options of every command, and its own.
template <typename Request>
struct Question {
  Common common{};
  Request wanted{};
};

/// The action of main once the parser has met this command.
void set_action(CLI::App& command, Action& action, Action act);

/// Options of a command, which live as long as its parser and its action; the action calls `act` with them.
template <typename Options>
Options& make_options(CLI::App& command, Action& action, int (*act)(Options&)) {
  const auto options = std::make_shared<Options>();
  set_action(command, action, [options, act] { return act(*options); });
  return *options;
}

/// --json, of commands that have not all of Common.
void add_json_option(CLI::App& command, std::string& file);
/// Add the options of Common to a command; `with_model` adds the positional MODEL.
void add_common(CLI::App& command, Common& common, bool with_model = true);
/// --input-seed, of commands that compute with seeded data.
void add_input_seed(CLI::App& command, Common& common);

void add_check(CLI::App& app, Action& action);
void add_verify_bundle(CLI::App& app, Action& action);
void add_run(CLI::App& app, Action& action);
void add_explore(CLI::App& app, Action& action);
void add_simulate(CLI::App& app, Action& action);
void add_merge(CLI::App& app, Action& action);
void add_campaign(CLI::App& app, Action& action);
void add_calibrate(CLI::App& app, Action& action);
void add_verify(CLI::App& app, Action& action);
void add_bound(CLI::App& app, Action& action);
void add_synthesize(CLI::App& app, Action& action);
void add_tasks(CLI::App& app, Action& action);
void add_npu(CLI::App& app, Action& action);
void add_op(CLI::App& app, Action& action);
void add_partition(CLI::App& app, Action& action);
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
