// Bounds of longer times, computed again for each group of ops -> what to measure first.
#include "app/bound/sensitivity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "app/bound/list_bound.hpp"
#include "base/counted.hpp"
#include "base/units.hpp"
#include "reports/view/desc_view.hpp"

namespace detent::app {
namespace {

using verify::kUnknownPs;

/// Visits of ops by all analytic bounds of all groups, about.
constexpr std::uint64_t kMostVisits = 40'000'000;

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

/// Ops with a time, those of one guess together, in the order of their first ops.
std::vector<TimeGroup> groups_of(const LoadedModel& whole, const reports::TimeGrounds& times) {
  const detent_desc& desc = whole.desc();
  std::vector<TimeGroup> groups;
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> known;
  for (OpId op = 0; op < desc.op_count; ++op) {
    if (times.worst_ps[op] == 0) continue;
    const std::string kernel = reports::kernel_name(&desc, op), core = reports::class_name(&desc, op);
    const bool is_shared = is_guess(times.sources[op]);
    const auto key = std::tuple(is_shared ? kernel : std::to_string(op), core, times.reasons[op]);
    const auto [place, is_new] = known.try_emplace(key, groups.size());
    if (is_new) {
      groups.push_back({.name = is_shared ? kernel : reports::op_name(&desc, op),
                        .core = core,
                        .source = times.classes[op],
                        .reason = times.reasons[op],
                        .is_guess = is_shared});
    }
    TimeGroup& group = groups[place->second];
    group.ops.push_back(op);
    group.worst_ps += std::min(UINT64_MAX - group.worst_ps, times.worst_ps[op]);
  }
  return groups;
}

std::string describe(const TimeGroup& group) {
  const std::string which = group.is_guess
                                ? fmt::format("{} on {} ({})", group.name, group.core, counted(group.ops.size(), "op"))
                                : group.name;
  return fmt::format("{}: {}, {}; {} % longer makes the bound {} longer", which, group.source, group.reason,
                     kLongerPercent, format_time(*group.moves_ps));
}

}  // namespace

Sensitivity find_sensitivity(const BoundedCases& bounded, const LoadedModel& whole, const reports::TimeGrounds& times,
                             const SensitivityLimits& limits) {
  Sensitivity made;
  const verify::Bound* lowest = lowest_bound(bounded.found);
  if (lowest == nullptr) return made;
  made.groups = groups_of(whole, times);
  made.all = made.groups.size();
  std::ranges::stable_sort(made.groups, std::ranges::greater(), &TimeGroup::worst_ps);
  const std::uint64_t visits = std::uint64_t{8} * bounded.cases.size() *
                               (whole.desc().op_count + std::uint64_t{whole.desc().successor_count} + 1);
  const std::size_t most = std::min<std::size_t>(limits.groups, std::max<std::uint64_t>(1, kMostVisits / visits));
  if (made.groups.size() > most) {
    made.groups.resize(most);
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

void add_sensitivity(const Sensitivity& sensitivity, Json& answer) {
  answer["sensitivity"] = {{"longer_percent", kLongerPercent},
                           {"groups", sensitivity.groups.size()},
                           {"of_groups", sensitivity.all},
                           {"limit", sensitivity.limit}};
  Json list = Json::array();
  for (const TimeGroup& group : sensitivity.groups) {
    list.push_back({{"name", group.name},
                    {"core", group.core},
                    {"ops", group.ops},
                    {"worst_ps", group.worst_ps},
                    {"class", group.source},
                    {"source", group.reason},
                    {"is_guess", group.is_guess},
                    {"moves_ps", group.moves_ps ? Json(*group.moves_ps) : Json(nullptr)}});
  }
  answer["measure_first"] = std::move(list);
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
                    describe(group));
  }
  if (full && !sensitivity.limit.empty()) lines.push_back("  of " + sensitivity.limit);
  return lines;
}

}  // namespace detent::app
