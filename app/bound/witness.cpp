#include "app/bound/witness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "app/model/desc_graph.hpp"
#include "base/counted.hpp"
#include "base/units.hpp"
#include "models/core/decisions.hpp"
#include "models/core/op_graph.hpp"
#include "models/files/graph_file.hpp"
#include "reports/text/text.hpp"
#include "sim/simulate.hpp"

namespace detent::app {
namespace {

bool is_delay(const detent_desc& desc, OpId op) {
  return desc.classes[desc.ops[op].core_class].kind == DETENT_CLASS_ASYNC;
}

std::string core_of(const detent_desc& desc, const verify::ListRun& run, OpId op) {
  const std::string name = desc.classes[desc.ops[op].core_class].name;
  return is_delay(desc, op) ? name : name + std::to_string(run.core[op]);
}

bool ranks_are_ids(const WitnessPlace& place) { return std::ranges::is_sorted(place.order.rank); }

/// Priorities by which the simulator ends ties as the run does, by op; pseudo-ops have 0, whatever stands here.
std::vector<std::int32_t> priorities_of(const detent_desc& desc, const verify::ListRun& run,
                                        const WitnessPlace& place) {
  std::vector<std::int32_t> priorities(desc.op_count, 0);
  if (!ranks_are_ids(place)) {
    for (OpId op = 0; op < desc.op_count; ++op) priorities[op] = static_cast<std::int32_t>(place.order.rank[op]);
    return priorities;
  }
  for (std::size_t first = 0; first < run.order.size();) {
    std::size_t end = first, delay = first;
    while (end < run.order.size() && run.end_ps[run.order[end]] == run.end_ps[run.order[first]]) ++end;
    while (delay < end && !is_delay(desc, run.order[delay])) ++delay;
    if (delay == end) delay = first;
    for (std::size_t i = first; i < end; ++i) {
      priorities[run.order[i]] = static_cast<std::int32_t>(i) - static_cast<std::int32_t>(delay);
    }
    first = end;
  }
  return priorities;
}

/// The policy under which priorities_of gives the run.
std::string policy_of(const WitnessPlace& place) {
  if (place.order.by_arrival) return "fifo";
  return ranks_are_ids(place) ? "id" : "priority";
}

bool has_ties(const verify::ListRun& run) {
  std::vector<std::uint64_t> ends = run.end_ps;
  std::ranges::sort(ends);
  return std::ranges::adjacent_find(ends) != ends.end();
}

Json run_json(const detent_desc& desc, const verify::ListRun& run) {
  Json ops = Json::array(), order = Json::array();
  for (OpId op = 0; op < desc.op_count; ++op) {
    ops.push_back({{"op", op},
                   {"core", core_of(desc, run, op)},
                   {"start_ps", run.begin_ps[op]},
                   {"end_ps", run.end_ps[op]},
                   {"time_ps", run.time_ps[op]}});
  }
  for (const OpId op : run.order) order.push_back(op);
  return {{"makespan_ps", run.makespan_ps}, {"ops", std::move(ops)}, {"order", std::move(order)}};
}

Json worst_json(const detent_desc& desc, const verify::ExactWitness& found, const WitnessPlace& place,
                std::optional<std::uint64_t> simulated_ps) {
  Json made = run_json(desc, found.worst);
  made["shorter"] = Json::array();
  made["anomalies"] = Json::array();
  for (const verify::ShorterOp& op : found.shorter) {
    made["shorter"].push_back(op.op);
    made["anomalies"].push_back({{"op", op.op},
                                 {"time_ps", found.worst.time_ps[op.op]},
                                 {"worst_ps", op.worst_ps},
                                 {"makespan_ps", op.makespan_ps}});
  }
  made["all_worst_ps"] = found.all_worst_ps;
  made["policy"] = policy_of(place);
  made["simulated_ps"] = simulated_ps ? Json(*simulated_ps) : Json(nullptr);
  return made;
}

std::string name_of(const detent_desc& desc, OpId op) {
  const char* const name = desc.ops[op].name;
  return name != nullptr ? name : fmt::format("op {}", op);
}

Lines anomaly_lines(const detent_desc& desc, const verify::ExactWitness& found) {
  if (found.shorter.empty() && found.all_worst_ps == found.worst.makespan_ps) {
    return {"witness: a run in which every op takes its worst time is as long as the exact worst case"};
  }
  if (found.shorter.empty()) {
    return {
        fmt::format("witness: every op takes its worst time; where ops that end at one instant are handled in the "
                    "order of the witness the run is {} ps, by rank {} ps",
                    found.worst.makespan_ps, found.all_worst_ps)};
  }
  constexpr std::size_t kShown = 6;
  Lines lines{fmt::format("witness: a run of {} ps; where every op takes its worst time it is {} ps, {} ps shorter",
                          found.worst.makespan_ps, found.all_worst_ps, found.worst.makespan_ps - found.all_worst_ps),
              fmt::format("scheduling anomaly: {} that {} less than the worst time make{} the run longer",
                          counted(found.shorter.size(), "op"), found.shorter.size() == 1 ? "takes" : "take",
                          found.shorter.size() == 1 ? "s" : "")};
  for (std::size_t i = 0; i < std::min(kShown, found.shorter.size()); ++i) {
    const verify::ShorterOp& op = found.shorter[i];
    lines.push_back(fmt::format("  {} takes {} of at most {} ps; were it to take them all, the run would be {} ps",
                                name_of(desc, op.op), found.worst.time_ps[op.op], op.worst_ps, op.makespan_ps));
  }
  if (found.shorter.size() > kShown) {
    lines.push_back(fmt::format("  and {} more; --json FILE lists all", counted(found.shorter.size() - kShown, "op")));
  }
  return lines;
}

/// The run as a table, in the order in which ops begin.
Lines run_lines(const detent_desc& desc, const verify::ListRun& run) {
  constexpr std::size_t kShown = 24;
  std::vector<OpId> by_begin(desc.op_count);
  std::iota(by_begin.begin(), by_begin.end(), OpId{0});
  std::ranges::stable_sort(by_begin, {}, [&](OpId op) { return run.begin_ps[op]; });
  Lines lines{fmt::format("{:<20}{:<8}{:>16}{:>16}{:>16}", "op", "core", "begins, ps", "ends, ps", "takes, ps")};
  for (std::size_t i = 0; i < std::min(kShown, by_begin.size()); ++i) {
    const OpId op = by_begin[i];
    lines.push_back(fmt::format("{:<20}{:<8}{:>16}{:>16}{:>16}", name_of(desc, op), core_of(desc, run, op),
                                run.begin_ps[op], run.end_ps[op], run.time_ps[op]));
  }
  if (by_begin.size() > kShown) {
    lines.push_back(fmt::format("and {} after them; --json FILE lists all", counted(by_begin.size() - kShown, "op")));
  }
  return lines;
}

/// Each op, release and transfer takes what it takes in the run. Pseudo-ops stand behind the ops: delays by edge, then
/// releases by op (models/lower).
std::string graph_text(const LoadedModel& loaded, const verify::ListRun& run,
                       const std::vector<std::int32_t>& priorities) {
  models::Model graph = models::to_op_graph(loaded.model);
  try {
    put_ranges(loaded.desc(), &loaded.values, graph);
  } catch (const std::invalid_argument&) {
    // The tables do not say what reads want; the ranges are as they were.
  }
  std::size_t pseudo = graph.ops.size();
  for (models::Edge& edge : graph.edges) {
    if (edge.max_ps != 0) edge.min_ps = edge.max_ps = run.time_ps[pseudo++];
  }
  for (std::size_t op = 0; op < graph.ops.size(); ++op) {
    models::Op& made = graph.ops[op];
    made.time_ps = {run.time_ps[op], run.time_ps[op]};
    made.priority = priorities[op];
    if (!made.release_ps || made.release_ps->second == 0) continue;
    made.release_ps = {run.time_ps[pseudo], run.time_ps[pseudo]};
    ++pseudo;
  }
  return reports::escape_json(models::format_graph(graph));
}

}  // namespace

std::optional<std::uint64_t> simulate_run(const detent_desc& desc, const verify::ListRun& run,
                                          const WitnessPlace& place, std::string& why) {
  const std::vector<std::int32_t> priorities = priorities_of(desc, run, place);
  std::vector<detent_op> ops(desc.ops, desc.ops + desc.op_count);
  std::vector<detent_op_cost> costs(desc.op_count);
  for (OpId op = 0; op < desc.op_count; ++op) {
    if (!is_delay(desc, op)) ops[op].priority = priorities[op];
    costs[op] = {run.time_ps[op], run.time_ps[op], 0, 0, 0};
  }
  detent_desc timed = desc;
  timed.ops = ops.data();
  timed.costs = costs.data();
  sim::SimOptions options;
  options.engine.workers = place.workers;
  options.engine.policy = policy_of(place);
  options.timing_only = true;
  options.with_traces = false;
  options.backends = {any_kernel_backend()};
  try {
    const sim::SimResult result = sim::simulate(timed, place.platform, options);
    if (!result.failure) return result.max_ps;
    why = *result.failure;
  } catch (const std::invalid_argument& refused) {
    why = refused.what();
  }
  return std::nullopt;
}

RunWitness run_witness(const LoadedModel& loaded, const verify::ExactWitness& found, const WitnessPlace& place) {
  const detent_desc& desc = loaded.desc();
  RunWitness made{.worst_ps = found.worst.makespan_ps, .best_ps = found.best.makespan_ps, .fault = found.fault};
  std::string why;
  const std::optional<std::uint64_t> simulated_ps = simulate_run(desc, found.worst, place, why);
  made.worst = worst_json(desc, found, place, simulated_ps);
  made.best = run_json(desc, found.best);
  made.lines = anomaly_lines(desc, found);
  if (!simulated_ps) {
    made.lines.push_back("the run was not simulated: " + why);
  } else if (*simulated_ps == found.worst.makespan_ps) {
    made.lines.push_back(fmt::format("simulated with these times: {} ps as well", *simulated_ps));
  } else if (has_ties(found.worst)) {
    made.lines.push_back(
        fmt::format("simulated with these times: {} ps, since ops that end at one instant are handled in another order",
                    *simulated_ps));
  } else {
    made.fault += fmt::format(
        "the run of {} ps takes {} ps in simulation, without ties: a fault of Detent, please "
        "report it",
        found.worst.makespan_ps, *simulated_ps);
  }
  append(made.lines, run_lines(desc, found.worst));
  if (models::has_computed_decisions(loaded.model)) {
    made.no_graph = "a graph file cannot say that tensors decide which ops run";
  } else {
    made.graph = graph_text(loaded, found.worst, priorities_of(desc, found.worst, place));
  }
  return made;
}

}  // namespace detent::app
