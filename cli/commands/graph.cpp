// detent graph: MODEL as an op graph file.
#include "app/model/graph.hpp"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "app/model/loaded_model.hpp"
#include "base/io.hpp"
#include "cli/command.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"

namespace detent::cli {
namespace {

struct GraphOptions {
  Common common;
  app::ModelOptions model;
  std::string out;
};

int graph_command(GraphOptions options) {
  const app::GraphFile graph = app::graph_of(options.common.model, options.model);
  if (!options.out.empty()) write_file_atomically(options.out, graph.text);
  Json answer = app::json_header("graph", options.common);
  answer["ops"] = graph.ops;
  answer["edges"] = graph.edges;
  answer["ranges"] = graph.ranges;
  if (!options.out.empty()) answer["file"] = options.out;
  write_json(options.common, answer);
  if (options.out.empty() && options.common.json != "-" && !options.common.quiet) std::cout << graph.text;
  return kHolds;
}

}  // namespace

void add_graph(CLI::App& app, Action& action) {
  auto options = std::make_shared<GraphOptions>();
  CLI::App* command =
      app.add_subcommand("graph", "Write MODEL as an op graph file, with the values that its reads want");
  add_common(*command, options->common);
  add_model_options(*command, options->model);
  add_set_option(*command, options->model.set);
  command->add_option("-o,--out", options->out, "File; default: standard output")->type_name("FILE");
  command->callback([options, &action] { action = [options] { return graph_command(*options); }; });
}

}  // namespace detent::cli
