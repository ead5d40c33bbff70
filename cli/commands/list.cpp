// detent list: what the program has by name.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include <detent/backend.h>

#include "app/catalogue/catalogue.hpp"
#include "app/catalogue/platform_list.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/output.hpp"

namespace detent::cli {
namespace {

struct ListOptions {
  Common common;
  std::string what;
  bool markdown = false;
};

Json list_platforms(const Common& common) {
  const std::vector<sim::Platform> platforms = app::all_platforms();
  say(common, app::platform_table(platforms));
  Json list = Json::array();
  for (const sim::Platform& platform : platforms) list.push_back(app::platform_json(platform));
  return list;
}

Json list_rows(const ListOptions& options) {
  Json list = Json::array();
  for (const auto& [name, text] : app::catalogue_of(options.what)) {
    Json row = {{"name", name}};
    if (!text.empty()) row["description"] = text;
    list.push_back(std::move(row));
    say(options.common, text.empty() ? name : fmt::format("{:<30}{}", name, text));
  }
  return list;
}

int list_command(const ListOptions& options) {
  if (options.markdown) {
    if (options.what != "platforms" || !options.common.json.empty()) {
      throw std::invalid_argument("--markdown: only for `list platforms` without --json; drop one");
    }
    std::cout << app::platforms_markdown(app::all_platforms());
    return kHolds;
  }
  Json answer = app::json_header("list", options.common);
  answer.erase("model");
  answer[options.what] = options.what == "platforms" ? list_platforms(options.common) : list_rows(options);
  write_json(options.common, answer);
  return kHolds;
}

}  // namespace

void add_list(CLI::App& app, Action& action) {
  auto options = std::make_shared<ListOptions>();
  CLI::App* command = app.add_subcommand("list", "List models, platforms, policies or kernels");
  add_common(*command, options->common, false);
  choose(command->add_option("WHAT", options->what, "models, platforms, policies or kernels")->required(),
         {"models", "platforms", "policies", "kernels"});
  command->add_flag("--markdown", options->markdown, "Platforms as docs/PLATFORMS.md: every number with its source");
  command->callback([options, &action] { action = [options] { return list_command(*options); }; });
}

}  // namespace detent::cli
