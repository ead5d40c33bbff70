// detent graph: MODEL as an op graph file.
#include "app/model/graph.hpp"

#include <CLI/CLI.hpp>
#include <iostream>

#include "app/model/loaded_model.hpp"
#include "base/io.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"

namespace detent::cli {
namespace {

struct GraphOptions {
  Common common;
  app::ModelOptions model;
  std::string out;
};

int graph_command(GraphOptions& options) {
  const app::GraphFile graph = app::graph_of(options.common.model, options.model);
  if (!options.out.empty()) write_file_atomically(options.out, graph.text);
  Json answer = app::json_header("graph", options.common);
  answer["ops"] = graph.ops;
  answer["edges"] = graph.edges;
  answer["ranges"] = graph.ranges;
  if (!options.out.empty()) answer["file"] = options.out;
  if (!graph.settings.empty()) answer["settings"] = graph.settings;
  write_json(options.common, answer);
  if (!graph.settings.empty() && !options.common.quiet) print_note(graph.settings);
  if (options.out.empty() && options.common.json != "-" && !options.common.quiet) std::cout << graph.text;
  return kHolds;
}

}  // namespace

void add_graph(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("graph", "Write MODEL as an op graph file, with the values that its reads want");
  auto& [common, model, out] = make_options(*command, action, graph_command);
  add_scheduled_model(*command, common, model);
  add_file(*command, "-o,--out", out, "File; default: standard output");
}

}  // namespace detent::cli
