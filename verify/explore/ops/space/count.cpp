// Counting: groups, the recurrence over sleep sets, enumeration, Knuth's estimate.
#include "verify/explore/ops/space/count.hpp"

#include <algorithm>
#include <cmath>

#include "verify/explore/ops/space/enumerate.hpp"
#include "verify/explore/ops/space/recurrence.hpp"

namespace detent::verify::explore {
namespace {

constexpr std::uint32_t kMaxRecurrenceEvents = 256;
constexpr std::uint64_t kQuickStates = std::uint64_t{1} << 16U;

TraceCount count_group(const DependenceGraph& graph, const CountLimits& limits) {
  TraceCount count{0, false, false};
  if (graph.size() <= kMaxRecurrenceEvents) count = count_by_recurrence(graph, limits.max_states);
  if (count.exact || count.overflow) return count;
  if (graph.size() > kMaxEvents) return {2, false, false};  // a conflict is open both ways
  return count_by_enumeration(graph, limits.max_leaves);
}

void multiply(TraceCount& product, const TraceCount& factor) {
  Count128 result = 0;
  if (__builtin_mul_overflow(product.total, factor.total, &result)) {
    product = {~Count128{0}, false, true};
    return;
  }
  product.total = result;
  product.exact = product.exact && factor.exact;
  product.overflow = product.overflow || factor.overflow;
}

/// Mean and its standard error over samples of one group, as a share of the mean, so that large numbers cannot
/// overflow before the groups are multiplied.
struct Sampled {
  double log_mean = 0;
  double relative_variance = 0;  ///< of the mean
};

Sampled sample_group(const DependenceGraph& graph, std::uint64_t samples, Random& random) {
  std::vector<double> logs;
  with_walk(graph, [&](auto walk) {
    for (std::uint64_t i = 0; i < samples; ++i) {
      walk.sample(random, [&](const auto&, double log_weight) { logs.push_back(log_weight); });
    }
  });
  const double peak = *std::max_element(logs.begin(), logs.end());
  double sum = 0;
  double squares = 0;
  for (const double value : logs) {
    const double scaled = std::exp(value - peak);
    sum += scaled;
    squares += scaled * scaled;
  }
  const auto n = static_cast<double>(samples);
  const double mean = sum / n;
  const double variance = samples < 2 ? 0 : std::max(0.0, squares / n - mean * mean) * n / (n - 1);
  return {peak + std::log(mean), variance / n / (mean * mean)};
}

}  // namespace

TraceCount count_by_recurrence(const DependenceGraph& graph, std::uint64_t max_states) {
  const std::uint32_t words = graph.after.words();
  if (words <= 1) return Recurrence<1>(graph, max_states).count();
  if (words == 2) return Recurrence<2>(graph, max_states).count();
  return Recurrence<4>(graph, max_states).count();
}

TraceCount count_by_enumeration(const DependenceGraph& graph, std::uint64_t max_leaves) {
  return with_walk(graph, [&](auto walk) {
    std::uint64_t left = max_leaves;
    bool cut = false;
    const std::uint64_t visited = walk.enumerate([&](const auto&) {
      cut = left == 0;
      if (!cut) --left;
      return !cut;
    });
    return TraceCount{visited, !cut, false};
  });
}

TraceCount count_traces(const DependenceGraph& graph, const CountLimits& limits) {
  TraceCount product;
  for (const std::vector<std::uint32_t>& group : independent_groups(graph)) {
    multiply(product, count_group(restrict_graph(graph, group), limits));
  }
  return product;
}

std::uint64_t count_quickly(const DependenceGraph& graph) {
  const TraceCount count = count_traces(graph, {.max_states = kQuickStates, .max_leaves = 0});
  return count.exact && count.total <= UINT64_MAX ? static_cast<std::uint64_t>(count.total) : 0;
}

TraceEstimate estimate_traces(const DependenceGraph& graph, std::uint64_t samples, std::uint64_t seed) {
  Random random(seed);
  double log_total = 0;
  double relative_variance = 0;
  for (const std::vector<std::uint32_t>& group : independent_groups(graph)) {
    const Sampled sampled = sample_group(restrict_graph(graph, group), samples, random);
    log_total += sampled.log_mean;
    // (1 + r)(1 + s) - 1: the product of independent means.
    relative_variance = (1 + relative_variance) * (1 + sampled.relative_variance) - 1;
  }
  const double total = std::exp(log_total);
  return {total, total * std::sqrt(relative_variance), samples};
}

}  // namespace detent::verify::explore
