#include "app/check/exact_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "app/bound/exact_bound.hpp"
#include "app/bound/witness.hpp"
#include "models/core/decisions.hpp"

namespace detent::app {
namespace {

constexpr const char* kAnalysedPolicies[] = {"id", "priority", "critical-path", "fifo"};

/// Why no analysis is begun; empty: one is.
std::string refused_case(const CheckOptions& options, const LoadedModel& loaded) {
  if (options.max_states == 0) return "it was not asked for: --max-states is 0";
  if (loaded.given_workers != 0) {
    return "static lists are followed, of which the bound for these lists is: no op that takes less makes a run longer";
  }
  if (options.schedule.engine.mode != DETENT_MODE_CLOSED_LOOP) {
    return "the exact analysis is of the closed loop, and this is another mode of the engine";
  }
  const std::string& policy = options.schedule.engine.policy;
  if (std::ranges::find(kAnalysedPolicies, policy) == std::end(kAnalysedPolicies)) {
    return "the exact analysis is of the policies id, priority, critical-path and fifo, and not of " + policy;
  }
  if (models::has_computed_decisions(loaded.of_all_outcomes().model)) return "tensors decide which ops run";
  return "";
}

void add_runs(const LoadedModel& loaded, const verify::TimingProblem& problem, const verify::ExactWitness& found,
              reports::ExactCase& made) {
  made.worst_ps = found.worst.makespan_ps;
  made.best_ps = found.best.makespan_ps;
  made.all_worst_ps = found.all_worst_ps;
  made.shorter = found.shorter;
  made.time_ps = found.worst.time_ps;
  made.runs.push_back(timeline_of("a run that attains the exact worst case", loaded.desc(), problem, found.worst));
  made.runs.push_back(timeline_of("every op at its worst time", loaded.desc(), problem, found.all_worst));
}

}  // namespace

reports::ExactCase find_exact_case(const CheckOptions& options, const LoadedModel& loaded,
                                   const sim::Platform& platform, const BoundSpec& spec) {
  const PlatformProblems problems = timing_problems(loaded.desc(), platform, spec);
  reports::ExactCase made{.policy = options.schedule.engine.policy,
                          .max_states = options.max_states.value_or(states_within_a_second(problems.by_op))};
  made.why_not = refused_case(options, loaded);
  if (!made.why_not.empty()) return made;
  ExactBound exact =
      exact_bound(loaded.desc(), problems, platform, spec, {.policy = made.policy, .max_states = made.max_states});
  made.states = exact.summary.states;
  made.assumptions = exact.bound.assumptions;
  if (!exact.witness) {
    made.why_not = exact.summary.reason;
    if (!exact.summary.is_complete && made.states != 0) made.why_not += "; --max-states allows more";
    return made;
  }
  const RunWitness witness = run_witness(loaded, *exact.witness, {platform, spec.workers, std::move(exact.order)});
  made.witness = witness.worst;
  made.best_witness = witness.best;
  made.fault = witness.fault;
  add_runs(loaded, problems.by_op, *exact.witness, made);
  return made;
}

std::uint64_t states_within_a_second(const verify::TimingProblem& problem) {
  constexpr std::uint64_t kMostStates = 20'000;
  // Measured: half a microsecond for a unit, on graphs of 10 to 10,000 ops on 2 to 64 cores.
  constexpr std::uint64_t kUnits = 2'000'000, kUnitsOfAState = 100, kOpsOfASet = 500;
  std::vector<std::uint64_t> of_class(problem.cores.size(), 0);
  for (const verify::TimedOp& op : problem.ops) ++of_class[op.core_class];
  std::uint64_t at_once = 0;
  for (std::size_t c = 0; c < of_class.size(); ++c) {
    at_once += problem.cores[c] == 0 ? of_class[c] : std::min<std::uint64_t>(of_class[c], problem.cores[c]);
  }
  at_once = std::min<std::uint64_t>(at_once, 100'000);
  const std::uint64_t units =
      kUnitsOfAState + (at_once + 2) * (at_once + 2) * (kOpsOfASet + problem.ops.size()) / kOpsOfASet;
  return std::clamp<std::uint64_t>(kUnits / units, 1, kMostStates);
}

reports::TimelineRun timeline_of(const std::string& title, const detent_desc& desc,
                                 const verify::TimingProblem& problem, const verify::ListRun& run) {
  reports::TimelineRun made{.title = title, .lanes = {}, .trace = {}, .makespan_ps = run.makespan_ps};
  std::vector<SlotId> first_slot;
  for (std::uint32_t c = 0; c < desc.class_count; ++c) {
    first_slot.emplace_back(static_cast<std::uint32_t>(made.lanes.size()));
    const std::string name = desc.classes[c].name;
    if (problem.cores[c] == 0) made.lanes.push_back(name);
    for (std::uint32_t core = 0; core < problem.cores[c]; ++core) made.lanes.push_back(name + std::to_string(core));
  }
  for (OpId op = 0; op < desc.op_count; ++op) {
    const std::uint32_t of_class = desc.ops[op].core_class;
    const SlotId slot = first_slot[of_class] + (problem.cores[of_class] == 0 ? 0 : run.core[op]);
    made.trace.spans.push_back({op, slot, run.begin_ps[op], run.end_ps[op]});
  }
  std::ranges::stable_sort(made.trace.spans, {}, &harness::Span::begin_ps);
  return made;
}

}  // namespace detent::app
