#include "app/replay/gated_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "app/replay/failure_line.hpp"
#include "base/counted.hpp"
#include "base/ids.hpp"
#include "verify/explore/ops/oriented.hpp"

namespace detent::app {
namespace {

namespace explore = verify::explore;

/// The constraints of the line, and gates for what they leave open among the ops that take part.
std::vector<explore::Constraint> gates_of(const explore::OpSpace& space, const ReplayLine& line) {
  std::vector<explore::Constraint> gates = constraints_of(line, space.desc());
  if (!line.ops.empty() && line.ops.back() >= space.desc().op_count) {
    throw std::invalid_argument(fmt::format("replay line: ops={}: the model has {}", format_ranges(line.ops),
                                            counted(space.desc().op_count, "op")));
  }
  std::vector<std::uint32_t> ops = line.ops;
  for (OpId op = 0; ops.size() < space.desc().op_count && line.ops.empty(); ++op) ops.push_back(op);
  const std::vector<explore::Constraint> open = explore::open_decisions(space, order_of(line, space), gates, ops);
  std::vector<explore::Constraint> all = gates;
  all.insert(all.end(), open.begin(), open.end());
  const std::uint32_t workers = explore::workers_for_gates(space.desc(), all);
  return workers == 0 || workers > DETENT_MAX_WORKERS ? gates : all;
}

}  // namespace

explore::GateReplay run_behind_gates(const explore::OpSpace& space, const LoadedModel& loaded, const ReplayLine& line,
                                     std::uint64_t runs, std::uint64_t watchdog_ms) {
  const std::vector<explore::Constraint> gates = gates_of(space, line);
  explore::GateReplayOptions options;
  options.workers = line.engine.workers;
  if (gates.size() != line.before.size()) {
    options.workers = std::max(line.engine.workers, explore::workers_for_gates(space.desc(), gates));
  }
  options.runs = runs;
  options.watchdog_ms = watchdog_ms;
  options.runner.input_seed = line.seeds.input;
  options.runner.backends = loaded.backends;
  if (!line.ops.empty()) {  // only what the failure takes: no other race disturbs it
    options.runner.skipped.assign(space.desc().op_count, true);
    for (const OpId op : line.ops) options.runner.skipped[op] = false;
  }
  return explore::replay_with_gates(space, gates, options);
}

}  // namespace detent::app
