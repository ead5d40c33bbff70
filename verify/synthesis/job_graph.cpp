#include "verify/synthesis/job_graph.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>

#include "verify/timing/problem_dag.hpp"

namespace detent::verify {
namespace {

constexpr Wide kMostUnits = Wide{1} << 61U;

bool takes_core(const TimingProblem& problem, OpId op) { return problem.cores[problem.ops[op].core_class] != 0; }

std::uint64_t unit_of(const TimingProblem& problem) {
  std::uint64_t unit = 0;
  Wide sum = 0;
  for (const TimedOp& op : problem.ops) {
    unit = std::gcd(unit, op.worst_ps);
    sum += op.worst_ps;
  }
  unit = std::max<std::uint64_t>(unit, 1);
  if (has_unknown_time(problem)) throw std::invalid_argument("the worst time of an op is not known");
  if (sum / unit >= kMostUnits) throw std::invalid_argument("op times are too long in all");
  return unit;
}

/// Walks the ops in a topological order and gives each op that takes no core to the jobs around it.
class Reduction {
 public:
  Reduction(const TimingProblem& problem, JobGraph& graph)
      : problem_(problem), graph_(graph), into_(problem.ops.size()) {}

  void run() {
    for (const OpId op : sort_topologically(problem_)) {
      if (takes_core(problem_, op)) {
        add_job(op);
      } else {
        pass_through(op);
      }
    }
    finish();
  }

 private:
  /// What an op waits for: longest lags behind the ends of jobs, and a time since the begin of the run.
  struct Waits {
    std::map<std::uint32_t, Ticks> lag_of{};
    Ticks since_begin = 0;
  };

  [[nodiscard]] Ticks work_of(OpId op) const { return static_cast<Ticks>(problem_.ops[op].worst_ps / graph_.unit_ps); }

  void hand_on(OpId op, const Waits& waits) {
    for (std::uint32_t k = problem_.first[op]; k < problem_.first[op + 1]; ++k) {
      Waits& next = into_[problem_.targets[k]];
      next.since_begin = std::max(next.since_begin, waits.since_begin);
      for (const auto& [job, lag] : waits.lag_of) {
        Ticks& known = next.lag_of[job];
        known = std::max(known, lag);
      }
    }
  }

  void add_job(OpId op) {
    const std::uint32_t job = graph_.size();
    graph_.op.push_back(op);
    graph_.work.push_back(work_of(op));
    graph_.kind.push_back(problem_.ops[op].core_class);
    graph_.head.push_back(into_[op].since_begin);
    graph_.tail.push_back(0);
    graph_.before.emplace_back();
    for (const auto& [from, lag] : into_[op].lag_of) graph_.before.back().push_back({from, lag});
    hand_on(op, {.lag_of = {{job, 0}}});
  }

  void pass_through(OpId op) {
    Waits waits = std::move(into_[op]);
    const Ticks work = work_of(op);
    waits.since_begin += work;
    for (auto& [job, lag] : waits.lag_of) {
      lag += work;
      graph_.tail[job] = std::max(graph_.tail[job], lag);
    }
    graph_.least = std::max(graph_.least, waits.since_begin);
    hand_on(op, waits);
  }

  void finish() {
    graph_.after.resize(graph_.size());
    for (std::uint32_t job = 0; job < graph_.size(); ++job) {
      for (const JobArc& arc : graph_.before[job]) {
        graph_.after[arc.job].push_back({job, arc.lag});
        graph_.head[job] = std::max(graph_.head[job], graph_.head[arc.job] + graph_.work[arc.job] + arc.lag);
      }
    }
    for (std::uint32_t job = graph_.size(); job-- > 0;) {
      for (const JobArc& arc : graph_.after[job]) {
        graph_.tail[job] = std::max(graph_.tail[job], arc.lag + graph_.work[arc.job] + graph_.tail[arc.job]);
      }
    }
  }

  const TimingProblem& problem_;
  JobGraph& graph_;
  std::vector<Waits> into_;
};

std::vector<std::vector<JobArc>> mirrored(const std::vector<std::vector<JobArc>>& arcs) {
  const auto last = static_cast<std::uint32_t>(arcs.size()) - 1;
  std::vector<std::vector<JobArc>> made(arcs.rbegin(), arcs.rend());
  for (std::vector<JobArc>& list : made) {
    for (JobArc& arc : list) arc.job = last - arc.job;
    std::ranges::reverse(list);
  }
  return made;
}

template <typename Value>
std::vector<Value> backwards(const std::vector<Value>& values) {
  return {values.rbegin(), values.rend()};
}

}  // namespace

JobGraph job_graph(const TimingProblem& problem) {
  require_sound(problem);
  JobGraph graph;
  graph.unit_ps = unit_of(problem);
  graph.cores = problem.cores;
  Reduction(problem, graph).run();
  return graph;
}

JobGraph reversed(const JobGraph& graph) {
  return {.unit_ps = graph.unit_ps,
          .op = backwards(graph.op),
          .work = backwards(graph.work),
          .kind = backwards(graph.kind),
          .before = mirrored(graph.after),
          .after = mirrored(graph.before),
          .head = backwards(graph.tail),
          .tail = backwards(graph.head),
          .cores = graph.cores,
          .least = graph.least};
}

Ticks makespan_of(const JobGraph& graph, const std::vector<Ticks>& begin) {
  Ticks makespan = graph.least;
  for (std::uint32_t job = 0; job < graph.size(); ++job) {
    makespan = std::max(makespan, begin[job] + graph.work[job] + graph.tail[job]);
  }
  return makespan;
}

JobSchedule read_backwards(const JobGraph& graph, const JobSchedule& of_reversed) {
  JobSchedule made{.begin = {}, .makespan = of_reversed.makespan};
  for (std::uint32_t job = 0; job < graph.size(); ++job) {
    made.begin.push_back(of_reversed.makespan - of_reversed.begin[graph.size() - 1 - job] - graph.work[job]);
  }
  return made;
}

}  // namespace detent::verify
