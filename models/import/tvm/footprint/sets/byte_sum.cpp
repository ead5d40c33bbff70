// Small strides first: what fills gaps collapses into one interval before the large strides copy it.
#include "models/import/tvm/footprint/sets/byte_sum.hpp"

#include <algorithm>
#include <utility>

namespace detent::models::tvm::footprint {
namespace {

/// {0..n-1}*t + {0..m-1}*k*t == {0..n-1+k*(m-1)}*t if k <= n.
std::vector<Progression> merged(std::vector<Progression> all) {
  std::sort(all.begin(), all.end(), [](const Progression& a, const Progression& b) { return a.stride < b.stride; });
  std::vector<Progression> result;
  for (const Progression& next : all) {
    bool absorbed = false;
    for (Progression& earlier : result) {
      if (next.stride % earlier.stride != 0 || next.stride / earlier.stride > earlier.count) continue;
      earlier.count += next.stride / earlier.stride * (next.count - 1);
      absorbed = true;
      break;
    }
    if (!absorbed) result.push_back(next);
  }
  return result;
}

void fill(ByteSet& set, std::int64_t span) {
  const ByteInterval hull = set.hull();
  set = ByteSet(ByteInterval{hull.begin, hull.end + span});
}

/// set + {0, s, ..., (n-1)s}, doubling: n copies cost no more than the result.
bool add_copies(ByteSet& set, const Progression& by, std::uint64_t max_intervals) {
  const std::int64_t span = by.stride * (by.count - 1);
  const bool is_dense = set.intervals().size() == 1 && set.size_bytes() >= static_cast<std::uint64_t>(by.stride);
  if (is_dense) {
    fill(set, span);
    return true;
  }
  const ByteInterval hull = set.hull();
  const bool stays_apart = by.stride > hull.end - hull.begin;
  if (stays_apart && static_cast<std::uint64_t>(by.count) > max_intervals / set.intervals().size()) {
    fill(set, span);
    return false;
  }
  const ByteSet before = set;
  for (std::int64_t copies = 1; copies < by.count;) {
    if (set.intervals().size() > max_intervals / 2) {
      set = before;
      fill(set, span);
      return false;
    }
    const std::int64_t more = std::min(copies, by.count - copies);
    set.unite(set.shifted(by.stride * more));
    copies += more;
  }
  return true;
}

bool add_each(ByteSet& set, const std::vector<std::int64_t>& points, std::uint64_t max_intervals) {
  if (set.intervals().size() > max_intervals / points.size()) {
    set = set.shifted(points.front());
    fill(set, points.back() - points.front());
    return false;
  }
  std::vector<ByteInterval> all;
  all.reserve(set.intervals().size() * points.size());
  for (const std::int64_t point : points) {
    for (const ByteInterval& one : set.intervals()) all.push_back({one.begin + point, one.end + point});
  }
  set = ByteSet::of(std::move(all));
  return true;
}

std::int64_t least_gap(const std::vector<std::int64_t>& points) {
  std::int64_t gap = INT64_MAX;
  for (std::size_t i = 1; i < points.size(); ++i) gap = std::min(gap, points[i] - points[i - 1]);
  return gap;
}

/// The length of the run with one stride at the front, if all points are shifted copies of that run; else 0.
std::size_t repeated_run(const std::vector<std::int64_t>& points) {
  const std::int64_t stride = points[1] - points[0];
  std::size_t run = 2;
  while (run < points.size() && points[run] - points[run - 1] == stride) ++run;
  if (points.size() % run != 0) return 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::size_t place = i % run;
    if (points[i] != points[i - place] + static_cast<std::int64_t>(place) * stride) return 0;
  }
  return run;
}

}  // namespace

void Summands::add_progression(std::int64_t stride, std::int64_t count) {
  if (stride == 0 || count <= 1) return;
  if (stride < 0) {
    offset += stride * (count - 1);
    stride = -stride;
  }
  progressions.push_back({stride, count});
}

void Summands::add_points(std::vector<std::int64_t> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  while (values.size() > 1) {
    const std::size_t run = repeated_run(values);
    if (run == 0) {
      points.push_back(std::move(values));
      return;
    }
    progressions.push_back({values[1] - values[0], static_cast<std::int64_t>(run)});
    std::vector<std::int64_t> starts;
    for (std::size_t i = 0; i < values.size(); i += run) starts.push_back(values[i]);
    values = std::move(starts);
  }
  offset += values.front();
}

SumResult sum_set(const Summands& summands, std::int64_t width, std::uint64_t max_intervals) {
  SumResult result;
  result.bytes = ByteSet(ByteInterval{summands.offset, summands.offset + width});
  const std::vector<Progression> progressions = merged(summands.progressions);
  std::vector<std::vector<std::int64_t>> points = summands.points;
  std::sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return least_gap(a) < least_gap(b); });
  std::size_t next = 0;
  for (const std::vector<std::int64_t>& some : points) {
    const std::int64_t gap = least_gap(some);
    for (; next < progressions.size() && progressions[next].stride <= gap; ++next) {
      result.exact = add_copies(result.bytes, progressions[next], max_intervals) && result.exact;
    }
    result.exact = add_each(result.bytes, some, max_intervals) && result.exact;
  }
  for (; next < progressions.size(); ++next) {
    result.exact = add_copies(result.bytes, progressions[next], max_intervals) && result.exact;
  }
  return result;
}

}  // namespace detent::models::tvm::footprint
