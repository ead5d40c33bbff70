#include "verify/timing/list_rule.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace detent::verify {

ListRule::ListRule(const TimingProblem& problem, ReadyOrder order)
    : problem_(problem), order_(std::move(order)), before_(problem.ops.size()), mutexes_(problem.ops.size()) {
  for (OpId op = 0; op < problem.ops.size(); ++op) {
    for (std::uint32_t k = problem.first[op]; k < problem.first[op + 1]; ++k) before_[problem.targets[k]].push_back(op);
  }
  for (std::uint32_t mutex = 0; mutex < problem.exclusive.size(); ++mutex) {
    for (const OpId op : problem.exclusive[mutex]) mutexes_[op].push_back(mutex);
  }
  if (order_.rank.empty()) {
    order_.rank.resize(problem.ops.size());
    std::iota(order_.rank.begin(), order_.rank.end(), 0U);
  }
}

std::vector<OpId> ListRule::first_ready() const {
  std::vector<OpId> ready;
  for (OpId op = 0; op < problem_.ops.size(); ++op) {
    if (before_[op].empty()) ready.push_back(op);
  }
  std::ranges::sort(ready, {}, [&](OpId op) { return order_.rank[op]; });
  return ready;
}

std::vector<OpId> ListRule::ready_behind(OpId op, const OpSet& ended, const std::vector<OpId>& ready) const {
  std::vector<OpId> made = ready;
  const std::size_t known = order_.by_arrival ? ready.size() : 0;
  for (std::uint32_t k = problem_.first[op]; k < problem_.first[op + 1]; ++k) {
    const OpId next = problem_.targets[k];
    if (!std::ranges::all_of(before_[next], [&](OpId p) { return holds_op(ended, p); })) continue;
    const auto place = std::lower_bound(made.begin() + static_cast<std::ptrdiff_t>(known), made.end(), next,
                                        [&](OpId a, OpId b) { return order_.rank[a] < order_.rank[b]; });
    if (place == made.end() || *place != next) made.insert(place, next);
  }
  return made;
}

void ListRule::start(std::vector<OpId>& running, std::vector<OpId>& ready) const {
  std::vector<std::uint32_t> busy(problem_.cores.size(), 0);
  std::vector<bool> held(problem_.exclusive.size(), false);
  const auto take = [&](OpId op) {
    ++busy[problem_.ops[op].core_class];
    for (const std::uint32_t mutex : mutexes_[op]) held[mutex] = true;
  };
  for (const OpId op : running) take(op);
  std::erase_if(ready, [&](OpId op) {
    const std::uint32_t core_class = problem_.ops[op].core_class;
    const std::uint32_t cores = problem_.cores[core_class];
    if (cores != 0 && busy[core_class] == cores) return false;
    if (std::ranges::any_of(mutexes_[op], [&](std::uint32_t mutex) { return held[mutex]; })) return false;
    take(op);
    running.push_back(op);
    return true;
  });
  std::ranges::sort(running);
}

}  // namespace detent::verify
