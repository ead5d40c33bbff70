#include "verify/abstraction/state.hpp"

#include <algorithm>
#include <utility>

namespace detent::verify {
namespace {

/// Calls `lower(a, b)` with each earliest time of two states, and `upper(a, b)` with each latest one.
template <typename State, typename Lower, typename Upper>
void for_each_time(State& a, const AbstractState& b, Lower lower, Upper upper) {
  lower(a.now_ps, b.now_ps);
  lower(a.ends_ps, b.ends_ps);
  for (std::size_t i = 0; i < a.is_free_ps.size(); ++i) {
    lower(a.may_be_free_ps[i], b.may_be_free_ps[i]);
    upper(a.is_free_ps[i], b.is_free_ps[i]);
  }
  for (std::size_t i = 0; i < a.ends.size(); ++i) {
    lower(a.ends[i].earliest_ps, b.ends[i].earliest_ps);
    upper(a.ends[i].latest_ps, b.ends[i].latest_ps);
  }
}

/// By how much a state is widened that has to cover another; a sum of doubles, since it only chooses.
double widening(const AbstractState& known, const AbstractState& state) {
  double sum = 0;
  for_each_time(
      known, state,
      [&](std::int64_t a, std::int64_t b) { sum += static_cast<double>(std::max<std::int64_t>(a - b, 0)); },
      [&](std::int64_t a, std::int64_t b) { sum += static_cast<double>(std::max<std::int64_t>(b - a, 0)); });
  return sum;
}

}  // namespace

bool covers(const AbstractState& known, const AbstractState& state) {
  bool all = true;
  for_each_time(
      known, state, [&](std::int64_t a, std::int64_t b) { all = all && a <= b; },
      [&](std::int64_t a, std::int64_t b) { all = all && a >= b; });
  for (std::size_t i = 0; i < known.ends.size(); ++i) {
    all = all && (!known.ends[i].has_last_core || state.ends[i].has_last_core);
  }
  return all;
}

void merge(AbstractState& known, const AbstractState& state) {
  for_each_time(
      known, state, [](std::int64_t& a, std::int64_t b) { a = std::min(a, b); },
      [](std::int64_t& a, std::int64_t b) { a = std::max(a, b); });
  for (std::size_t i = 0; i < known.ends.size(); ++i) {
    known.ends[i].has_last_core = known.ends[i].has_last_core && state.ends[i].has_last_core;
  }
}

void StateSet::add(AbstractState state, std::size_t width) {
  if (std::ranges::any_of(states_, [&](const AbstractState& known) { return covers(known, state); })) return;
  std::erase_if(states_, [&](const AbstractState& known) { return covers(state, known); });
  if (states_.size() < width) {
    states_.push_back(std::move(state));
    return;
  }
  merge(*std::ranges::min_element(states_, {}, [&](const AbstractState& known) { return widening(known, state); }),
        state);
}

}  // namespace detent::verify
