#include "app/import/import_graph.hpp"

#include <fmt/format.h>

#include "app/catalogue/catalogue.hpp"
#include "app/manual/outputs.hpp"
#include "app/model/loaded_model.hpp"
#include "app/static/static_checks.hpp"
#include "base/counted.hpp"
#include "base/units.hpp"
#include "models/files/graph_file.hpp"
#include "models/files/package.hpp"
#include "models/lower/lower.hpp"
#include "models/lower/value_tables.hpp"

namespace detent::app {
namespace {

/// Number of listed entries per kind.
Json hazards_json(const verify::RaceReport& report) {
  Json counts = {{"raw", 0}, {"war", 0}, {"waw", 0}};
  for (const verify::Race& race : report.races.listed) {
    Json& count = counts[verify::hazard_name(race.kind)];
    count = count.get<int>() + 1;
  }
  return counts;
}

}  // namespace

Answer import_graph(const ImportGraphOptions& options) {
  refuse_other_name(options.request.model, "an op graph");
  require_package_place(options.package);
  models::Model model = models::read_graph(options.request.model);
  std::string settings = prepare_chosen({.set = options.set}, {}, model).settings;  // places buffers that have none
  apply_model_files({.set = options.set, .schedule = options.schedule}, model, settings);
  const models::LoweredModel lowered = models::lower(model, {.weights = false});
  const ValueTables values = models::value_tables(model);
  const StaticAnswer result = check_static_laws(lowered.desc(), &values);
  models::write_package(model, options.package);

  Json answer = json_header("import", options.request);
  answer["package"] = options.package;
  answer["ops"] = model.ops.size();
  answer["edges"] = model.edges.size();
  answer["tensors"] = model.tensors.size();
  if (!settings.empty()) answer["settings"] = settings;
  if (result.races) {
    answer["conflicting_pairs"] = count_json(result.races->conflicting_pairs);
    answer["racing_pairs"] = result.races->races.pairs;
    answer["hazards"] = hazards_json(*result.races);
  }
  answer["verdicts"] = verdicts_json(result.verdicts);
  Lines lines;
  lines.push_back(fmt::format("{}: {}, {}, {} -> {}", options.request.model, counted(model.ops.size(), "op"),
                              counted(model.edges.size(), "edge"), counted(model.tensors.size(), "byte range"),
                              options.package));
  if (!settings.empty()) lines.push_back(settings);
  if (model.demands.deadline_ps) {
    lines.push_back("deadline " + format_time(*model.demands.deadline_ps) + ", kept in the package");
  }
  if (model.demands.period_ps) {
    lines.push_back("period " + format_time(*model.demands.period_ps) + ", kept in the package");
  }
  if (result.races) {
    const std::optional<std::uint64_t>& conflicting = result.races->conflicting_pairs;
    lines.push_back(fmt::format(
        "{}, {} of them {}", conflicting ? counted(*conflicting, "conflicting pair") : describe_counts(*result.races),
        result.races->races.pairs, result.races->races.pairs == 1 ? "races" : "race"));
  }
  return {std::move(answer), std::move(lines), verify::Outcome::kHolds};
}

}  // namespace detent::app
