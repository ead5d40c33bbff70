// detent help, detent completion: what the program says about itself.
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "app/catalogue/catalogue.hpp"
#include "app/manual/usage.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/program.hpp"

namespace detent::cli {
namespace {

struct HelpOptions {
  std::vector<std::string> words;
  bool man = false;
};

int help_command(const HelpOptions& options) {
  const std::vector<app::ManualPage> pages = manual_pages();
  if (options.man) {
    std::cout << app::man_page(pages);
    return kHolds;
  }
  const std::string mistake = app::find_topic_mistake(pages, options.words);
  if (!mistake.empty()) throw std::invalid_argument(mistake);
  std::cout << help_for(options.words);
  return kHolds;
}

int completion_command(const std::string& shell) {
  const app::CompletionWords words{app::names_of("models"), app::names_of("platforms")};
  const std::vector<app::ManualPage> pages = manual_pages();
  std::cout << (shell == "bash" ? app::bash_completion(pages, words) : app::zsh_completion(pages, words));
  return kHolds;
}

}  // namespace

void add_help(CLI::App& app, Action& action) {
  auto options = std::make_shared<HelpOptions>();
  CLI::App* command = app.add_subcommand("help", "Tell the options and examples of a command");
  command->add_option("COMMAND", options->words, "check, or import tvm; without it: what the commands are");
  command->add_flag("--man", options->man, "Write detent.1, the manual page of all commands");
  command->callback([options, &action] { action = [options] { return help_command(*options); }; });
}

void add_completion(CLI::App& app, Action& action) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("completion", "Write the completion script of a shell");
  choose(command->add_option("SHELL", *shell, "bash or zsh")->required(), {"bash", "zsh"});
  command->callback([shell, &action] { action = [shell] { return completion_command(*shell); }; });
}

}  // namespace detent::cli
