#include "reports/text/simulated_text.hpp"

#include <fmt/format.h>

#include "base/counted.hpp"
#include "base/units.hpp"

namespace detent::reports {

std::string percentile_text(const Percentile& percentile) {
  if (!percentile.has_interval) return fmt::format("{} needs {} runs", percentile.name, percentile.needs_runs);
  std::string low = format_time(percentile.low_ps), high = format_time(percentile.high_ps);
  const std::string value = format_time(percentile.value_ps);
  const auto unit_of = [](const std::string& time) { return time.substr(time.find(' ')); };
  if (unit_of(low) == unit_of(value) && unit_of(high) == unit_of(value)) {
    low.resize(low.find(' '));
    high.resize(high.find(' '));
  }
  return fmt::format("{} {} (95 % CI {} to {})", percentile.name, value, low, high);
}

std::string search_text(const LongRunSearch& search) {
  std::string text = fmt::format("search of {}: every op at its worst time {}, longest {}", counted(search.runs, "run"),
                                 format_time(search.all_worst_ps), format_time(search.longest_ps));
  if (search.shorter_ops != 0) {
    text += fmt::format(" ({} less than {} worst time)",
                        search.shorter_ops == 1 ? "1 op takes" : fmt::format("{} ops take", search.shorter_ops),
                        search.shorter_ops == 1 ? "its" : "their");
  }
  return text;
}

}  // namespace detent::reports
