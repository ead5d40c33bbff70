// Witness schedules: an order of ops -> the part that leads to the finding, as every printer shows it.
#include "reports/view/schedule.hpp"

#include <algorithm>

namespace detent::reports {
namespace {

/// One past the last step of `schedule` that is one of `ops`; all of it when none is.
std::size_t end_of_finding(const std::vector<std::uint32_t>& schedule, const std::vector<std::uint32_t>& ops) {
  for (std::size_t end = schedule.size(); end > 0; --end) {
    if (std::find(ops.begin(), ops.end(), schedule[end - 1]) != ops.end()) return end;
  }
  return schedule.size();
}

bool ends_with_pair(const std::vector<std::uint32_t>& steps, const std::vector<std::uint32_t>& ops) {
  if (ops.size() != 2 || steps.size() < 2) return false;
  const std::uint32_t last = steps[steps.size() - 1];
  const std::uint32_t previous = steps[steps.size() - 2];
  return (previous == ops[0] && last == ops[1]) || (previous == ops[1] && last == ops[0]);
}

}  // namespace

ScheduleView view_schedule(const verify::Witness& witness, bool may_race, std::size_t max_steps) {
  ScheduleView view;
  const auto begin = witness.schedule.begin();
  view.prefix.assign(begin, begin + static_cast<std::ptrdiff_t>(end_of_finding(witness.schedule, witness.ops)));
  view.is_race = may_race && ends_with_pair(view.prefix, witness.ops);
  if (view.is_race) view.prefix.resize(view.prefix.size() - 2);
  if (view.prefix.size() > max_steps) {
    view.cut = view.prefix.size() - max_steps;
    view.prefix.erase(view.prefix.begin(), view.prefix.begin() + static_cast<std::ptrdiff_t>(view.cut));
  }
  return view;
}

}  // namespace detent::reports
