// Laws of periodic tasks: no response that the simulator shows is above an exact one or a bound, whatever the graphs,
// periods, priorities, offsets, jitter and chip; and what is said to be exact lies within the bound.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "app/tasks/chain_latency.hpp"
#include "app/tasks/task_timing.hpp"
#include "properties/graph_case.hpp"
#include "properties/law.hpp"
#include "properties/sim/random_chip.hpp"
#include "properties/sim/simulated.hpp"
#include "sim/together/together.hpp"

namespace detent::laws {
namespace {

constexpr GraphOptions kTaskGraphs{
    .graph = {.most_ops = 6, .most_ps = 500, .mutexes = true, .npu = true, .delays = true}};

/// All numbers alike, in small cases too.
std::uint64_t draw_below(std::uint64_t below) {
  return *rc::gen::resize(100, rc::gen::inRange<std::uint64_t>(0, below));
}

/// Work of one run at worst times.
std::uint64_t worst_work_of(const GraphCase& g) {
  std::uint64_t sum = 1;
  for (const OpSpec& op : g.graph.ops) sum += op.worst_ps + op.release_max_ps;
  for (const Edge& edge : g.graph.edges) sum += edge.max_ps;
  return sum;
}

/// Some ops get work and bytes instead of times, so that they share the DRAM.
void share_dram(const GraphCase& g, app::LoadedModel& loaded) {
  auto* const costs = const_cast<detent_op_cost*>(loaded.desc().costs);
  for (std::size_t op = 0; op < g.graph.ops.size(); ++op) {
    if (draw_below(4) == 0) continue;
    const std::uint64_t work = 1 + 4 * g.graph.ops[op].worst_ps;
    costs[op] = {UINT64_MAX, UINT64_MAX, work / 300, work / 10 * draw_below(3), work / 20};
  }
}

/// Up to three combinations of outcomes, each of which leaves some ops out.
void add_branches(app::Task& task) {
  const std::uint64_t count = 1 + draw_below(3);
  for (std::uint64_t i = 0; i < count; ++i) {
    std::vector<bool> runs(task.loaded.desc().op_count, true);
    for (std::size_t op = 0; op < task.loaded.model.ops.size(); ++op) {
      if (draw_below(3) != 0) continue;
      runs[op] = false;
      task.loaded.model.ops[op].guards = {{0, 0}};
    }
    task.outcomes.push_back(std::move(runs));
  }
  task.has_every_outcome = draw_below(3) != 0;
}

struct TaskOptions {
  GraphOptions graphs = kTaskGraphs;
  bool with_offsets = true, with_branches = false, with_dram = false;
  std::uint64_t slack_ps = 0;  ///< of every period
};

/// Two or three tasks; periods are some multiples of one time, so that they repeat soon.
app::LoadedTasks draw_tasks(const TaskOptions& options) {
  std::vector<GraphCase> cases;
  const std::uint64_t count = 2 + draw_below(2);
  std::uint64_t unit_ps = 1;
  for (std::uint64_t i = 0; i < count; ++i) {
    cases.push_back(*graphs(options.graphs));
    unit_ps += worst_work_of(cases.back()) + options.slack_ps;
  }
  unit_ps = unit_ps / (1 + draw_below(3)) + 1;
  const bool are_equal = draw_below(4) == 0;
  app::LoadedTasks tasks;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t period_ps = unit_ps * (1 + draw_below(3));
    app::TaskRow row{.name = "t" + std::to_string(i), .model = "graph", .period_ps = period_ps};
    row.priority = are_equal ? 0 : static_cast<std::int32_t>((i * 2 + 1) % 5);
    row.offset_ps = options.with_offsets ? draw_below(period_ps) : 0;
    row.jitter_ps = draw_below(3) == 0 ? draw_below(period_ps / 4 + 1) : 0;
    tasks.members.push_back({static_cast<std::size_t>(i), period_ps, row.offset_ps});
    app::LoadedModel loaded{.model = to_model(cases[i]), .lowered = lowered(cases[i]), .module = {}, .backends = {}};
    if (options.with_dram) share_dram(cases[i], loaded);
    tasks.tasks.push_back({.loaded = std::move(loaded), .row = row, .period_ps = period_ps, .deadline_ps = period_ps});
    if (options.with_branches && draw_below(2) == 0) add_branches(tasks.tasks.back());
  }
  return tasks;
}

sim::TogetherResult simulate_tasks(const app::LoadedTasks& tasks, const sim::Platform& platform,
                                   const std::string& policy, std::uint64_t seed, bool at_worst) {
  std::vector<sim::PeriodicNetwork> networks;
  std::uint64_t longest_ps = 0;
  for (const app::TaskMember& member : tasks.members) {
    const app::Task& task = tasks.tasks[member.task];
    networks.push_back({.desc = &task.loaded.desc(),
                        .backends = {app::any_kernel_backend()},
                        .priority = task.row.priority,
                        .period_ps = member.period_ps,
                        .offset_ps = member.offset_ps,
                        .release_jitter_ps = task.row.jitter_ps,
                        .outcomes = task.outcomes});
    longest_ps = std::max(longest_ps, member.period_ps);
  }
  sim::Jitter jitter;
  if (at_worst) jitter.kind = sim::Jitter::Kind::kWorst;
  return sim::simulate_together(networks, platform,
                                {.engine = {.policy = policy},
                                 .runs = 1'000,
                                 .until_ps = 8 * longest_ps,
                                 .seeds = {.input = 0, .schedule = seed},
                                 .jitter = jitter,
                                 .timing_only = true});
}

void assert_sandwich(const app::LoadedTasks& tasks, const sim::Platform& platform, const std::string& policy) {
  const app::TaskTiming timing = app::task_timing(tasks, platform, {.policy = policy, .max_states = 20'000});
  bool is_known = false, is_close = false;
  std::vector<std::vector<app::ChainRun>> runs(tasks.members.size());
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const sim::TogetherResult seen = simulate_tasks(tasks, platform, policy, seed, seed == 0);
    RC_ASSERT(!seen.failure);
    for (std::size_t i = 0; i < tasks.members.size(); ++i) {
      const std::vector<std::uint64_t>& responses = seen.networks[i].responses_ps;
      RC_ASSERT(!responses.empty());
      RC_ASSERT(seen.networks[i].begins_ps.size() == responses.size());
      const std::uint64_t longest_ps = *std::ranges::max_element(responses);
      for (const verify::Bound& bound : timing.bounds[i]) {
        is_known = is_known || bound.bound_ps != verify::kUnknownPs;
        RC_LOG() << "task " << i << ": seen " << longest_ps << ", " << bound.name << " " << bound.bound_ps << "\n";
        RC_ASSERT(longest_ps <= bound.bound_ps);
        is_close = is_close || (bound.bound_ps != verify::kUnknownPs && longest_ps > bound.bound_ps / 2);
      }
      if (seed != 0) continue;
      std::uint64_t nominal_ps = tasks.members[i].offset_ps;
      for (std::size_t run = 0; run < responses.size(); ++run) {
        runs[i].push_back({seen.networks[i].begins_ps[run], nominal_ps + responses[run]});
        nominal_ps += tasks.members[i].period_ps;
      }
    }
  }
  RC_CLASSIFY(is_known, "bounded");
  RC_CLASSIFY(is_close, "seen above half of a bound");
  RC_CLASSIFY(timing.bounds[0].back().bound_ps != verify::kUnknownPs, "exact");
  for (std::size_t i = 0; i < tasks.members.size(); ++i) {
    const verify::Bound& rta = timing.bounds[i][0];
    const verify::Bound& exact = timing.bounds[i][1];
    RC_ASSERT(!exact.exact || exact.bound_ps <= rta.bound_ps);
  }
  std::vector<app::ChainLink> links;
  for (std::size_t i = 0; i < tasks.members.size(); ++i) {
    links.push_back({tasks.members[i].period_ps, timing.bounds[i][0].bound_ps});
  }
  const auto bound = app::latency_bound_ps(links);
  const auto seen = app::longest_latency_ps(runs);
  if (bound && seen) RC_ASSERT(*seen <= *bound);
}

RC_GTEST_PROP(TaskLaw, NoResponseIsAboveTheExactOneOrTheBound, ()) {
  law_of_values([] {
    const sim::Platform platform =
        sim::plain_platform({{"cpu", static_cast<std::uint32_t>(1 + draw_below(3))}, {"npu", 1}});
    const std::string policy = *rc::gen::element<std::string>("id", "priority", "critical-path", "fifo");
    assert_sandwich(draw_tasks({.with_offsets = draw_below(2) == 0, .with_branches = draw_below(3) == 0}), platform,
                    policy);
  });
}

/// Queues of NPUs, hardware threads, a shared DRAM, the runtime's steps, loads, branches.
RC_GTEST_PROP(TaskLaw, NoResponseIsAboveTheBoundOnChips, ()) {
  law_of_values([] {
    const GraphCase of_chip = *graphs(kTaskGraphs);
    sim::Platform chip = random_chip(of_chip);
    RC_LOG() << random_chip_text(of_chip) << "\n";
    if (draw_below(3) == 0) chip.overheads = {};
    if (draw_below(2) == 0) chip.loads.clear();
    const bool has_steps = chip.overheads.wake_ps + chip.overheads.lock_ps != 0;
    const std::uint64_t slack_ps = has_steps
                                       ? std::array{2'000U, 20'000U, 100'000U, 300'000U, 2'000'000U}[draw_below(5)]
                                       : std::array{0U, 2'000U, 20'000U}[draw_below(3)];
    const std::string policy = *rc::gen::element<std::string>("id", "critical-path", "fifo");
    const app::LoadedTasks tasks = draw_tasks({.with_branches = true, .with_dram = true, .slack_ps = slack_ps});
    RC_CLASSIFY(has_steps, "the runtime takes time");
    RC_CLASSIFY(!chip.loads.empty(), "loads");
    assert_sandwich(tasks, chip, policy);
  });
}

/// Ops that are short beside the steps of the runtime, of which only some take time: a step that the bound does not
/// count shows.
RC_GTEST_PROP(TaskLaw, NoResponseIsAboveTheBoundWhereStepsTakeMostTime, ()) {
  law_of_values([] {
    sim::Platform chip = sim::plain_platform({{"cpu", static_cast<std::uint32_t>(1 + draw_below(4))},
                                              {"npu", static_cast<std::uint32_t>(1 + draw_below(2))}});
    sim::Overheads& o = chip.overheads;
    for (std::uint64_t* each : {&o.dispatch_ps, &o.queue_ps, &o.lock_ps, &o.lock_contended_ps, &o.wake_ps}) {
      if (draw_below(3) == 0) *each = draw_below(10'000);
    }
    const GraphOptions short_ops{
        .graph = {.most_ops = 12, .most_ps = 20, .mutexes = true, .npu = true, .delays = true}};
    const std::string policy = *rc::gen::element<std::string>("id", "critical-path", "fifo");
    const app::LoadedTasks tasks =
        draw_tasks({.graphs = short_ops, .slack_ps = draw_below(2) == 0 ? 200'000U : 3'000'000U});
    assert_sandwich(tasks, chip, policy);
  });
}

}  // namespace
}  // namespace detent::laws
