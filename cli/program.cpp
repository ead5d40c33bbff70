#include "cli/program.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "app/catalogue/catalogue.hpp"
#include "app/manual/examples.hpp"
#include "app/manual/usage.hpp"
#include "app/version.hpp"
#include "cli/command_line.hpp"
#include "cli/output.hpp"

namespace detent::cli {
namespace {

constexpr const char* kAbout =
    "Runs a compiled neural network with one small real-time runtime, natively and inside a SystemC model of the chip; "
    "shows how long it can take, whether a schedule can corrupt a reused buffer, and whether the output depends on the "
    "schedule.";

using AddCommand = void (*)(CLI::App& app, Action& action);
using Command = std::pair<std::string, AddCommand>;

/// In the order of --help.
const std::vector<Command>& commands() {
  static const std::vector<Command> kCommands = {{"check", add_check},
                                                 {"run", add_run},
                                                 {"simulate", add_simulate},
                                                 {"merge", add_merge},
                                                 {"campaign", add_campaign},
                                                 {"calibrate", add_calibrate},
                                                 {"verify", add_verify},
                                                 {"verify-bundle", add_verify_bundle},
                                                 {"explore", add_explore},
                                                 {"bound", add_bound},
                                                 {"synthesize", add_synthesize},
                                                 {"tasks", add_tasks},
                                                 {"npu", add_npu},
                                                 {"op", add_op},
                                                 {"partition", add_partition},
                                                 {"plan", add_plan},
                                                 {"import", add_import},
                                                 {"show", add_show},
                                                 {"graph", add_graph},
                                                 {"emit", add_emit},
                                                 {"replay", add_replay},
                                                 {"log", add_log},
                                                 {"report", add_report},
                                                 {"list", add_list},
                                                 {"help", add_help},
                                                 {"completion", add_completion}};
  return kCommands;
}

/// "UINT:1 to 64" -> what stands behind the option, and the range that its check names.
std::pair<std::string, std::string> value_of(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return {};
  static const std::map<std::string, std::string> kPlain = {
      {"UINT", "N"}, {"INT", "N"}, {"FLOAT", "X"}, {"TEXT", "NAME"}};
  std::string type = option.get_type_name();
  std::string range;
  if (const std::size_t colon = type.find(':'); colon != std::string::npos) {
    range = type.substr(colon + 1);
    type.resize(colon);
    range.resize(std::min(range.find(':'), range.size()));
  }
  const auto plain = kPlain.find(type);
  return {plain == kPlain.end() ? type : plain->second, range};
}

app::ManualOption option_of(const CLI::Option& option) {
  app::ManualOption made;
  made.positional = option.get_positional();
  for (const std::string& name : option.get_lnames()) made.names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) made.names.push_back("-" + name);
  if (made.positional) made.names = {option.get_name(true)};
  std::tie(made.value, made.range) = value_of(option);
  made.fallback = made.is_flag() ? "" : option.get_default_str();
  made.text = option.get_name() == "--help" ? "Print this text" : option.get_description();
  made.group = option.get_group() == "Options" ? "" : option.get_group();
  for (const CLI::Option* other : option.get_excludes()) made.excludes.push_back(other->get_name());
  for (const CLI::Option* other : option.get_needs()) made.needs.push_back(other->get_name());
  made.required = option.get_required();
  const bool is_list = option.get_items_expected_max() > 1;
  const bool is_fixed = is_list && option.get_items_expected_min() == option.get_items_expected_max();
  made.takes_many = is_list && !is_fixed && option.get_allow_extra_args();
  made.repeats = (is_list && !is_fixed) || option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
  return made;
}

void add_page(const CLI::App& command, const std::string& name, std::vector<app::ManualPage>& pages) {
  app::ManualPage page{.name = name, .summary = command.get_description(), .details = app::details_of(name)};
  for (const CLI::Option* option : command.get_options()) page.options.push_back(option_of(*option));
  std::ranges::stable_sort(page.options, {}, &app::ManualOption::group);  // each heading once
  page.examples = app::examples_of(name);
  const auto below = command.get_subcommands(nullptr);
  for (const CLI::App* one : below) page.commands.push_back(one->get_name());
  pages.push_back(std::move(page));
  for (const CLI::App* one : below) add_page(*one, (name.empty() ? "" : name + " ") + one->get_name(), pages);
}

}  // namespace

std::unique_ptr<CLI::App> make_parser(Action& action, const std::string& first_word) {
  auto app = std::make_unique<CLI::App>(kAbout, "detent");
  app->set_version_flag("--version", std::string("detent ") + app::kVersion, "Print the version");
  app->require_subcommand(1);
  const auto named = std::ranges::find(commands(), first_word, &Command::first);
  if (named != commands().end()) {
    named->second(*app, action);
  } else {
    for (const Command& command : commands()) command.second(*app, action);
  }
  check_numbers(*app);
  return app;
}

std::vector<app::ManualPage> pages_of(const CLI::App& parser) {
  std::vector<app::ManualPage> pages;
  add_page(parser, "", pages);
  return pages;
}

std::vector<app::ManualPage> manual_pages() {
  Action unused;
  return pages_of(*make_parser(unused, ""));
}

void parse(CLI::App& parser, const std::vector<std::string>& words) {
  parser.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // as CLI11 wants them
}

int run_line(const std::vector<std::string>& words, const std::string& place) {
  Action action;
  const auto parser = make_parser(action, words.front());
  try {
    parse(*parser, words);
  } catch (const CLI::ParseError& error) {
    throw std::invalid_argument(place + explain(error, words));
  }
  return action();
}

std::string help_for(const std::vector<std::string>& words) {
  const std::vector<app::ManualPage> pages = manual_pages();
  const app::ManualPage* const page = app::find_page(pages, app::command_of(pages, words));
  return app::help_text(*page, pages, std::min<std::size_t>(screen_width(), 80));
}

std::string explain(const CLI::ParseError& error, const std::vector<std::string>& words) {
  const std::string mistake = app::find_mistake(manual_pages(), words, app::names_of("models"));
  if (!mistake.empty()) return mistake;
  const std::string text = error.what();
  // "--runs: 0" and what it must be, of the checks in command_line.cpp.
  const std::size_t cut = text.find(kCheckMark);
  const std::size_t colon = text.find(": ");
  if (cut != std::string::npos && colon < cut) {
    const std::string name = text.substr(0, colon);
    const std::string value = text.substr(colon + 2, cut - colon - 2);
    return (name.starts_with('-') ? name + " " : "") + (value.empty() ? "''" : value) + ": " + text.substr(cut + 1);
  }
  // "Could not convert: --runs = 1x"
  const std::size_t equals = text.find(" = ");
  if (colon != std::string::npos && equals != std::string::npos && colon < equals) {
    return text.substr(colon + 2, equals - colon - 2) + " " + text.substr(equals + 3) +
           ": is not a number that this option can take; see detent help";
  }
  return "the command line cannot be read; see detent help";
}

}  // namespace detent::cli
