// detent list: what the program has by name.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include <detent/backend.h>

#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/platform_list.hpp"
#include "harness/run_native.hpp"
#include "models/zoo/zoo.hpp"

namespace detent::cli {
namespace {

using Rows = std::vector<std::pair<std::string, std::string>>;  ///< name, what it is

struct ListOptions {
  Common common;
  std::string what;
  bool markdown = false;
};

Rows list_models() {
  Rows rows;
  for (const models::ZooEntry& entry : models::zoo()) rows.emplace_back(entry.usage, entry.description);
  return rows;
}

Rows list_policies() {
  static const std::vector<std::string> kTexts = {"lowest op id first", "lowest priority of the op first, ties by id",
                                                  "longest path to the end first, ties by id",
                                                  "a seeded shuffle per run", "exactly the order of --order FILE"};
  Rows rows;
  const std::vector<std::string>& names = harness::policy_names();
  for (std::size_t i = 0; i < names.size(); ++i) rows.emplace_back(names[i], i < kTexts.size() ? kTexts[i] : "");
  return rows;
}

Rows list_kernels() {
  Rows rows;
  const detent_kernel_table* table = detent_builtin_kernels();
  for (std::uint32_t i = 0; i < table->count; ++i) rows.emplace_back(table->kernels[i].name, "");
  return rows;
}

Json list_platforms(const Common& common) {
  const std::vector<sim::Platform> platforms = all_platforms();
  for (const std::string& line : platform_table(platforms)) say(common, line);
  Json list = Json::array();
  for (const sim::Platform& platform : platforms) list.push_back(platform_json(platform));
  return list;
}

Json list_rows(const ListOptions& options) {
  const Rows rows = options.what == "models"     ? list_models()
                    : options.what == "policies" ? list_policies()
                                                 : list_kernels();
  Json list = Json::array();
  for (const auto& [name, text] : rows) {
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
    std::cout << platforms_markdown(all_platforms());
    return kHolds;
  }
  Json answer = json_header("list", options.common);
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
  command->add_option("WHAT", options->what, "models, platforms, policies or kernels")
      ->required()
      ->check(CLI::IsMember({"models", "platforms", "policies", "kernels"}));
  command->add_flag("--markdown", options->markdown, "Platforms as docs/PLATFORMS.md: every number with its source");
  command->callback([options, &action] { action = [options] { return list_command(*options); }; });
}

}  // namespace detent::cli
