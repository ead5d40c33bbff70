// Runs of a sample: list scheduling with jitter.
#include "tests/reports/samples/runs.hpp"

#include <algorithm>
#include <set>

namespace detent::reports::samples {
namespace {

struct Machine {
  const Tables& tables;
  const Cores& cores;
  std::vector<std::uint32_t> waiting;  // predecessors not done, per op
  std::set<std::uint32_t> ready;
  std::vector<std::uint64_t> busy_until;
  std::vector<std::uint32_t> running;  // op per core

  Machine(const Tables& t, const Cores& c)
      : tables(t),
        cores(c),
        waiting(t.successors.size(), 0),
        busy_until(c.names.size(), 0),
        running(c.names.size(), DETENT_NONE) {
    for (const auto& list : t.successors) {
      for (const std::uint32_t to : list) ++waiting[to];
    }
    for (std::uint32_t op = 0; op < waiting.size(); ++op) {
      if (waiting[op] == 0) ready.insert(op);
    }
  }

  void start_ops(std::uint64_t now, std::uint64_t& random, TimelineRun& run) {
    for (std::uint32_t core = 0; core < running.size(); ++core) {
      if (running[core] != DETENT_NONE) continue;
      const auto fits = [&](std::uint32_t op) { return tables.core_class[op] == cores.classes[core]; };
      const auto at = std::find_if(ready.begin(), ready.end(), fits);
      if (at == ready.end()) continue;
      const detent_op_cost& cost = tables.costs[*at];
      busy_until[core] = now + cost.best_ps + next_random(random) % (cost.worst_ps - cost.best_ps + 1);
      run.trace.spans.push_back({*at, core, now, busy_until[core], run.trace.spans.size()});
      running[core] = *at;
      ready.erase(at);
    }
  }

  /// Finish whatever ends first; DETENT_NONE-free cores only. False when nothing runs.
  bool finish_next(std::uint64_t& now, TimelineRun& run) {
    std::uint64_t next = UINT64_MAX;
    for (std::uint32_t core = 0; core < running.size(); ++core) {
      if (running[core] != DETENT_NONE) next = std::min(next, busy_until[core]);
    }
    if (next == UINT64_MAX) return false;
    now = next;
    for (std::uint32_t core = 0; core < running.size(); ++core) {
      if (running[core] == DETENT_NONE || busy_until[core] != now) continue;
      for (const std::uint32_t to : tables.successors[running[core]]) {
        if (--waiting[to] > 0) continue;
        ready.insert(to);
        run.trace.events.push_back({now, core, DETENT_EVENT_READY, to, static_cast<std::int32_t>(ready.size())});
      }
      running[core] = DETENT_NONE;
    }
    return true;
  }
};

}  // namespace

std::uint64_t next_random(std::uint64_t& state) {
  state += 0x9E3779B97F4A7C15U;
  std::uint64_t z = state;
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31U);
}

TimelineRun schedule_run(const Tables& tables, const Cores& cores, std::uint64_t seed) {
  TimelineRun run;
  run.lanes = cores.names;
  Machine machine(tables, cores);
  std::uint64_t now = 0;
  std::uint64_t random = seed;
  do {
    machine.start_ops(now, random, run);
  } while (machine.finish_next(now, run));
  run.makespan_ps = now;
  return run;
}

void fill_runs(const Tables& tables, const Cores& cores, std::uint64_t runs, ReportData& data) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> by_makespan;
  for (std::uint64_t seed = 1; seed <= runs; ++seed) {
    const std::uint64_t makespan_ps = schedule_run(tables, cores, seed).makespan_ps;
    by_makespan.emplace_back(makespan_ps, seed);
    data.makespans_ps.push_back(makespan_ps);
  }
  std::sort(by_makespan.begin(), by_makespan.end());
  const auto& worst = by_makespan.back();
  const auto& median = by_makespan[(runs - 1) / 2];
  data.sim_runs = runs;
  data.sim_executed_runs = std::min<std::uint64_t>(runs, 3);
  data.min_ps = by_makespan.front().first;
  data.median_ps = median.first;
  data.p99_ps = by_makespan[(runs * 99 + 99) / 100 - 1].first;
  data.max_ps = worst.first;
  data.worst_seed = worst.second;
  for (const auto& [title, seed] : {std::pair{std::string("worst simulated run"), worst.second},
                                    std::pair{std::string("typical simulated run"), median.second}}) {
    data.timelines.push_back(schedule_run(tables, cores, seed));
    data.timelines.back().title = title + " (seed " + std::to_string(seed) + ")";
  }
  for (std::uint32_t core = 0; core < cores.names.size(); ++core) {
    std::uint64_t busy = 0;
    for (const harness::Span& span : data.timelines[0].trace.spans) {
      if (span.slot == core) busy += span.end_ps - span.begin_ps;
    }
    data.utilisation.emplace_back(cores.names[core], static_cast<double>(busy) / static_cast<double>(worst.first));
  }
}

}  // namespace detent::reports::samples
