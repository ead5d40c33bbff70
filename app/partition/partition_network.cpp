#include "app/partition/partition_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

#include "app/partition/placed_network.hpp"
#include "app/partition/placement_search.hpp"
#include "app/simulate/simulation.hpp"
#include "app/simulate/time_grounds.hpp"
#include "base/counted.hpp"
#include "base/io.hpp"
#include "base/units.hpp"
#include "models/core/model_tables.hpp"
#include "reports/json/op_times_json.hpp"
#include "verify/timing/timing_problem.hpp"

namespace detent::app {
namespace {

constexpr std::size_t kShownOps = 12;

/// A way to choose devices, and what it comes to.
struct Way {
  std::string name{};
  FoundPlacement found{};  ///< of nnapi the placement alone
  std::uint64_t makespan_ps = 0;
  std::uint64_t bound_ps = 0;  ///< kUnknownPs: none is known
  std::vector<PlacementStep> steps{};
};

std::uint64_t trials_of(const PartitionRequest& wanted, std::size_t ops) {
  constexpr std::uint64_t kOpsInAll = 2'000'000, kLeast = 100, kMost = 5'000;
  if (wanted.max_trials != 0) return wanted.max_trials;
  return std::clamp<std::uint64_t>(kOpsInAll / std::max<std::size_t>(ops, 1), kLeast, kMost);
}

Json time_json(std::uint64_t time_ps) { return time_ps == verify::kUnknownPs ? Json() : Json(time_ps); }
std::string time_text(std::uint64_t time_ps) {
  return time_ps == verify::kUnknownPs ? "unknown" : format_time_up(time_ps);
}

double ratio(std::uint64_t of, std::uint64_t to) {
  return to == 0 ? 1 : static_cast<double>(of) / static_cast<double>(to);
}

/// Each op where it alone is fastest.
Placement fastest_placement(const std::vector<OpChoices>& choices,
                            const std::vector<std::vector<std::uint64_t>>& worst_ps) {
  Placement placement;
  for (std::size_t op = 0; op < choices.size(); ++op) {
    placement.push_back(
        *std::ranges::min_element(choices[op].devices, {}, [&](std::uint32_t device) { return worst_ps[device][op]; }));
  }
  return placement;
}

/// Each op on the first device that may have it.
Placement first_placement(const std::vector<OpChoices>& choices) {
  Placement placement;
  for (const OpChoices& choice : choices) placement.push_back(choice.devices.front());
  return placement;
}

class NetworkAnswer {
 public:
  NetworkAnswer(PlacedNetwork& network, const sim::Platform& platform, const PartitionRequest& wanted)
      : network_(network), platform_(platform), wanted_(wanted) {}

  Answer make(const OnProgress& on_progress) {
    for (std::uint32_t device = 0; device < network_.devices().size(); ++device) {
      worst_ps_.push_back(network_.worst_ps(device));
    }
    add_ways(on_progress);
    if (!wanted_.out.empty()) write_file_atomically(wanted_.out, settings_text());
    const reports::TimeGrounds grounds = network_.grounds(chosen().found.placement);
    Answer answer{json(grounds), lines(), verify::Outcome::kHolds};
    append(answer.lines, ground_lines(grounds));
    return answer;
  }

 private:
  void add_ways(const OnProgress& on_progress) {
    const std::vector<OpChoices>& choices = network_.choices();
    const Placement by_rules = nnapi_placement(network_.model(), network_.devices(), choices);
    add_way("nnapi", {.placement = by_rules});
    PlacementProblem problem = {.choices = choices,
                                .neighbours = network_.neighbours(),
                                .objective_ps = [&](const Placement& it) { return network_.makespan_ps(it); },
                                .max_trials = trials_of(wanted_, choices.size())};
    std::vector<Placement> starts = {by_rules, fastest_placement(choices, worst_ps_), first_placement(choices)};
    add_way("makespan", search_placement(problem, starts, on_progress));
    problem.objective_ps = [&](const Placement& it) { return network_.bound_ps(it); };
    starts.push_back(ways_.back().found.placement);
    add_way("bound", search_placement(problem, starts, on_progress));
  }

  void add_way(const char* name, FoundPlacement found) {
    Way way{.name = name, .found = std::move(found)};
    way.makespan_ps = network_.makespan_ps(way.found.placement);
    way.bound_ps = network_.bound_ps(way.found.placement);
    way.steps = steps_of(network_.model(), network_.devices(), way.found.placement);
    ways_.push_back(std::move(way));
  }

  [[nodiscard]] const Way& chosen() const { return *std::ranges::find(ways_, wanted_.by, &Way::name); }
  [[nodiscard]] const Way& nnapi() const { return ways_.front(); }
  [[nodiscard]] const std::string& device(std::uint32_t at) const { return network_.devices()[at].name; }

  /// All that a run needs to be as it is simulated here.
  /// @throws std::invalid_argument  ops of one name are on different devices: the file names ops
  [[nodiscard]] std::string settings_text() const {
    std::string text = "schema = \"detent.set/1\"\n\n[ops]\n";
    std::map<std::string, std::string> rows;
    for (std::size_t id = 0; id < network_.model().ops.size(); ++id) {
      const std::string& name = network_.model().ops[id].name;
      std::string row = row_of(id);
      const auto [first, is_new] = rows.emplace(name, row);
      if (!is_new && first->second != row) {
        throw std::invalid_argument(
            fmt::format("{}: two ops have the name '{}' and need different rows in {}; give "
                        "them different names",
                        wanted_.request.model, name, wanted_.out));
      }
      if (is_new) text += Json(name).dump() + row;
    }
    return text + format_transfers(network_.transfers());
  }

  [[nodiscard]] std::string row_of(std::size_t id) const {
    const models::Op& op = network_.model().ops[id];
    std::string row = fmt::format(" = {{ class = \"{}\"", device(chosen().found.placement[id]));
    if (op.priority != 0) row += fmt::format(", priority = {}", op.priority);
    if (op.workers != 0) row += fmt::format(", workers = [{}]", models::worker_list(op.workers));
    return row + " }\n";
  }

  [[nodiscard]] std::vector<std::size_t> ops_by_device(const Way& way) const {
    std::vector<std::size_t> counts(network_.devices().size());
    for (const std::uint32_t at : way.found.placement) ++counts[at];
    return counts;
  }

  [[nodiscard]] Json way_json(const Way& way) const {
    Json ops = Json::object();
    const std::vector<std::size_t> counts = ops_by_device(way);
    for (std::uint32_t at = 0; at < counts.size(); ++at) ops[device(at)] = counts[at];
    Json json = {{"name", way.name},
                 {"makespan_ps", way.makespan_ps},
                 {"bound_ps", time_json(way.bound_ps)},
                 {"ops", std::move(ops)},
                 {"steps", way.steps.size()},
                 {"edges_between_devices", network_.edges_between_devices(way.found.placement)}};
    if (&way == &nnapi()) return json;
    json["trials"] = way.found.trials;
    json["local_optimum"] = way.found.is_local_optimum;
    return json;
  }

  [[nodiscard]] Json devices_json() const {
    Json devices = Json::array();
    for (const PlacementDevice& it : network_.devices()) {
      devices.push_back({{"name", it.name}, {"performance", it.performance}, {"kernels", it.kernels}});
    }
    return devices;
  }

  [[nodiscard]] Json transfers_json() const {
    Json transfers = Json::array();
    for (const TransferRule& rule : network_.transfers()) {
      transfers.push_back(
          {{"from", rule.from}, {"to", rule.to}, {"time_ps", rule.time_ps}, {"bytes_per_s", rule.bytes_per_s}});
    }
    return transfers;
  }

  [[nodiscard]] Json op_json(std::uint32_t id) const {
    const models::Op& op = network_.model().ops[id];
    const OpChoices& choice = network_.choices()[id];
    Json json = {{"op", id}, {"name", op.name}, {"kernel", op.kernel}};
    for (const Way& way : ways_) json[way.name] = device(way.found.placement[id]);
    if (!choice.reason.empty()) json["stays"] = choice.reason;
    json["worst_ps"] = Json::object();
    for (const std::uint32_t at : choice.devices) json["worst_ps"][device(at)] = worst_ps_[at][id];
    for (const Way& way : ways_) {
      if (&way == &nnapi()) continue;
      Json& moved = json[way.name + "_if_moved_ps"] = Json::object();
      for (std::size_t at = 0; at < choice.devices.size(); ++at) {
        const std::optional<std::uint64_t> value_ps = way.found.if_moved_ps[id][at];
        moved[device(choice.devices[at])] = value_ps ? time_json(*value_ps) : Json();
      }
    }
    return json;
  }

  [[nodiscard]] Json json(const reports::TimeGrounds& grounds) const {
    Json json = json_header("partition", wanted_.request);
    json["platform"] = platform_.name;
    json["by"] = wanted_.by;
    json["policy"] = wanted_.policy;
    json["devices"] = devices_json();
    json["transfers"] = transfers_json();
    json["ways"] = Json::array();
    for (const Way& way : ways_) json["ways"].push_back(way_json(way));
    json["steps"] = Json::array();
    for (const PlacementStep& step : chosen().steps) {
      json["steps"].push_back({{"device", device(step.device)}, {"ops", step.ops}});
    }
    json["ops"] = Json::array();
    for (std::uint32_t id = 0; id < network_.model().ops.size(); ++id) json["ops"].push_back(op_json(id));
    if (!wanted_.out.empty()) json["file"] = wanted_.out;
    json["op_times"] = reports::op_times_json(grounds);
    return json;
  }

  [[nodiscard]] std::string way_line(const Way& way) const {
    std::string ops;
    const std::vector<std::size_t> counts = ops_by_device(way);
    for (std::uint32_t at = 0; at < counts.size(); ++at) {
      ops += fmt::format("{}{} {}", at == 0 ? "" : ", ", device(at), counts[at]);
    }
    return fmt::format("  {:9} {:>9} {:>9}  {}; {}, {}", way.name, time_text(way.makespan_ps), time_text(way.bound_ps),
                       ops, counted(way.steps.size(), "step"),
                       counted(network_.edges_between_devices(way.found.placement), "transfer"));
  }

  [[nodiscard]] std::string search_line(const Way& way, std::uint64_t own_ps, std::uint64_t nnapi_ps) const {
    return fmt::format(
        "{}: {:.3f} of nnapi, {} tried; {}", way.name, ratio(own_ps, nnapi_ps), counted(way.found.trials, "placement"),
        way.found.is_local_optimum ? "no move of the search makes it lower" : "--max-trials ended the search");
  }

  [[nodiscard]] Lines lines() const {
    Lines lines{
        fmt::format("{} on {}: {}", network_.model().name, platform_.name, counted(network_.model().ops.size(), "op"))};
    lines.emplace_back("            simulated  at most  ops by device");
    for (const Way& way : ways_) lines.push_back(way_line(way));
    lines.push_back(search_line(ways_[1], ways_[1].makespan_ps, nnapi().makespan_ps));
    lines.push_back(search_line(ways_[2], ways_[2].bound_ps, nnapi().bound_ps));
    lines.emplace_back("simulated: one run, every op at its worst time; other runs may be longer, up to the bound");
    if (network_.transfers().empty()) {
      lines.emplace_back("transfers take no time here; [[transfers]] of --set FILE say what they take");
    }
    const auto stay = std::ranges::count_if(network_.choices(), [](const OpChoices& it) { return !it.reason.empty(); });
    if (stay != 0) {
      lines.push_back(counted(static_cast<std::uint64_t>(stay), "op") +
                      " stay where they are: their class, workers or time are given; --json says which");
    }
    append(lines, differences());
    if (!wanted_.out.empty()) {
      const std::string split = wanted_.model.split > 1 ? fmt::format(" with --split {}", wanted_.model.split) : "";
      lines.push_back(fmt::format("{}: ops by {}; run, simulate, check, bound, explore and emit take it as --set{}",
                                  wanted_.out, wanted_.by, split));
    }
    return lines;
  }

  /// The ops that the chosen way puts elsewhere than the rules, and what it would come to if they were moved alone.
  [[nodiscard]] Lines differences() const {
    const Way& way = &chosen() == &nnapi() ? ways_[1] : chosen();
    Lines lines;
    std::size_t count = 0;
    for (std::uint32_t id = 0; id < network_.choices().size(); ++id) {
      if (nnapi().found.placement[id] == way.found.placement[id] || ++count > kShownOps) continue;
      const models::Op& op = network_.model().ops[id];
      std::string text = fmt::format("  op {} {} ({}) on {}, not {}", id, op.name, op.kernel,
                                     device(way.found.placement[id]), device(nnapi().found.placement[id]));
      for (std::size_t at = 0; at < network_.choices()[id].devices.size(); ++at) {
        const std::uint32_t other = network_.choices()[id].devices[at];
        const std::optional<std::uint64_t> moved = way.found.if_moved_ps[id][at];
        if (other == way.found.placement[id] || !moved) continue;
        text += fmt::format("; on {} alone: {}", device(other), time_text(*moved));
      }
      lines.push_back(std::move(text));
    }
    if (count > kShownOps) lines.push_back(fmt::format("  and {} more; --json has all", count - kShownOps));
    if (count != 0)
      lines.insert(lines.begin(), fmt::format("{} and nnapi differ in {}", way.name, counted(count, "op")));
    return lines;
  }

  PlacedNetwork& network_;
  const sim::Platform& platform_;
  const PartitionRequest& wanted_;
  std::vector<std::vector<std::uint64_t>> worst_ps_{};  // by device, by op
  std::vector<Way> ways_{};                             // nnapi, makespan, bound
};

}  // namespace

Answer partition_network(const PartitionRequest& wanted, const OnProgress& on_progress) {
  if (wanted.by != "nnapi" && wanted.by != "makespan" && wanted.by != "bound") {
    throw std::invalid_argument("--by " + wanted.by + ": choose nnapi, makespan or bound");
  }
  const sim::Platform platform = choose_platform(platform_word(wanted.platform, ""), false);
  PlacedNetwork network(wanted, platform);
  return NetworkAnswer(network, platform, wanted).make(on_progress);
}

}  // namespace detent::app
