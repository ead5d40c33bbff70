// TimingProblem -> completion bounds per op.
#include "verify/timing/response.hpp"

#include <algorithm>
#include <string>

#include "verify/timing/problem_dag.hpp"

namespace detent::verify {
namespace {

/// Per op the sum of `value` over all ops that succeed it. 64 columns of the closure at a time, one word per op.
std::vector<Wide> successor_sums(const TimingProblem& problem, const std::vector<std::uint32_t>& order,
                                 const std::vector<Wide>& value) {
  const std::size_t count = problem.ops.size();
  std::vector<Wide> sums(count, 0);
  std::vector<std::uint64_t> reach(count);
  for (std::size_t begin = 0; begin < count; begin += 64) {
    const std::size_t end = std::min(begin + 64, count);
    std::ranges::fill(reach, 0);
    for (std::size_t i = end; i-- > 0;) {
      const OpId op = order[i];
      std::uint64_t word = 0;
      for (std::uint32_t k = problem.first[op]; k < problem.first[op + 1]; ++k) word |= reach[problem.targets[k]];
      for (std::uint64_t rest = word; rest != 0; rest &= rest - 1) {
        sums[op] += value[order[begin + static_cast<std::size_t>(__builtin_ctzll(rest))]];
      }
      reach[op] = i >= begin ? word | std::uint64_t{1} << (i - begin) : word;
    }
  }
  return sums;
}

std::uint64_t narrowed(Wide value) { return value < kUnknownPs ? static_cast<std::uint64_t>(value) : kUnknownPs; }

/// Of every op the work that can be done before it has ended, by class and by the scheduler.
class Before {
 public:
  Before(const TimingProblem& problem, const std::vector<std::uint32_t>& order, bool exact)
      : problem_(problem), order_(order), exact_(exact) {}

  /// Per op the sum of `value(op)` over all ops that do not succeed it.
  template <typename Value>
  [[nodiscard]] std::vector<Wide> sums(Value value) const {
    std::vector<Wide> values;
    Wide total = 0;
    for (OpId op = 0; op < problem_.ops.size(); ++op) {
      values.push_back(value(op));
      total += values.back();
    }
    std::vector<Wide> result(values.size(), total);
    if (!exact_) return result;
    const std::vector<Wide> later = successor_sums(problem_, order_, values);
    for (std::size_t op = 0; op < result.size(); ++op) result[op] -= later[op];
    return result;
  }

 private:
  const TimingProblem& problem_;
  const std::vector<std::uint32_t>& order_;
  bool exact_;
};

/// Theorem 3.1 per op, one way of counting cores that queue ops. Empty where the counts have no common denominator.
std::vector<Wide> typed_responses(const TimingProblem& problem, const std::vector<std::uint32_t>& order,
                                  const Before& before, QueueView view) {
  const QueuedClasses queued = look_at_queues(problem, view);
  const std::uint64_t scale = common_denominator(queued.cores);
  if (scale == 0) return {};
  const std::vector<std::uint64_t> shares = core_shares(queued.cores, scale);
  const std::vector<Wide> work =
      before.sums([&](OpId op) { return Wide{problem.ops[op].worst_ps} * shares[problem.ops[op].core_class]; });
  std::vector<Wide> most = prefix_paths(problem, order, [&](OpId op) {
    const TimedOp& timed = problem.ops[op];
    return Wide{timed.worst_ps} * (scale - shares[timed.core_class]) + queued.ahead_ps[op] * scale;
  });
  const Wide mutexed = mutexed_work(problem, queued.ahead_ps);
  for (std::size_t op = 0; op < most.size(); ++op) most[op] = divide_up(most[op] + work[op], scale) + mutexed;
  return most;
}

void lower_to(std::vector<Wide>& most, const std::vector<Wide>& other) {
  for (std::size_t op = 0; op < other.size(); ++op) most[op] = std::min(most[op], other[op]);
}

std::string seed_text(std::uint64_t seed) { return " (seed " + std::to_string(seed) + ")"; }

}  // namespace

std::vector<Response> response_bounds(const TimingProblem& problem, const ResponseOptions& options) {
  require_sound(problem);
  const std::vector<std::uint32_t> order = sort_topologically(problem);
  const Before before(problem, order, problem.ops.size() <= options.exact_ops);
  std::vector<Wide> most = before.sums([&](OpId op) { return Wide{problem.ops[op].worst_ps}; });
  if (options.is_work_conserving) {
    for (const QueueView view : {QueueView::kOneCore, QueueView::kOpsAhead}) {
      lower_to(most, typed_responses(problem, order, before, view));
    }
  }
  const std::vector<Wide> role = before.sums([&](OpId op) { return Wide{problem.ops[op].role_ps}; });
  const std::vector<Wide> fastest =
      prefix_paths(problem, order, [&](OpId op) { return Wide{problem.ops[op].best_ps}; });
  const bool is_known = !has_unknown_time(problem);
  std::vector<Response> responses;
  for (OpId op = 0; op < problem.ops.size(); ++op) {
    const Wide latest = most[op] + role[op] + problem.fixed_ps;
    responses.push_back({op, narrowed(fastest[op]), is_known ? narrowed(latest) : kUnknownPs});
  }
  return responses;
}

Verdict check_responses(const std::vector<std::string>& names, const std::vector<OpEnds>& ends,
                        const std::vector<Response>& responses) {
  Verdict verdict{Property::kResponses, Outcome::kUnknown, "no simulated run to compare with", {}};
  if (ends.empty()) return verdict;
  std::size_t known = 0;
  for (const Response& response : responses) {
    const OpEnds& seen = ends.at(response.op);
    const std::string op = "op " + std::to_string(response.op) + " (" + names.at(response.op) + ")";
    if (seen.earliest_ps < response.min_ps) {
      verdict.witnesses.push_back({op + " ended at " + std::to_string(seen.earliest_ps) + " ps" +
                                       seed_text(seen.earliest_seed) + ", before its earliest completion " +
                                       std::to_string(response.min_ps) + " ps",
                                   {response.op},
                                   {}});
    }
    if (response.max_ps == kUnknownPs) continue;
    ++known;
    if (seen.latest_ps > response.max_ps) {
      verdict.witnesses.push_back({op + " ended at " + std::to_string(seen.latest_ps) + " ps" +
                                       seed_text(seen.latest_seed) + ", after its latest completion " +
                                       std::to_string(response.max_ps) + " ps",
                                   {response.op},
                                   {}});
    }
  }
  if (!verdict.witnesses.empty()) {
    verdict.outcome = Outcome::kViolated;
    verdict.summary = verdict.witnesses.front().text;
  } else if (known != responses.size()) {
    verdict.summary = std::to_string(responses.size() - known) + " of " + std::to_string(responses.size()) +
                      " ops have no upper bound on their completion";
  } else {
    verdict.outcome = Outcome::kHolds;
    verdict.summary = "every op ended within its response in every simulated run";
  }
  return verdict;
}

}  // namespace detent::verify
