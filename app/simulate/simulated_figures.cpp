#include "app/simulate/simulated_figures.hpp"

#include "app/simulate/chosen_text.hpp"

namespace detent::app {
namespace {

reports::Percentile percentile_of(const char* name, const sim::Percentile& seen) {
  return {.name = name,
          .value_ps = seen.value_ps,
          .has_interval = seen.has_interval,
          .low_ps = seen.low_ps,
          .high_ps = seen.high_ps,
          .needs_runs = seen.needs_runs};
}

}  // namespace

std::vector<reports::Percentile> percentiles_of(const sim::SimResult& result) {
  if (result.runs == 0) return {};
  return {percentile_of("median", result.median), percentile_of("p99", result.p99)};
}

std::optional<reports::LongRunSearch> search_of(const sim::SimResult& result) {
  if (!result.search || result.search->failed || result.search->runs == 0) return std::nullopt;
  const sim::SearchResult& found = *result.search;
  reports::LongRunSearch made{.runs = found.runs,
                              .all_worst_ps = found.all_worst_ps,
                              .longest_ps = found.longest_ps,
                              .is_longest = result.is_longest_found,
                              .times = chosen_times_text(found.longest, found.ranges),
                              .ties = chosen_ties_text(found.longest)};
  for (std::size_t op = 0; op < found.ranges.size(); ++op) {
    if (found.longest.times_ps[op] < found.ranges[op].worst_ps) ++made.shorter_ops;
  }
  return made;
}

}  // namespace detent::app
