#include "app/settings/schedule_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

#include <detent/limits.h>

#include "base/counted.hpp"
#include "base/ids.hpp"
#include "base/io.hpp"
#include "base/toml.hpp"
#include "base/wanted_file.hpp"
#include "base/words/near.hpp"

namespace detent::app {
namespace {

constexpr std::string_view kScheduleSchema = "detent.schedule/1";
constexpr std::string_view kCpuCore = "cpu";
constexpr std::uint64_t kMaxScheduleBytes = std::uint64_t{1} << 28U;
/// Barriers of wide layers make many edges: more than these are refused.
constexpr std::size_t kMaxBarrierEdges = std::size_t{1} << 22U;
constexpr std::size_t kShownOfCircle = 12;

const toml::array& array_of(const TomlReader& top, const toml::node& node, const char* wanted) {
  const toml::array* const array = node.as_array();
  if (array == nullptr) top.fail(&node, fmt::format("must be {}", wanted));
  return *array;
}

ListedOp read_op(const TomlReader& top, const toml::node& node) {
  const std::uint32_t line = node.source().begin.line;
  if (const auto* const name = node.as_string()) {
    if (const char* const fault = name_fault(name->get())) top.fail(&node, fault);
    return {.op = name->get(), .line = line};
  }
  const auto* const id = node.as_integer();
  if (id == nullptr || id->get() < 0 || id->get() >= DETENT_MAX_OPS) {
    top.fail(&node, "an op of a list must be its name or its id, such as \"conv1\" or 3");
  }
  return {.op = static_cast<std::uint32_t>(id->get()), .line = line};
}

OpLists read_lists(const TomlReader& top, const toml::node& node) {
  OpLists lists;
  const toml::array& workers = array_of(top, node, "a list of lists of ops, one per worker");
  if (workers.empty() || workers.size() > DETENT_MAX_WORKERS) {
    top.fail(&node, fmt::format("has {} of ops; there must be 1 to {}, one per worker", counted(workers.size(), "list"),
                                DETENT_MAX_WORKERS));
  }
  for (const toml::node& list : workers) {
    std::vector<ListedOp>& ops = lists.emplace_back();
    for (const toml::node& op : array_of(top, list, "the list of ops of one worker")) ops.push_back(read_op(top, op));
  }
  return lists;
}

ScheduleFile read_layers(const TomlReader& top, const toml::node& node) {
  ScheduleFile file{.has_barriers = true};
  for (const toml::node& layer : array_of(top, node, "a list of layers, each a list of lists of ops")) {
    file.layers.push_back(read_lists(top, layer));
    if (file.layers.back().size() != file.layers.front().size()) {
      top.fail(&layer, fmt::format("layer {} has {}, the first one {}; give every layer one list per worker",
                                   file.layers.size() - 1, counted(file.layers.back().size(), "list"),
                                   file.layers.front().size()));
    }
  }
  if (file.layers.empty()) top.fail(&node, "'layers' is empty; give at least one layer");
  return file;
}

/// Where a file has an op: "line 3", "lists[0].ops[2]".
std::string place_of(const ListedOp& listed) {
  return listed.line != 0 ? fmt::format("line {}", listed.line)
                          : fmt::format("lists[{}].ops[{}]", listed.list, listed.at);
}

/// Ops by what a file calls them.
class OpNames {
 public:
  OpNames(const std::string& file, const models::Model& model) : file_(file), model_(model) {
    for (std::size_t op = 0; op < model.ops.size(); ++op) {
      const auto [at, is_new] = ids_.emplace(model.ops[op].name, static_cast<std::uint32_t>(op));
      if (!is_new) shared_.insert(at->first);
    }
  }

  [[nodiscard]] std::uint32_t find(const ListedOp& listed) const {
    if (const auto* const id = std::get_if<std::uint32_t>(&listed.op)) {
      if (*id < model_.ops.size()) return *id;
      fail(listed, fmt::format("op {} does not exist; {} has {}", *id, model_.name, counted(model_.ops.size(), "op")));
    }
    const std::string& name = std::get<std::string>(listed.op);
    if (shared_.contains(name)) fail(listed, fmt::format("several ops are called '{}'; give the id", name));
    if (const auto at = ids_.find(name); at != ids_.end()) return at->second;
    std::vector<std::string> names;
    for (const models::Op& op : model_.ops) names.push_back(op.name);
    const std::string near = did_you_mean(name, names);
    fail(listed, fmt::format("'{}' is no op of {}{}", name, model_.name,
                             near.empty() ? "; detent graph MODEL -o FILE lists its ops" : near));
  }

  [[nodiscard]] std::string name(std::uint32_t op) const {
    const std::string& name = model_.ops[op].name;
    return name.empty() || shared_.contains(name) ? fmt::format("op {}", op) : "'" + name + "'";
  }

  [[noreturn]] void fail(const ListedOp& listed, const std::string& what) const {
    const std::string place = listed.line != 0 ? std::to_string(listed.line) : " " + place_of(listed);
    throw std::invalid_argument(fmt::format("{}:{}: {}", file_, place, what));
  }

 private:
  const std::string& file_;
  const models::Model& model_;
  std::map<std::string, std::uint32_t> ids_;
  std::set<std::string> shared_;
};

/// Ops of the file's layers by worker, with each op once.
std::vector<models::WorkerLists> resolve(const ScheduleFile& file, const OpNames& names, std::size_t op_count,
                                         const std::string& path) {
  std::vector<const ListedOp*> places(op_count, nullptr);
  std::size_t seen = 0;
  std::vector<models::WorkerLists> layers;
  for (const OpLists& layer : file.layers) {
    models::WorkerLists& out = layers.emplace_back();
    for (const std::vector<ListedOp>& list : layer) {
      std::vector<std::uint32_t>& ops = out.lists.emplace_back();
      for (const ListedOp& listed : list) {
        const std::uint32_t op = names.find(listed);
        if (places[op] != nullptr) {
          names.fail(listed, fmt::format("{} is listed twice, first in {}; list every op once", names.name(op),
                                         place_of(*places[op])));
        }
        places[op] = &listed;
        ++seen;
        ops.push_back(op);
      }
    }
  }
  if (seen == op_count) return layers;
  const auto missing = static_cast<std::uint32_t>(std::ranges::find(places, nullptr) - places.begin());
  throw std::invalid_argument(fmt::format("{}: {} of {} are listed, {} is not; list every op once", path, seen,
                                          counted(op_count, "op"), names.name(missing)));
}

/// Ids of all ops of a layer.
std::vector<std::uint32_t> ops_of(const models::WorkerLists& layer) {
  std::vector<std::uint32_t> ops;
  for (const std::vector<std::uint32_t>& list : layer.lists) ops.insert(ops.end(), list.begin(), list.end());
  return ops;
}

/// Edges from each layer with ops to the next one with ops, where the model has none. @return  how many
std::size_t add_barriers(const std::vector<models::WorkerLists>& layers, const std::string& path,
                         models::Model& model) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> known;
  for (const models::Edge& edge : model.edges) known.emplace(edge.from, edge.to);
  std::size_t added = 0;
  std::vector<std::uint32_t> before;
  for (const models::WorkerLists& layer : layers) {
    const std::vector<std::uint32_t> ops = ops_of(layer);
    if (ops.empty()) continue;
    for (const std::uint32_t from : before) {
      for (const std::uint32_t to : ops) {
        if (known.contains({from, to})) continue;
        if (++added > kMaxBarrierEdges) {
          throw std::invalid_argument(fmt::format(
              "{}: its barriers make more than {} edges; give narrower layers, or lists", path, kMaxBarrierEdges));
        }
        model.edges.push_back({.from = from, .to = to});
      }
    }
    before = ops;
  }
  return added;
}

/// Who waits for whom, by edges of the model and by places in lists.
struct Waits {
  std::vector<std::vector<std::uint32_t>> successors;
  std::vector<std::uint32_t> waiting_for;  ///< number of predecessors
};

Waits waits_of(const models::Model& model, const models::WorkerLists& schedule) {
  Waits waits{std::vector<std::vector<std::uint32_t>>(model.ops.size()),
              std::vector<std::uint32_t>(model.ops.size(), 0)};
  const auto add = [&](std::uint32_t from, std::uint32_t to) {
    waits.successors[from].push_back(to);
    ++waits.waiting_for[to];
  };
  for (const models::Edge& edge : model.edges) add(edge.from, edge.to);
  for (const std::vector<std::uint32_t>& list : schedule.lists) {
    for (std::size_t i = 1; i < list.size(); ++i) add(list[i - 1], list[i]);
  }
  return waits;
}

/// Ops that wait for each other in a circle, each for the one before it; empty: there are none.
std::vector<std::uint32_t> circle_of(Waits waits) {
  std::vector<std::uint32_t> ready;
  for (std::uint32_t op = 0; op < waits.waiting_for.size(); ++op) {
    if (waits.waiting_for[op] == 0) ready.push_back(op);
  }
  for (std::size_t at = 0; at < ready.size(); ++at) {
    for (const std::uint32_t next : waits.successors[ready[at]]) {
      if (--waits.waiting_for[next] == 0) ready.push_back(next);
    }
  }
  if (ready.size() == waits.waiting_for.size()) return {};
  // Every op that is left waits for one that is left: going back from any of them ends in a circle.
  std::vector<std::uint32_t> waited_for(waits.waiting_for.size(), DETENT_NONE);
  for (std::uint32_t op = 0; op < waits.waiting_for.size(); ++op) {
    if (waits.waiting_for[op] == 0) continue;
    for (const std::uint32_t next : waits.successors[op]) waited_for[next] = op;
  }
  std::vector<std::uint32_t> path;
  std::vector<bool> seen(waits.waiting_for.size(), false);
  auto op =
      static_cast<std::uint32_t>(std::ranges::find_if(waits.waiting_for, [](std::uint32_t left) { return left != 0; }) -
                                 waits.waiting_for.begin());
  for (; !seen[op]; op = waited_for[op]) {
    seen[op] = true;
    path.push_back(op);
  }
  std::vector<std::uint32_t> circle(std::ranges::find(path, op), path.end());
  std::ranges::reverse(circle);
  return circle;
}

void refuse_circle(const std::string& path, const models::Model& model, const models::WorkerLists& schedule,
                   const OpNames& names) {
  const std::vector<std::uint32_t> circle = circle_of(waits_of(model, schedule));
  if (circle.empty()) return;
  std::string text;
  for (std::size_t i = 0; i < std::min(circle.size(), kShownOfCircle); ++i) text += names.name(circle[i]) + " before ";
  text += circle.size() > kShownOfCircle ? "... before " : "";
  throw std::invalid_argument(
      fmt::format("{}: lists and edges contradict each other: {}{}; list ops after those that they wait for", path,
                  text, names.name(circle.front())));
}

void carry(models::WorkerLists schedule, models::Model& model) {
  const auto same = std::ranges::find_if(model.schedules, [&](const models::WorkerLists& carried) {
    return carried.lists.size() == schedule.lists.size();
  });
  if (same != model.schedules.end()) {
    *same = std::move(schedule);
  } else {
    model.schedules.push_back(std::move(schedule));
  }
}

ScheduleFile read_schedule(const std::string& path) {
  static const WantedFile kSchedule = {
      "a schedule of ops",
      {FileKind::kSchedule, FileKind::kLists, FileKind::kToml, FileKind::kJson, FileKind::kText},
      "give a detent.schedule/1 file with lists or layers, or a detent.lists/1 file"};
  const std::string text = read_wanted_file(path, kMaxScheduleBytes, kSchedule);
  const FileKind kind = kind_of_file(path, text);
  const bool is_json = kind == FileKind::kLists || kind == FileKind::kJson;
  return is_json ? parse_lists(text, path) : parse_schedule(text, path);
}

/// An op stands in the list of a core of its class.
void require_classes(const ScheduleFile& file, const std::string& path, const models::Model& model) {
  for (std::size_t worker = 0; worker < file.cores.size(); ++worker) {
    for (const ListedOp& listed : file.layers.front()[worker]) {
      const std::uint32_t op = std::get<std::uint32_t>(listed.op);
      const std::string& core = model.ops[op].core_class;
      if (core == file.cores[worker]) continue;
      throw std::invalid_argument(
          fmt::format("{}: {}: op {} is of class {} in {}, its list is of a core of class {}; move it, or change its "
                      "class with --set",
                      path, place_of(listed), op, core, model.name, file.cores[worker]));
    }
  }
}

}  // namespace

ScheduleFile parse_schedule(std::string_view text, const std::string& file) {
  const toml::table table = parse_toml(text, file);
  const TomlReader top(table, file, "");
  top.allow_only({"schema", "lists", "layers"});
  top.require_schema(kScheduleSchema);
  if (top.has("lists") == top.has("layers")) {
    top.fail(nullptr, "give either 'lists', one list of ops per worker, or 'layers' of such lists");
  }
  if (top.has("layers")) return read_layers(top, top.need("layers"));
  return {.layers = {read_lists(top, top.need("lists"))}};
}

std::uint32_t ScheduleFile::cpu_workers() const {
  return cores.empty() ? workers() : static_cast<std::uint32_t>(std::ranges::count(cores, kCpuCore));
}

AppliedSchedule apply_schedule_file(const std::string& path, models::Model& model) {
  const ScheduleFile file = read_schedule(path);
  if (!model.decisions.empty()) {
    throw std::invalid_argument(path + ": ops of " + model.name +
                                " have guards, and a schedule lists ops that always run; leave --schedule out");
  }
  const OpNames names(path, model);
  const std::vector<models::WorkerLists> layers = resolve(file, names, model.ops.size(), path);
  models::WorkerLists schedule{std::vector<std::vector<std::uint32_t>>(file.workers())};
  for (const models::WorkerLists& layer : layers) {
    for (std::size_t worker = 0; worker < layer.lists.size(); ++worker) {
      std::vector<std::uint32_t>& list = schedule.lists[worker];
      list.insert(list.end(), layer.lists[worker].begin(), layer.lists[worker].end());
    }
  }
  require_classes(file, path, model);
  const std::size_t edges = file.has_barriers ? add_barriers(layers, path, model) : 0;
  refuse_circle(path, model, schedule, names);
  // An edge that a barrier adds contradicts schedules for other numbers of workers, if anything does.
  for (const models::WorkerLists& carried : model.schedules) {
    if (carried.lists.size() != schedule.lists.size()) refuse_circle(path, model, carried, names);
  }
  carry(std::move(schedule), model);
  std::string summary = "static schedule of " + counted(file.workers(), "worker");
  if (file.has_barriers) {
    summary += fmt::format(", {} ({} for barriers)", counted(layers.size(), "layer"), counted(edges, "edge"));
  }
  return {file.workers(), file.cpu_workers(), summary + ", from " + path};
}

void follow_schedule_file(const std::string& path, const std::vector<GivenOption>& given, WorkersOf workers,
                          harness::EngineSpec& engine) {
  if (path.empty()) return;
  const auto is_given = [&](std::string_view name) {
    return std::ranges::any_of(given, [&](const GivenOption& o) { return o.name == name && !o.words.empty(); });
  };
  if (is_given("--mode") && engine.mode != DETENT_MODE_STATIC) {
    throw std::invalid_argument(fmt::format("--schedule {}: --mode {} does not follow it; leave --mode out", path,
                                            harness::mode_name(engine.mode)));
  }
  engine.mode = DETENT_MODE_STATIC;
  if (is_given("--workers")) return;
  const ScheduleFile file = read_schedule(path);
  engine.workers = workers == WorkersOf::kAllLists ? file.workers() : file.cpu_workers();
}

}  // namespace detent::app
