#include "app/bound/list_bound.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/ids.hpp"

namespace detent::app {
namespace {

using verify::kUnknownPs;

std::uint64_t add_known(std::uint64_t a, std::uint64_t b) {
  return a == kUnknownPs || b == kUnknownPs || a > kUnknownPs - 1 - b ? kUnknownPs : a + b;
}

std::uint64_t role_ps(const verify::TimingProblem& problem) {
  std::uint64_t sum = 0;
  for (const verify::TimedOp& op : problem.ops) sum = add_known(sum, op.role_ps);
  return sum;
}

/// Why a list does not go on as soon as its next op is ready; empty: it does.
std::string why_undecided(const std::vector<verify::CoreList>& lists, const PlatformProblems& problems,
                          const verify::ListTimes& times) {
  if (times.unordered) {
    return fmt::format("ops {} and {} share a mutex, and neither edges nor lists say which of them has it first",
                       static_cast<std::uint32_t>(times.unordered->first),
                       static_cast<std::uint32_t>(times.unordered->second));
  }
  const verify::TimingProblem& problem = problems.bare;
  std::vector<std::uint32_t> filled(problem.cores.size(), 0);
  for (const verify::CoreList& list : lists) filled[list.core_class] += list.ops.empty() ? 0U : 1U;
  for (std::size_t kind = 0; kind < filled.size(); ++kind) {
    if (filled[kind] > problem.cores[kind]) return "several lists are of one core, which takes commands in turn";
  }
  return "";
}

/// Upper bounds with what the engine adds: its steps for one op at a time may delay any op.
verify::ListTimes with_engine(const verify::TimingProblem& problem, const std::vector<verify::CoreList>& lists,
                              const sim::Platform& platform) {
  verify::ListTimes times = verify::list_times(problem, lists);
  const std::uint64_t role = role_ps(problem);
  times.worst_ps = with_loads_ps(platform, add_known(times.worst_ps, role));
  for (verify::Response& response : times.responses) {
    response.max_ps = with_loads_ps(platform, add_known(response.max_ps, role));
  }
  return times;
}

}  // namespace

std::vector<verify::CoreList> carried_lists(const detent_desc& desc, std::uint32_t workers) {
  std::vector<verify::CoreList> lists;
  for (std::uint32_t i = 0; i < desc.schedule_count; ++i) {
    const detent_static_schedule& schedule = desc.schedules[i];
    if (schedule.worker_count != workers) continue;
    for (std::uint32_t w = 0; w < workers; ++w) {
      verify::CoreList& list = lists.emplace_back();
      for (std::uint32_t k = 0; k < schedule.lists[w].count; ++k) {
        const OpId op{schedule.list_ops[schedule.lists[w].first + k]};
        const bool takes_worker = desc.classes[desc.ops[op].core_class].kind != DETENT_CLASS_ASYNC;
        if (takes_worker) list.ops.push_back(op);
      }
      if (!list.ops.empty()) list.core_class = desc.ops[list.ops.front()].core_class;
    }
  }
  return lists;
}

ListBound list_bound(const std::vector<verify::CoreList>& lists, const PlatformProblems& problems,
                     const sim::Platform& platform) {
  ListBound made;
  made.bound = {.name = "lists", .bound_ps = kUnknownPs, .is_upper = true, .exact = false, .assumptions = ""};
  const verify::ListTimes bare = verify::list_times(problems.bare, lists);
  if (const std::string why = why_undecided(lists, problems, bare); !why.empty()) {
    made.bound.assumptions = "does not apply: " + why;
    return made;
  }
  const verify::ListTimes by_op = with_engine(problems.by_op, lists, platform);
  const verify::ListTimes by_total = with_engine(problems.by_total, lists, platform);
  made.bound.bound_ps = std::min(by_op.worst_ps, by_total.worst_ps);
  made.responses = bare.responses;
  for (std::size_t op = 0; op < made.responses.size(); ++op) {
    made.responses[op].max_ps = std::min(by_op.responses[op].max_ps, by_total.responses[op].max_ps);
  }
  const auto is_same = [](const verify::Response& a, const verify::Response& b) { return a.max_ps == b.max_ps; };
  made.bound.exact = made.bound.bound_ps != kUnknownPs && made.bound.bound_ps == bare.worst_ps &&
                     std::ranges::equal(made.responses, bare.responses, is_same);
  made.bound.assumptions =
      made.bound.bound_ps == kUnknownPs ? "the longest path over edges and lists: a time is unknown or does not fit"
      : made.bound.exact ? "the longest path over edges, lists and transfers; each op takes any time in its range"
                         : "the longest path over edges, lists and transfers; not exact: the engine, loads and other "
                           "clients may add to "
                           "it";
  if (made.bound.exact) made.best_ps = bare.best_ps;
  return made;
}

}  // namespace detent::app
