// Faults -> edges or places -> a Model -> its text, read back and proved -> a file.
#include "app/static/repair.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "base/counted.hpp"
#include "base/io.hpp"
#include "base/units.hpp"
#include "models/core/model.hpp"
#include "models/files/graph_file.hpp"
#include "models/files/package.hpp"
#include "models/lower/lower.hpp"
#include "models/lower/value_tables.hpp"
#include "models/zoo/zoo.hpp"
#include "reports/text/report_text.hpp"
#include "reports/text/text.hpp"
#include "verify/repair/edge_repair.hpp"
#include "verify/repair/place_repair.hpp"

namespace detent::app {
namespace {

/// As a shell takes it for one word.
std::string shell_word(const std::string& text) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-./:,+=%@").find(c) != std::string_view::npos;
  };
  if (!text.empty() && std::ranges::all_of(text, is_plain)) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? "'\\''" : std::string(1, c);
  return word + "'";
}

std::string command_of(const Request& request, const ModelOptions& options, const char* kind) {
  const std::string split = options.split > 1 ? fmt::format(" --split {}", options.split) : "";
  return fmt::format("detent verify {}{} --fix {} -o FILE", shell_word(request.model), split, kind);
}

std::string path_text(const verify::CriticalPath& path) {
  return path.is_time ? format_time(path.length) : counted(path.length, "op");
}

std::string cost_text(const verify::EdgeRepair& repair) {
  if (repair.before.length == repair.after.length) {
    return fmt::format("the critical path stays {}", path_text(repair.after));
  }
  return fmt::format("the critical path goes from {} to {}", path_text(repair.before), path_text(repair.after));
}

std::string edges_text(const verify::EdgeRepair& repair) {
  constexpr std::size_t kShown = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, repair.edges.size()); ++i) {
    text += fmt::format("{}{} -> {}", i == 0 ? "" : ", ", repair.edges[i].from, repair.edges[i].to);
  }
  return repair.edges.size() > kShown ? text + ", ..." : text;
}

std::string edges_line(const verify::EdgeRepair& repair) {
  if (repair.edges.empty()) return "no edge is missing";
  return fmt::format("{} {} all that conflicts as the program does ({}): {}; {}", counted(repair.edges.size(), "edge"),
                     repair.edges.size() == 1 ? "orders" : "order",
                     repair.is_least ? "no fewer along its order do" : "not proved to be the least", edges_text(repair),
                     cost_text(repair));
}

std::string places_line(const verify::PlaceRepair& repair) {
  constexpr std::size_t kShown = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, repair.changes.size()); ++i) {
    const verify::PlaceChange& change = repair.changes[i];
    text += fmt::format("{}{} at byte {} instead of {}", i == 0 ? "" : ", ", change.value, change.to_bytes,
                        change.from_bytes);
  }
  if (repair.changes.size() > kShown) text += fmt::format(" and {} more", repair.changes.size() - kShown);
  if (repair.changes.empty()) return "no value has another place at which it harms less";
  return text + (repair.cost_bytes == 0 ? "; no region grows"
                                        : fmt::format("; regions grow by {}", counted(repair.cost_bytes, "byte")));
}

Json path_json(const verify::EdgeRepair& repair) {
  return {
      {"unit", repair.after.is_time ? "ps" : "ops"}, {"before", repair.before.length}, {"after", repair.after.length}};
}

Json edges_json(const verify::EdgeRepair& repair) {
  Json edges = Json::array();
  for (const verify::OpEdge& edge : repair.edges) edges.push_back({edge.from, edge.to});
  return {{"kind", "edges"},
          {"pairs", repair.pair_count},
          {"edges", std::move(edges)},
          {"least", repair.is_least},
          {"critical_path", path_json(repair)},
          {"mends", repair.mends},
          {"left_violations", repair.left_violations},
          {"beyond_edges", repair.is_beyond_edges}};
}

Json places_json(const detent_desc& desc, const verify::PlaceRepair& repair) {
  Json changes = Json::array();
  for (const verify::PlaceChange& change : repair.changes) {
    changes.push_back({{"value", change.value},
                       {"region", desc.regions[change.region].name},
                       {"from", change.from_bytes},
                       {"to", change.to_bytes},
                       {"size", change.size_bytes}});
  }
  return {{"kind", "places"},      {"changes", std::move(changes)},   {"cost_bytes", repair.cost_bytes},
          {"mends", repair.mends}, {"left_races", repair.left_races}, {"left_violations", repair.left_violations}};
}

/// Why edges do not mend a model. No edge lets a read find its value that misses it on every schedule.
std::string beyond_edges(const verify::EdgeRepair& repair) {
  const std::string left = counted(repair.left_violations, "violation") + " of values " +
                           (repair.left_violations == 1 ? "is" : "are") + " left, ";
  return left + (repair.is_beyond_edges ? "and no edge mends a read that is wrong on every schedule"
                                        : "and no edges were found that mend them");
}

/// Sources of kernels, which address the memory that their artifact planned.
std::string replan_hint(const LoadedModel& loaded) {
  return loaded.model.sources.empty() ? "" : "detent import tvm DIR --replan parallel -o FILE";
}

bool is_op_graph(const models::Model& model) {
  const bool has_ranges = std::ranges::all_of(model.tensors, [](const models::Tensor& tensor) {
    return tensor.role == models::TensorRole::kRange && tensor.block_count == 1;
  });
  const bool has_workspaces = std::ranges::all_of(
      model.regions, [](const models::Region& region) { return region.kind == DETENT_REGION_WORKSPACE; });
  const bool is_bare = std::ranges::all_of(
      model.ops, [](const models::Op& op) { return op.kernel == "mix" && op.weights.empty() && op.scratch.empty(); });
  return has_ranges && has_workspaces && is_bare && model.sources.empty();
}

bool is_package_file(const std::string& name) {
  if (models::find_zoo_entry(name) != nullptr) return false;
  std::ifstream file(name, std::ios::binary);
  std::string head(models::kPackageMagic.size(), '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  return file && models::is_package(head);
}

/// A mended model as the bytes of a file, and what those say when they are read again.
struct WrittenModel {
  std::string bytes;
  models::Model again;
};

WrittenModel write_and_read(models::Model model, bool as_package, const std::string& file) {
  if (is_op_graph(model)) {  // ranges are named after their places
    std::string text = reports::escape_json(models::format_graph(model));
    model = models::parse_graph(text, file);
    if (!as_package) return {std::move(text), std::move(model)};
  }
  std::string bytes = models::encode_package(model);
  models::Model again = models::decode_package(bytes, file);
  return {std::move(bytes), std::move(again)};
}

StaticAnswer prove(models::Model model) {
  models::prepare_model(model, {});
  const models::LoweredModel lowered = models::lower(model, {.weights = false});
  const ValueTables values = models::value_tables(model);
  return check_static_laws(lowered.desc(), &values);
}

/// Everything that a repair changes.
struct Draft {
  models::Model model;
  Json json{};
  std::string line{};
  bool mends = false;
};

Draft draft_edges(const LoadedModel& loaded) {
  const verify::EdgeRepair repair = verify::find_edge_repair(loaded.desc(), &loaded.values);
  Draft draft{loaded.model, edges_json(repair), edges_line(repair), repair.mends};
  for (const verify::OpEdge& edge : repair.edges) draft.model.edges.push_back({edge.from, edge.to});
  if (!repair.mends) {
    draft.line += "; " + beyond_edges(repair) + ": --fix places";
  }
  return draft;
}

Draft draft_places(const LoadedModel& loaded) {
  const verify::PlaceRepair repair = verify::find_place_repair(loaded.desc(), &loaded.values);
  Draft draft{loaded.model, places_json(loaded.desc(), repair), places_line(repair), repair.mends};
  for (const verify::PlaceChange& change : repair.changes) {
    for (const verify::Move& move : change.moves) {
      models::Tensor& tensor = draft.model.tensors[move.tensor];
      tensor.offset_bytes += static_cast<std::uint64_t>(move.by_bytes);
      std::uint64_t& size = draft.model.regions[tensor.region].size_bytes;
      size = std::max(size, tensor.offset_bytes + tensor.size_bytes);
    }
  }
  if (!repair.mends) {
    draft.line += fmt::format("; {} and {} of values are left, of order or of bytes that no value names: --fix edges",
                              counted(repair.left_races, "racing pair"), counted(repair.left_violations, "violation"));
    const std::string hint = replan_hint(loaded);
    if (!hint.empty()) draft.line += ", or plan the memory anew: " + hint;
  }
  return draft;
}

bool has_faults(const StaticAnswer& known) {
  const bool has_races = known.races && (known.races->races.count != 0 || known.races->order_dependent.count != 0);
  return has_races || (known.flow && known.flow->count != 0);
}

/// "3 racing pairs of ops; the first: ..."
std::string faults_line(const detent_desc& desc, const StaticAnswer& known) {
  const verify::RaceReport& races = *known.races;
  if (races.races.count != 0) {
    return fmt::format("{}; the first: {}", counted(races.races.pairs, "racing pair"),
                       reports::race_in_words(verify::describe_race(desc, races.races.listed.front())));
  }
  if (known.flow && known.flow->count != 0) {
    return fmt::format("{} of values; the first: {}", counted(known.flow->count, "violation"),
                       verify::describe_violation(desc, known.flow->listed.front()));
  }
  return fmt::format("{} of ops whose order changes the result", counted(races.order_dependent.pairs, "pair"));
}

bool is_quickly_mended(const detent_desc& desc, const StaticAnswer& known) {
  constexpr std::uint32_t kMostOps = 5000;
  constexpr std::uint64_t kMostPairs = 50'000;
  const std::uint64_t pairs = known.races->races.pairs + known.races->order_dependent.pairs;
  return desc.op_count <= kMostOps && pairs <= kMostPairs;
}

/// Of a memory plan that is so wrong that the runtime refuses it.
Remedy find_remedy_of_plan(const LoadedModel& loaded, const StaticAnswer& known, const Request& request,
                           const ModelOptions& options) {
  Remedy remedy;
  constexpr std::uint32_t kMostOps = 5000;
  if (known.verdicts.front().outcome != verify::Outcome::kHolds || loaded.desc().op_count > kMostOps) return remedy;
  try {
    const verify::PlaceRepair places = verify::find_place_repair(loaded.desc(), &loaded.values);
    if (!places.mends || places.changes.empty()) return remedy;
    const std::string command = command_of(request, options, "places");
    remedy.json = places_json(loaded.desc(), places);
    remedy.json["command"] = command;
    remedy.lines = {"remedy: " + places_line(places), "    " + command};
  } catch (const std::invalid_argument&) {
    return {};  // the tables do not say which bytes are meant; memory_plan says where
  }
  return remedy;
}

/// Each round of the search for places asks anew for each value that may move.
bool is_quickly_moved(const detent_desc& desc, const StaticAnswer& known) {
  constexpr std::uint32_t kMostOps = 1000;
  constexpr std::uint64_t kMostFaults = 100;
  const std::uint64_t pairs = known.races->races.pairs + known.races->order_dependent.pairs;
  return desc.op_count <= kMostOps && pairs + (known.flow ? known.flow->count : 0) <= kMostFaults;
}

}  // namespace

RepairKind repair_kind(const std::string& word) {
  if (word == "edges") return RepairKind::kEdges;
  if (word == "places") return RepairKind::kPlaces;
  throw std::invalid_argument("--fix: \"" + word + "\" is neither edges nor places; give one of them");
}

Remedy find_remedy(const LoadedModel& loaded, const StaticAnswer& known, const Request& request,
                   const ModelOptions& options) {
  if (!known.races) return find_remedy_of_plan(loaded, known, request, options);
  Remedy remedy;
  if (!has_faults(known)) return remedy;
  remedy.lines.push_back("remedy: " + faults_line(loaded.desc(), known));
  const char* kind = "edges";
  if (is_quickly_mended(loaded.desc(), known)) {
    const verify::EdgeRepair edges = verify::find_edge_repair(loaded.desc(), &loaded.values);
    remedy.json = edges_json(edges);
    if (edges.mends) {
      remedy.lines.push_back("    " + edges_line(edges));
    } else if (!is_quickly_moved(loaded.desc(), known)) {
      remedy.lines.push_back("    with edges, " + beyond_edges(edges));
      kind = "places";
    } else {
      const verify::PlaceRepair places = verify::find_place_repair(loaded.desc(), &loaded.values);
      remedy.lines.push_back("    with edges, " + beyond_edges(edges));
      remedy.lines.push_back("    " + places_line(places));
      if (places.mends) kind = "places";
      if (places.mends) remedy.json = places_json(loaded.desc(), places);
      if (!places.mends) kind = nullptr;
    }
  }
  std::string command = kind == nullptr ? "" : command_of(request, options, kind);
  if (kind == nullptr) command = replan_hint(loaded);
  if (!command.empty()) remedy.lines.push_back("    " + command);
  if (command.empty())
    remedy.lines.push_back("    no edges and no places were found that mend all of it; plan the memory anew");
  remedy.json["command"] = command.empty() ? Json(nullptr) : Json(command);
  return remedy;
}

RepairAnswer repair_model(const LoadedModel& loaded, const RepairOptions& options, const Request& request) {
  Draft draft = options.kind == RepairKind::kEdges ? draft_edges(loaded) : draft_places(loaded);
  RepairAnswer answer{std::move(draft.json), {"fix: " + draft.line}, false};
  answer.json["file"] = nullptr;
  if (draft.mends) {
    const WrittenModel written = write_and_read(std::move(draft.model), is_package_file(request.model), options.file);
    const StaticAnswer proved = prove(written.again);
    for (const verify::Verdict& verdict : proved.verdicts) {
      if (verdict.outcome != verify::Outcome::kViolated) continue;
      draft.mends = false;
      answer.lines.push_back(fmt::format("    {} {}: {}", verify::property_name(verdict.property),
                                         verify::outcome_name(verdict.outcome), verdict.summary));
    }
    if (draft.mends) write_file_atomically(options.file, written.bytes);
  }
  answer.is_written = draft.mends;
  answer.json["mends"] = draft.mends;
  if (draft.mends) answer.json["file"] = options.file;
  answer.lines.push_back(draft.mends ? fmt::format("    {}: written; all static laws were proved of it", options.file)
                                     : fmt::format("    {}: not written", options.file));
  return answer;
}

}  // namespace detent::app
