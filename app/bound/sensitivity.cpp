// Bounds of longer times, computed again for each group of ops -> what to measure first.
#include "app/bound/sensitivity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "app/bound/list_bound.hpp"
#include "base/counted.hpp"
#include "reports/text/budget_text.hpp"
#include "reports/view/desc_view.hpp"

namespace detent::app {
namespace {

using verify::kUnknownPs;

/// Bounds once more, within the limits on exact analyses.
class Recomputed {
 public:
  Recomputed(const BoundedCases& bounded, std::uint64_t states)
      : bounded_(bounded), methods_(counted_methods(bounded.found)), states_(states) {}

  /// The lowest bound of times that are longer; none: a limit ended it.
  std::optional<std::uint64_t> lowest_ps(const std::vector<OpId>& longer) {
    std::vector<std::uint64_t> most(methods_.size(), 0);
    for (BoundCase one : bounded_.cases) {
      one.spec.longer = longer;
      const PlatformProblems problems = timing_problems(one.loaded->desc(), bounded_.platform, one.spec);
      for (std::size_t i = 0; i < methods_.size(); ++i) {
        most[i] = std::max(most[i], bound_ps(methods_[i], one, problems));
      }
    }
    const std::uint64_t lowest = most.empty() ? kUnknownPs : *std::ranges::min_element(most);
    return lowest == kUnknownPs ? std::nullopt : std::optional(lowest);
  }

  [[nodiscard]] bool is_limited() const { return is_limited_; }

 private:
  std::uint64_t bound_ps(const std::string& method, const BoundCase& one, const PlatformProblems& problems) {
    if (method == "lists") {
      return list_bound(carried_lists(one.loaded->desc(), one.loaded->given_workers), problems, bounded_.platform)
          .bound.bound_ps;
    }
    if (method != "exact") return upper_bound(find_upper_bound(method), problems, bounded_.platform, one.spec).bound_ps;
    ExactQuestion question = bounded_.exact;
    question.max_states = std::min(question.max_states, states_);
    question.with_run = false;
    is_limited_ = is_limited_ || states_ == 0;
    if (states_ == 0) return kUnknownPs;
    const ExactBound exact = exact_bound(one.loaded->desc(), problems, bounded_.platform, one.spec, question);
    states_ -= std::min(states_, exact.summary.states);
    is_limited_ = is_limited_ || !exact.summary.is_complete;
    return exact.summary.is_complete ? exact.bound.bound_ps : kUnknownPs;
  }

  const BoundedCases& bounded_;
  std::vector<std::string> methods_;
  std::uint64_t states_;
  bool is_limited_ = false;
};

bool is_guess(const std::string& source) { return source == "assumed" || source == "modelled"; }

TimeGroup group_of(const detent_desc& desc, const reports::TimeGrounds& times, OpId op, bool is_shared) {
  return {.ops = {op},
          .name = is_shared ? reports::kernel_name(&desc, op) : reports::op_name(&desc, op),
          .core = reports::class_name(&desc, op),
          .time = times.classes[times.class_of[op]],
          .is_guess = is_shared,
          .worst_ps = times.worst_ps[op]};
}

/// Ops with a time, those of one guess together; the longest first. @param all  gets how many groups there are
std::vector<TimeGroup> groups_of(const detent_desc& desc, const reports::TimeGrounds& times, std::size_t most,
                                 std::size_t& all) {
  std::vector<TimeGroup> groups;
  std::vector<OpId> singles;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::size_t> known;
  for (OpId op = 0; op < desc.op_count; ++op) {
    if (times.worst_ps[op] == 0) continue;
    if (!is_guess(times.sources[op])) {
      singles.push_back(op);
      continue;
    }
    const auto key = std::tuple(desc.ops[op].kernel, desc.ops[op].core_class, times.class_of[op]);
    const auto [place, is_new] = known.try_emplace(key, groups.size());
    if (is_new) {
      groups.push_back(group_of(desc, times, op, true));
      continue;
    }
    TimeGroup& group = groups[place->second];
    group.ops.push_back(op);
    group.worst_ps += std::min(UINT64_MAX - group.worst_ps, times.worst_ps[op]);
  }
  all = groups.size() + singles.size();
  std::ranges::stable_sort(singles, std::ranges::greater(), [&](OpId op) { return times.worst_ps[op]; });
  singles.resize(std::min(singles.size(), most));
  for (const OpId op : singles) groups.push_back(group_of(desc, times, op, false));
  std::ranges::stable_sort(groups, std::ranges::greater(), &TimeGroup::worst_ps);
  groups.resize(std::min(groups.size(), most));
  return groups;
}

}  // namespace

Sensitivity find_sensitivity(const BoundedCases& bounded, const LoadedModel& whole, const reports::TimeGrounds& times,
                             const SensitivityLimits& limits) {
  Sensitivity made;
  const verify::Bound* lowest = lowest_bound(bounded.found);
  if (lowest == nullptr) return made;
  if (bounded.cases.size() > 1 && bounded.found.exact && !bounded.found.exact->is_complete) {
    made.limit = "the exact analysis has not ended for all outcomes; raise --max-states";
    return made;
  }
  const std::uint64_t visits = std::uint64_t{8} * bounded.cases.size() *
                               (whole.desc().op_count + std::uint64_t{whole.desc().successor_count} + 1);
  const std::size_t most = std::min<std::size_t>(limits.groups, std::max<std::uint64_t>(1, limits.visits / visits));
  made.groups = groups_of(whole.desc(), times, most, made.all);
  if (made.groups.size() < made.all) {
    made.limit = fmt::format("the {} with the longest times of {}", counted(most, "group"), made.all);
  }
  Recomputed recomputed(bounded, limits.states);
  for (TimeGroup& group : made.groups) {
    const std::optional<std::uint64_t> longer_ps = recomputed.lowest_ps(group.ops);
    if (longer_ps) group.moves_ps = std::max(*longer_ps, lowest->bound_ps) - lowest->bound_ps;
  }
  if (recomputed.is_limited()) {
    made.limit += fmt::format("{}more than {} symbolic states together; --budget allows --max-states",
                              made.limit.empty() ? "" : "; ", limits.states);
  }
  const auto urgency = [](const TimeGroup& group) {
    return std::tuple(group.is_guess && group.moves_ps.value_or(0) > 0, group.moves_ps.value_or(0));
  };
  std::ranges::stable_sort(made.groups, std::ranges::greater(), urgency);
  return made;
}

Lines measure_first_lines(const Sensitivity& sensitivity, bool full) {
  constexpr std::size_t kShown = 5;
  Lines lines;
  for (const TimeGroup& group : sensitivity.groups) {
    if (group.moves_ps.value_or(0) == 0 || lines.size() == (full ? kShown : 1)) break;
    if (!full && !group.is_guess) break;
    const bool is_first = lines.empty();
    lines.push_back((is_first && group.is_guess ? "measure first: "
                     : is_first                 ? "moves it most: "
                                                : "  then ") +
                    reports::moves_text(group));
  }
  if (full && !sensitivity.limit.empty()) lines.push_back("  of " + sensitivity.limit);
  return lines;
}

}  // namespace detent::app
