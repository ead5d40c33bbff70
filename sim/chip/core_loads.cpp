#include "sim/chip/core_loads.hpp"

#include <algorithm>
#include <utility>

#include "sim/cost/jitter.hpp"
#include "sim/types/wide.hpp"

namespace detent::sim {
namespace {

std::uint64_t add_checked(std::uint64_t a, std::uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

}  // namespace

CoreLoads::CoreLoads(const std::vector<Load>& loads, std::vector<std::uint32_t> mine)
    : loads_(&loads), mine_(std::move(mine)) {}

void CoreLoads::begin(std::uint64_t begin_ps, std::uint64_t seed) {
  begin_ps_ = begin_ps;
  seed_ = seed;
  busy_until_ps_ = begin_ps;
  stretches_.clear();
  next_.clear();
  for (const std::uint32_t load : mine_) next_.push_back({load, 0, release_ps(load, 0)});
}

std::uint64_t CoreLoads::release_ps(std::uint32_t load, std::uint64_t number) const {
  const Load& each = (*loads_)[load];
  const std::uint64_t bits = mix_bits(seed_ ^ mix_bits((static_cast<std::uint64_t>(load) << 40U) + number + 1));
  const Wide nominal = static_cast<Wide>(each.period_ps) * number + each.offset_ps;
  if (nominal > UINT64_MAX / 2) return kNever;
  return add_checked(begin_ps_, static_cast<std::uint64_t>(nominal) + scale_bits(bits, each.jitter_ps));
}

std::size_t CoreLoads::earliest() const {
  std::size_t best = 0;
  for (std::size_t i = 1; i < next_.size(); ++i) {
    if (next_[i].release_ps < next_[best].release_ps) best = i;
  }
  return best;
}

void CoreLoads::advance(std::uint64_t now_ps) {
  while (!next_.empty()) {
    Next& next = next_[earliest()];
    if (next.release_ps > now_ps || next.release_ps == kNever) return;
    const std::uint64_t start_ps = std::max(busy_until_ps_, next.release_ps);
    busy_until_ps_ = add_checked(start_ps, (*loads_)[next.load].duration_ps);
    if (keep_) stretches_.push_back({next.load, start_ps, busy_until_ps_});
    ++next.number;
    next.release_ps = release_ps(next.load, next.number);
  }
}

std::uint64_t CoreLoads::next_change_ps(std::uint64_t now_ps) const {
  if (taken(now_ps)) return busy_until_ps_;
  return next_.empty() ? kNever : next_[earliest()].release_ps;
}

}  // namespace detent::sim
