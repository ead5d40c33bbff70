#include "verify/periodic/task.hpp"

#include <stdexcept>
#include <string>

#include "verify/timing/problem_dag.hpp"

namespace detent::verify {

void require_sound(const std::vector<PeriodicTask>& tasks) {
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const auto refuse = [&](const char* what) {
      throw std::invalid_argument("periodic task " + std::to_string(i) + ": " + what);
    };
    const TimingProblem& problem = tasks[i].problem;
    const TimingProblem& first = tasks.front().problem;
    if (tasks[i].period_ps == 0) refuse("a period of 0");
    if (problem.cores != first.cores || problem.queue_depth != first.queue_depth) refuse("other cores than the first");
    if (!tasks[i].rank.empty() && tasks[i].rank.size() != problem.ops.size()) refuse("not a rank for each op");
    for (const std::vector<std::uint64_t>& times : tasks[i].worst_by_outcome_ps) {
      if (times.size() != problem.ops.size()) refuse("not a time for each op");
      for (std::size_t op = 0; op < times.size(); ++op) {
        if (times[op] > problem.ops[op].worst_ps) refuse("an op that takes longer than its worst time");
      }
    }
    require_sound(problem);
  }
}

}  // namespace detent::verify
