#include "sim/campaign/statistics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/assert.hpp"

namespace detent::sim {
namespace {

constexpr double kMissed = 0.025;  // of an interval of 95 %, at each end

/// The binomial distribution where it is not negligible: P(X = first + i) = chance[i]. Only sums, products and
/// quotients, so that every machine has the same bits.
struct Binomial {
  std::uint64_t first = 0;
  std::vector<double> chance{};
};

Binomial binomial(std::uint64_t count, std::uint32_t percent) {
  constexpr double kNegligible = 1e-20;  // of the largest
  const double odds = static_cast<double>(percent) / static_cast<double>(100 - percent);
  const std::uint64_t mode = (count + 1) * percent / 100;
  const auto up = [&](std::uint64_t k) { return static_cast<double>(count - k) / static_cast<double>(k + 1) * odds; };
  std::vector<double> below;  // from mode - 1 down
  double weight = 1;
  for (std::uint64_t k = mode; k > 0 && weight > kNegligible; --k) below.push_back(weight /= up(k - 1));
  Binomial made{mode - below.size(), {below.rbegin(), below.rend()}};
  weight = 1;
  for (std::uint64_t k = mode; weight > kNegligible; ++k) {
    made.chance.push_back(weight);
    weight *= up(k);
  }
  double sum = 0;
  for (const double each : made.chance) sum += each;
  for (double& each : made.chance) each /= sum;
  return made;
}

constexpr unsigned kDigitBits = 14;
constexpr std::size_t kSmall = 1U << 15U;  // below, a copy is cheaper than passes

std::uint64_t first_run_with(const std::vector<std::uint64_t>& makespans_ps, std::uint64_t value_ps) {
  return static_cast<std::uint64_t>(std::find(makespans_ps.begin(), makespans_ps.end(), value_ps) -
                                    makespans_ps.begin());
}

/// Narrows [low, high] by counting how many values fall into each of 2^14 equal parts.
std::uint64_t rank_by_counting(const std::vector<std::uint64_t>& values, std::uint64_t rank) {
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  std::uint64_t low = *least;
  std::uint64_t high = *greatest;
  std::vector<std::uint64_t> counts;
  while (low < high) {
    const auto width = static_cast<unsigned>(std::bit_width(high - low));
    const unsigned shift = width > kDigitBits ? width - kDigitBits : 0;
    counts.assign(((high - low) >> shift) + 1, 0);
    for (const std::uint64_t value : values) {
      if (value - low <= high - low) ++counts[(value - low) >> shift];
    }
    std::uint64_t part = 0;
    for (; rank > counts[part]; ++part) rank -= counts[part];
    low += part << shift;
    high = low + std::min(high - low, (std::uint64_t{1} << shift) - 1);
  }
  return low;
}

}  // namespace

std::uint64_t value_of_rank(const std::vector<std::uint64_t>& values, std::uint64_t rank) {
  DETENT_ASSERT(rank >= 1);
  DETENT_ASSERT(rank <= values.size());
  if (values.size() > kSmall) return rank_by_counting(values, rank);
  std::vector<std::uint64_t> copy = values;
  const auto place = copy.begin() + static_cast<std::ptrdiff_t>(rank - 1);
  std::nth_element(copy.begin(), place, copy.end());
  return *place;
}

std::uint64_t nearest_rank(const std::vector<std::uint64_t>& values, std::uint32_t percent) {
  const std::uint64_t rank = (values.size() * percent + 99) / 100;
  return value_of_rank(values, std::max<std::uint64_t>(rank, 1));
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> interval_ranks(std::uint64_t count, std::uint32_t percent) {
  DETENT_ASSERT(percent >= 1 && percent <= 99);
  if (count < fewest_for_interval(percent)) return std::nullopt;
  const Binomial values_below = binomial(count, percent);
  const std::vector<double>& chance = values_below.chance;
  // The value of rank r is above the quantile where fewer than r values are below it.
  std::size_t low = 0, high = chance.size();
  double missed = 0;
  while (missed + chance[low] <= kMissed) missed += chance[low++];
  missed = 0;
  while (missed + chance[high - 1] <= kMissed) missed += chance[--high];
  return std::pair(std::max<std::uint64_t>(values_below.first + low, 1), std::min(values_below.first + high, count));
}

std::uint64_t fewest_for_interval(std::uint32_t percent) {
  const double rarer = static_cast<double>(std::max(percent, 100 - percent)) / 100;
  std::uint64_t count = 0;
  for (double all_on_one_side = 1; all_on_one_side > kMissed; all_on_one_side *= rarer) ++count;
  return count;
}

Percentile percentile(const std::vector<std::uint64_t>& values, std::uint32_t percent) {
  Percentile made{.value_ps = nearest_rank(values, percent), .needs_runs = fewest_for_interval(percent)};
  const auto ranks = interval_ranks(values.size(), percent);
  if (!ranks) return made;
  made.has_interval = true;
  made.low_ps = value_of_rank(values, ranks->first);
  made.high_ps = value_of_rank(values, ranks->second);
  return made;
}

Summary summarize(const std::vector<std::uint64_t>& makespans_ps) {
  DETENT_ASSERT(!makespans_ps.empty());
  const auto [least, greatest] = std::minmax_element(makespans_ps.begin(), makespans_ps.end());
  Summary summary;
  summary.min_ps = *least;
  summary.median_ps = nearest_rank(makespans_ps, 50);
  summary.p99_ps = nearest_rank(makespans_ps, 99);
  summary.max_ps = *greatest;
  summary.worst_run = first_run_with(makespans_ps, summary.max_ps);
  summary.median_run = first_run_with(makespans_ps, summary.median_ps);
  return summary;
}

Moments moments(const std::vector<std::uint64_t>& makespans_ps) {
  DETENT_ASSERT(!makespans_ps.empty());
  __extension__ unsigned __int128 sum = 0;
  for (const std::uint64_t value : makespans_ps) sum += value;
  const auto count = static_cast<double>(makespans_ps.size());
  Moments result;
  result.mean_ps = static_cast<double>(sum) / count;
  if (makespans_ps.size() < 2) return result;
  double squares = 0;
  for (const std::uint64_t value : makespans_ps) {
    const double deviation = static_cast<double>(value) - result.mean_ps;
    squares += deviation * deviation;
  }
  result.standard_error_ps = std::sqrt(squares / (count - 1) / count);
  return result;
}

std::vector<std::uint64_t> largest(const std::vector<std::uint64_t>& values, std::uint32_t count) {
  const auto is_larger = [&values](std::uint64_t a, std::uint64_t b) {
    return values[a] != values[b] ? values[a] > values[b] : a < b;
  };
  std::vector<std::uint64_t> heap;  // the smallest of those kept is on top
  for (std::uint64_t i = 0; i < values.size() && count > 0; ++i) {
    if (heap.size() == count) {
      if (values[i] <= values[heap.front()]) continue;
      std::pop_heap(heap.begin(), heap.end(), is_larger);
      heap.pop_back();
    }
    heap.push_back(i);
    std::push_heap(heap.begin(), heap.end(), is_larger);
  }
  std::sort_heap(heap.begin(), heap.end(), is_larger);
  return heap;
}

Histogram histogram(const std::vector<std::uint64_t>& makespans_ps, std::uint32_t bins) {
  DETENT_ASSERT(!makespans_ps.empty());
  DETENT_ASSERT(bins > 0);
  const auto [least, greatest] = std::minmax_element(makespans_ps.begin(), makespans_ps.end());
  Histogram result;
  result.from_ps = *least;
  result.width_ps = (*greatest - *least) / bins + 1;
  result.counts.assign((*greatest - *least) / result.width_ps + 1, 0);
  for (const std::uint64_t value : makespans_ps) ++result.counts[(value - result.from_ps) / result.width_ps];
  return result;
}

}  // namespace detent::sim
