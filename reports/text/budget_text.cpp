// What a bound counts and what moves it, in words.
#include "reports/text/budget_text.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/counted.hpp"
#include "base/units.hpp"

namespace detent::reports {

std::string parts_text(const BudgetRow& sum) {
  const std::vector<std::pair<const char*, std::uint64_t>> parts = {{"own time", sum.own_ps},
                                                                    {"overhead", sum.overhead_ps},
                                                                    {"interference", sum.interference_sum_ps()},
                                                                    {"transfers and releases", sum.delay_ps},
                                                                    {"waiting", sum.others_ps},
                                                                    {"loads", sum.loads_ps}};
  std::string text;
  for (const auto& [name, time_ps] : parts) {
    if (time_ps != 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, format_time(time_ps));
  }
  return text;
}

std::string moves_text(const TimeGroup& group) {
  const std::string which = group.is_guess
                                ? fmt::format("{} on {} ({})", group.name, group.core, counted(group.ops.size(), "op"))
                                : group.name;
  return fmt::format("{}: {}, {}; {} % longer makes the bound {} longer", which, group.time.name, group.time.reason,
                     kLongerPercent, format_time(group.moves_ps.value_or(0)));
}

}  // namespace detent::reports
