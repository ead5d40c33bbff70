#include "app/import/import_entities.hpp"

#include <fmt/format.h>

#include <sstream>
#include <utility>

#include "app/manual/outputs.hpp"
#include "app/static/static_checks.hpp"
#include "base/counted.hpp"
#include "base/io.hpp"
#include "models/files/graph_file.hpp"
#include "models/import/tvm/entities/import.hpp"
#include "models/lower/lower.hpp"
#include "models/lower/value_tables.hpp"
#include "reports/text/text.hpp"

namespace detent::app {
namespace {

namespace entities = models::tvm::entities;

std::vector<std::string> flags_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

Json entities_json(const entities::EntityImport& import) {
  Json list = Json::array();
  for (const entities::EntityNote& note : import.entities) {
    Json entry = {{"op", note.op}, {"function", note.function}, {"line", note.line}};
    const bool is_unknown = import.model.ops[note.op].footprint == models::Footprint::kUnknown;
    entry["footprint"] = is_unknown ? "unknown" : note.is_superset ? "superset" : "exact";
    if (!note.why.empty()) entry["why"] = note.why;
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace

Answer import_entities(const ImportEntitiesOptions& options) {
  require_graph_place(options.graph);
  const entities::EntityImport import = entities::import_entities(
      options.request.model, {.includes = options.includes, .flags = flags_of(options.flags), .table = options.table});
  const std::string text = reports::escape_json(models::format_graph(import.model));
  const models::Model graph = models::parse_graph(text, options.graph);
  const models::LoweredModel lowered = models::lower(graph, {.weights = false});
  const ValueTables values = models::value_tables(graph);
  StaticAnswer result = check_static_laws(lowered.desc(), &values);
  add_unknown_footprints(result.verdicts, graph);
  write_file_atomically(options.graph, text);

  Json answer = json_header("import", options.request);
  answer["graph"] = options.graph;
  answer["table"] = import.table;
  answer["record"] = import.record;
  answer["ops"] = graph.ops.size();
  answer["edges"] = graph.edges.size();
  answer["regions"] = graph.regions.size();
  answer["unknown_ops"] = import.unknown_count();
  answer["entities"] = entities_json(import);
  answer["notes"] = import.notes;
  Lines lines = {fmt::format("{}: {} of table {}, {}, {} -> {}", options.request.model, counted(graph.ops.size(), "op"),
                             import.table, counted(graph.edges.size(), "edge"),
                             counted(graph.regions.size(), "variable"), options.graph)};
  for (const std::string& note : import.notes) lines.push_back("note: " + note);
  if (result.races) {
    answer["conflicting_pairs"] = count_json(result.races->conflicting_pairs);
    answer["racing_pairs"] = result.races->races.pairs;
    answer["races"] = races_json(lowered.desc(), result.races->races.listed);
  }
  answer["verdicts"] = verdicts_json(result.verdicts);
  append(lines, verdict_lines(result.verdicts));
  return {std::move(answer), std::move(lines), verify::Outcome::kHolds};
}

}  // namespace detent::app
