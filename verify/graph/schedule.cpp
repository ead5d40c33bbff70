// Linear extensions as evidence.
#include "verify/graph/schedule.hpp"

#include <stdexcept>

#include "base/ids.hpp"

namespace detent::verify {
namespace {

std::uint64_t splitmix64(std::uint64_t& state) {
  state += 0x9E3779B97F4A7C15ULL;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

/// Uniform below `bound` by rejection.
std::uint64_t random_below(std::uint64_t& state, std::uint64_t bound) {
  const std::uint64_t limit = UINT64_MAX - UINT64_MAX % bound;
  std::uint64_t value = splitmix64(state);
  while (value >= limit) value = splitmix64(state);
  return value % bound;
}

/// Marks, by position, everything that precedes one of two positions.
std::vector<bool> mark_ancestors(const Order& order, std::uint32_t a, std::uint32_t b) {
  std::vector<bool> marked(order.op_count(), false);
  for (std::uint32_t p = std::max(a, b); p-- > 0;) {
    for (const std::uint32_t q : order.successors(p)) {
      if (q == a || q == b || marked[q]) marked[p] = true;
    }
  }
  return marked;
}

}  // namespace

std::vector<std::uint32_t> make_adjacent_schedule(const Order& order, std::uint32_t first, std::uint32_t second) {
  const std::uint32_t a = order.position_of(first);
  const std::uint32_t b = order.position_of(second);
  std::vector<bool> before = mark_ancestors(order, a, b);
  // `second` may not precede `first`; `first` may precede `second` only directly.
  bool possible = a != b && !before[b];
  before[a] = false;
  for (const std::uint32_t q : order.successors(a)) possible = possible && !before[q];
  if (!possible) {
    throw std::invalid_argument("ops " + std::to_string(first) + " and " + std::to_string(second) +
                                " cannot run next to each other in this order; ask for an unordered pair");
  }
  std::vector<std::uint32_t> schedule;
  schedule.reserve(order.op_count());
  for (std::uint32_t p = 0; p < order.op_count(); ++p) {
    if (before[p]) schedule.push_back(order.op_at(p));
  }
  schedule.push_back(first);
  schedule.push_back(second);
  for (std::uint32_t p = 0; p < order.op_count(); ++p) {
    if (!before[p] && p != a && p != b) schedule.push_back(order.op_at(p));
  }
  return schedule;
}

std::vector<std::uint32_t> make_schedule_through(const Order& order, const std::vector<std::uint32_t>& stops) {
  std::vector<std::uint32_t> schedule;
  std::vector<bool> taken(order.op_count(), false);
  schedule.reserve(order.op_count());
  const auto take = [&](std::uint32_t p) {
    if (!taken[p]) schedule.push_back(order.op_at(p));
    taken[p] = true;
  };
  for (const std::uint32_t stop : stops) {
    const std::uint32_t at = order.position_of(stop);
    const std::vector<bool> before = mark_ancestors(order, at, at);
    for (std::uint32_t p = 0; p < at; ++p) {
      if (before[p]) take(p);
    }
    take(at);
  }
  for (std::uint32_t p = 0; p < order.op_count(); ++p) take(p);
  return schedule;
}

std::vector<std::uint32_t> make_random_schedule(const Order& order, std::uint64_t seed) {
  std::vector<std::uint32_t> waiting(order.op_count(), 0);
  for (std::uint32_t p = 0; p < order.op_count(); ++p) {
    for (const std::uint32_t q : order.successors(p)) ++waiting[q];
  }
  std::vector<std::uint32_t> ready;
  for (std::uint32_t p = 0; p < order.op_count(); ++p) {
    if (waiting[p] == 0) ready.push_back(p);
  }
  std::vector<std::uint32_t> schedule;
  schedule.reserve(order.op_count());
  while (!ready.empty()) {
    std::swap(ready[random_below(seed, ready.size())], ready.back());
    const std::uint32_t p = ready.back();
    ready.pop_back();
    schedule.push_back(order.op_at(p));
    for (const std::uint32_t q : order.successors(p)) {
      if (--waiting[q] == 0) ready.push_back(q);
    }
  }
  return schedule;
}

bool is_linear_extension(const detent_desc& desc, const std::vector<std::uint32_t>& schedule) {
  if (schedule.size() != desc.op_count) return false;
  std::vector<std::uint32_t> place(desc.op_count, DETENT_NONE);
  for (std::uint32_t i = 0; i < schedule.size(); ++i) {
    if (schedule[i] >= desc.op_count || place[schedule[i]] != DETENT_NONE) return false;
    place[schedule[i]] = i;
  }
  for (OpId op = 0; op < desc.op_count; ++op) {
    const detent_slice& slice = desc.ops[op].successors;
    for (std::uint32_t k = 0; k < slice.count; ++k) {
      if (place[desc.successors[slice.first + k]] <= place[op]) return false;
    }
  }
  return true;
}

}  // namespace detent::verify
