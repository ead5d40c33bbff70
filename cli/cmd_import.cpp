// detent import: files of other tools -> a package.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/checker.hpp"
#include "cli/command.hpp"
#include "cli/output.hpp"
#include "models/graph_file.hpp"
#include "models/lower.hpp"
#include "models/package.hpp"

namespace detent::cli {
namespace {

struct ImportOptions {
  Common common;
  std::string package;
};

/// Number of listed entries per kind.
Json hazards_json(const verify::RaceReport& report) {
  Json counts = {{"raw", 0}, {"war", 0}, {"waw", 0}};
  for (const verify::Race& race : report.races.listed) {
    Json& count = counts[verify::hazard_name(race.kind)];
    count = count.get<int>() + 1;
  }
  return counts;
}

int import_graph(const ImportOptions& options) {
  const models::Model model = models::read_graph(options.common.model);
  const models::LoweredModel lowered = models::lower(model, {.weights = false});
  const StaticAnswer result = check_static_laws(lowered.desc());
  models::write_package(model, options.package);

  Json answer = json_header("import", options.common);
  answer["package"] = options.package;
  answer["ops"] = model.ops.size();
  answer["edges"] = model.edges.size();
  answer["tensors"] = model.tensors.size();
  if (result.races) {
    answer["conflicting_pairs"] = result.races->conflicting_pairs;
    answer["racing_pairs"] = result.races->races.pairs;
    answer["hazards"] = hazards_json(*result.races);
  }
  answer["verdicts"] = verdicts_json(result.verdicts);
  write_json(options.common, answer);
  say(options.common, fmt::format("{}: {} ops, {} edges, {} byte ranges -> {}", options.common.model, model.ops.size(),
                                  model.edges.size(), model.tensors.size(), options.package));
  if (result.races) {
    say(options.common, fmt::format("{} conflicting pairs, {} of them race", result.races->conflicting_pairs,
                                    result.races->races.pairs));
  }
  return kHolds;
}

}  // namespace

void add_import(CLI::App& app, Action& action) {
  auto options = std::make_shared<ImportOptions>();
  CLI::App* command = app.add_subcommand("import", "Make a package of another tool's file");
  command->require_subcommand(1);
  CLI::App* graph = command->add_subcommand("graph", "From an op graph file (detent.graph/1)");
  add_common(*graph, options->common, false);
  graph->add_option("FILE", options->common.model, "Op graph file")->required();
  graph->add_option("-o,--out", options->package, "Package to write")->required()->type_name("PKG");
  graph->callback([options, &action] { action = [options] { return import_graph(*options); }; });
}

}  // namespace detent::cli
