// Laws of simulated time: when ops begin and end, by the definition of execution (docs/VERIFICATION.md), and bounds.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "properties/sim/simulated.hpp"
#include "tests/sim/list_schedule.hpp"
#include "verify/runs/trace_rules.hpp"
#include "verify/timing/problem.hpp"

namespace detent::laws {
namespace {

constexpr GraphOptions kAll{.graph = {.most_ops = 16, .mutexes = true, .npu = true, .delays = true}};

/// Closed loop under any policy: work-conserving.
GraphCase closed_loop(GraphCase g) {
  g.mode = DETENT_MODE_CLOSED_LOOP;
  return g;
}

/// Simulates as bare_command and holds the makespans against the bounds.
std::string check_command(const GraphCase& g, const std::string& file) {
  const std::string simulate = bare_command(g, file);
  return "detent check" + simulate.substr(std::string("detent simulate").size()) + " --out '" + file + ".report'";
}

/// Longest path of `times`, by relaxation.
std::uint64_t longest_path(const detent_desc& desc, const std::vector<std::uint64_t>& times) {
  std::vector<std::uint64_t> end = times;
  for (std::uint32_t round = 0; round < desc.op_count; ++round) {
    for (std::uint32_t op = 0; op < desc.op_count; ++op) {
      const detent_slice next = desc.ops[op].successors;
      for (std::uint32_t k = next.first; k < next.first + next.count; ++k) {
        const std::uint32_t to = desc.successors[k];
        end[to] = std::max(end[to], end[op] + times[to]);
      }
    }
  }
  return *std::max_element(end.begin(), end.end());
}

RC_GTEST_PROP(BoundLaw, NoMakespanOfAnyJitterExceedsABound, ()) {
  law_of(rc::gen::map(graphs(kAll), closed_loop), check_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    verify::TimingInputs inputs;
    inputs.cores = cores_of(model.desc(), g);
    const auto bounds = verify::all_bounds(verify::make_timing_problem(model.desc(), inputs));
    for (const std::uint64_t makespan_ps : simulated_bare(g, model).makespans_ps) {
      RC_ASSERT(verify::check_bound(makespan_ps, bounds).outcome == verify::Outcome::kHolds);
    }
  });
}

RC_GTEST_PROP(BoundLaw, NoModeTakesLongerThanAllWorstTimesTogether, ()) {
  law_of(graphs(kAll), check_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    std::uint64_t sum_ps = 0;
    for (std::uint32_t op = 0; op < model.desc().op_count; ++op) sum_ps += model.desc().costs[op].worst_ps;
    RC_ASSERT(simulated_bare(g, model).max_ps <= sum_ps);
  });
}

RC_GTEST_PROP(BoundLaw, NoModeIsFasterThanTheLongestPathOfBestTimes, ()) {
  law_of(graphs(kAll), bare_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    std::vector<std::uint64_t> best_ps;
    for (std::uint32_t op = 0; op < model.desc().op_count; ++op) best_ps.push_back(model.desc().costs[op].best_ps);
    RC_ASSERT(simulated_bare(g, model).min_ps >= longest_path(model.desc(), best_ps));
  });
}

RC_GTEST_PROP(BoundLaw, OverheadsOnlyMakeLongerOnOneWorker, ()) {
  law_of(rc::gen::map(graphs({.most_workers = 1}), closed_loop), chip_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    RC_ASSERT(simulated_on_chip(g, model).min_ps >= simulated_bare(g, model).min_ps);
  });
}

RC_GTEST_PROP(OpTimeLaw, EachOpTakesATimeOfItsRange, ()) {
  law_of(graphs(kAll), bare_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const auto spans = spans_by_op(model.desc(), simulated_bare(g, model).worst.trace);
    for (const harness::Span& span : spans) {
      const std::uint64_t time_ps = span.end_ps - span.begin_ps;
      RC_ASSERT(model.desc().costs[span.op].best_ps <= time_ps);
      RC_ASSERT(time_ps <= model.desc().costs[span.op].worst_ps);
      if (g.jitter == "worst") RC_ASSERT(time_ps == model.desc().costs[span.op].worst_ps);
    }
  });
}

RC_GTEST_PROP(OpTimeLaw, OneWorkerTakesTheSumOfAllTimes, ()) {
  law_of(graphs({.graph = {.most_ops = 16}, .most_workers = 1}), bare_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const sim::SimResult result = simulated_bare(g, model);
    std::uint64_t sum_ps = 0;
    for (const harness::Span& span : result.worst.trace.spans) sum_ps += span.end_ps - span.begin_ps;
    RC_ASSERT(result.worst.makespan_ps == sum_ps);
  });
}

/// Said of the case, not of the Desc that lowering made of it.
RC_GTEST_PROP(OrderLaw, NoOpBeginsBeforePredecessorsDelaysAndRelease, ()) {
  law_of(graphs(kAll), bare_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const auto spans = spans_by_op(model.desc(), simulated_bare(g, model).worst.trace);
    for (const Edge& e : g.graph.edges) RC_ASSERT(spans[e.to].begin_ps >= spans[e.from].end_ps + e.min_ps);
    for (std::size_t op = 0; op < g.graph.ops.size(); ++op)
      RC_ASSERT(spans[op].begin_ps >= g.graph.ops[op].release_min_ps);
  });
}

RC_GTEST_PROP(OrderLaw, OpsOfOneMutexNeverOverlap, ()) {
  law_of(graphs(kAll), bare_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const auto spans = spans_by_op(model.desc(), simulated_bare(g, model).worst.trace);
    for (std::size_t a = 0; a < g.graph.ops.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const auto& others = g.graph.ops[b].mutexes;
        const bool shared =
            std::any_of(g.graph.ops[a].mutexes.begin(), g.graph.ops[a].mutexes.end(),
                        [&](std::uint32_t m) { return std::find(others.begin(), others.end(), m) != others.end(); });
        if (shared) RC_ASSERT(spans[a].end_ps <= spans[b].begin_ps || spans[b].end_ps <= spans[a].begin_ps);
      }
    }
  });
}

RC_GTEST_PROP(OrderLaw, EachSlotServesOneClassOneOpAtATime, ()) {
  law_of(graphs(kAll), bare_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const sim::SimResult result = simulated_bare(g, model);
    std::map<std::uint32_t, std::vector<harness::Span>> of_slot;
    for (const harness::Span& span : result.worst.trace.spans) {
      if (span.op < g.graph.ops.size()) of_slot[span.slot].push_back(span);
    }
    for (auto& [slot, spans] : of_slot) {
      // Ops without length that begin with another one ran before it, whatever their ids.
      std::stable_sort(spans.begin(), spans.end(), [](const auto& a, const auto& b) {
        return std::tie(a.begin_ps, a.end_ps) < std::tie(b.begin_ps, b.end_ps);
      });
      RC_ASSERT(slot < result.slot_names.size());
      for (std::size_t i = 0; i < spans.size(); ++i) {
        if (g.mode != DETENT_MODE_SERIAL) {  // there, one thread executes everything
          RC_ASSERT(is_npu(g.graph.ops[spans[i].op]) == (result.slot_names[slot] == "npu0"));
        }
        if (i > 0) RC_ASSERT(spans[i - 1].end_ps <= spans[i].begin_ps);
      }
    }
  });
}

RC_GTEST_PROP(OrderLaw, TracesObeyTheTraceRules, ()) {
  law_of(graphs(kAll), chip_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const sim::SimResult result = simulated_on_chip(g, model);
    for (const harness::Run* run : {&result.worst, &result.typical}) {
      const verify::Verdict verdict = verify::check_trace(
          model.desc(), run->trace, static_cast<std::uint32_t>(result.slot_names.size()), run->makespan_ps);
      RC_LOG() << verdict.summary << "\n";
      RC_ASSERT(verdict.outcome == verify::Outcome::kHolds);
    }
  });
}

/// Rule 2: at no instant is a core free while an op of its class could run on it.
RC_GTEST_PROP(WorkConservingLaw, NoCoreIsFreeWhileAnOpCouldRun, ()) {
  law_of(rc::gen::map(graphs(kAll), closed_loop), bare_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const auto spans = spans_by_op(model.desc(), simulated_bare(g, model).worst.trace);
    const auto runs_at = [&](std::size_t op, std::uint64_t t) {
      return spans[op].begin_ps <= t && t < spans[op].end_ps;
    };
    const auto is_held = [&](std::uint32_t mutex, std::uint64_t t) {
      for (std::size_t op = 0; op < g.graph.ops.size(); ++op) {
        const auto& mine = g.graph.ops[op].mutexes;
        if (runs_at(op, t) && std::find(mine.begin(), mine.end(), mutex) != mine.end()) return true;
      }
      return false;
    };
    for (const harness::Span& instant : spans) {
      const std::uint64_t t = instant.end_ps;
      std::uint32_t cpus = 0, npus = 0;
      for (std::size_t op = 0; op < g.graph.ops.size(); ++op)
        (is_npu(g.graph.ops[op]) ? npus : cpus) += runs_at(op, t) ? 1U : 0U;
      std::vector<bool> waits(g.graph.ops.size());
      for (std::uint32_t op = 0; op < model.desc().op_count; ++op) {
        const detent_slice next = model.desc().ops[op].successors;
        for (std::uint32_t k = next.first; k < next.first + next.count; ++k) {
          const std::uint32_t to = model.desc().successors[k];
          if (to < g.graph.ops.size() && spans[op].end_ps > t) waits[to] = true;
        }
      }
      for (std::size_t op = 0; op < g.graph.ops.size(); ++op) {
        const auto& mutexes = g.graph.ops[op].mutexes;
        const bool blocked =
            std::any_of(mutexes.begin(), mutexes.end(), [&](std::uint32_t mutex) { return is_held(mutex, t); });
        if (spans[op].begin_ps <= t || waits[op] || blocked) continue;
        RC_ASSERT((is_npu(g.graph.ops[op]) ? npus == 1 : cpus == g.workers));
      }
    }
  });
}

/// A list scheduler written from the definition, which shares no code with sim/ or runtime/.
void assert_list_schedule(const GraphCase& g) {
  const models::LoweredModel model = lowered(g);
  const detent_desc& desc = model.desc();
  sim::test::Graph graph(desc.op_count);
  std::vector<std::uint64_t> times_ps;
  std::vector<std::uint32_t> cores(4);
  for (std::uint32_t op = 0; op < desc.op_count; ++op) {
    const detent_op& from = desc.ops[op];
    const bool is_delay = desc.classes[from.core_class].kind == DETENT_CLASS_ASYNC;
    sim::test::GraphOp& to = graph[op];
    to.core_class = is_delay ? sim::test::kDelay : from.core_class == 0 ? sim::test::kCpu : sim::test::kNpu;
    to.priority = from.priority;
    to.successors.assign(desc.successors + from.successors.first,
                         desc.successors + from.successors.first + from.successors.count);
    to.mutexes.assign(desc.mutex_refs + from.mutexes.first, desc.mutex_refs + from.mutexes.first + from.mutexes.count);
    times_ps.push_back(desc.costs[op].worst_ps);
  }
  cores[sim::test::kCpu] = g.workers;
  cores[sim::test::kNpu] = 1;
  const detent_policy policy = g.policy == "priority"        ? detent_policy_priority()
                               : g.policy == "critical-path" ? detent_policy_critical_path()
                                                             : detent_policy_id();
  std::vector<std::uint32_t> ranks(desc.op_count);
  std::vector<std::uint64_t> work(2 * std::size_t{desc.op_count});
  RC_ASSERT(policy.rank(policy.self, &desc, ranks.data(), work.data()) == DETENT_OK);
  const auto expected = sim::test::list_schedule(
      graph, times_ps, cores, std::vector<std::uint64_t>(ranks.begin(), ranks.end()), g.policy == "fifo");
  for (const harness::Span& span : spans_by_op(desc, simulated_bare(g, model).worst.trace)) {
    RC_ASSERT(span.begin_ps == expected.begin_ps[span.op]);
    RC_ASSERT(span.end_ps == expected.end_ps[span.op]);
  }
}

GraphCase exactly_ranked(GraphCase g) {
  g.mode = DETENT_MODE_CLOSED_LOOP;
  g.jitter = "worst";
  if (g.policy == "random") g.policy = "id";
  return g;
}

RC_GTEST_PROP(ListScheduleLaw, TypedCoresWithDelaysAndManyTies, ()) {
  law_of(rc::gen::map(graphs({.graph = {.most_ops = 25, .most_ps = 4, .npu = true, .delays = true}}), exactly_ranked),
         bare_command, assert_list_schedule);
}

RC_GTEST_PROP(ListScheduleLaw, MutexesWithDelays, ()) {
  law_of(
      rc::gen::map(graphs({.graph = {.most_ops = 25, .most_ps = 6, .mutexes = true, .delays = true}}), exactly_ranked),
      bare_command, assert_list_schedule);
}

RC_GTEST_PROP(AccountLaw, TimesOfEveryCoreAddUpToTheMakespan, ()) {
  law_of(graphs(kAll), chip_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const sim::SimResult result = simulated_on_chip(g, model);
    RC_ASSERT(!result.worst.machine.accounts.empty());
    for (const harness::Account& a : result.worst.machine.accounts) {
      RC_ASSERT(a.compute_ps + a.memory_ps + a.overhead_ps + a.load_ps + a.idle_ps == result.worst.makespan_ps);
    }
  });
}

RC_GTEST_PROP(AccountLaw, ACoreIsBusyAsLongAsItsOpsTake, ()) {
  law_of(graphs(kAll), bare_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const sim::SimResult result = simulated_bare(g, model);
    for (const sim::CoreUse& use : result.use) {
      std::uint64_t busy_ps = 0;
      for (const harness::Span& span : result.worst.trace.spans) {
        // Serial: one thread executes everything, each op on a core of its class.
        const bool is_there = g.mode == DETENT_MODE_SERIAL
                                  ? use.core == (is_npu(g.graph.ops[span.op % g.graph.ops.size()]) ? "npu0" : "cpu0")
                                  : span.slot == use.slot;
        if (span.op < g.graph.ops.size() && is_there) busy_ps += span.end_ps - span.begin_ps;
      }
      RC_ASSERT(use.busy_ps == busy_ps);
    }
  });
}

RC_GTEST_PROP(AccountLaw, UsesOfOneResourceNeverOverlap, ()) {
  law_of(graphs(kAll), chip_command, [](const GraphCase& g) {
    const models::LoweredModel model = lowered(g);
    const sim::SimResult result = simulated_on_chip(g, model);
    std::map<std::uint32_t, std::uint64_t> free_at_ps;
    for (const harness::Use& use : result.worst.machine.uses) {
      RC_ASSERT(use.begin_ps <= use.end_ps && use.end_ps <= result.worst.makespan_ps);
      RC_ASSERT(use.begin_ps >= free_at_ps[use.resource]);
      free_at_ps[use.resource] = use.end_ps;
    }
  });
}

}  // namespace
}  // namespace detent::laws
