#include "verify/timing/zones/zone.hpp"

#include <algorithm>

namespace detent::verify {

bool covers(const ZoneView& known, const ZoneView& zone, std::span<const std::int64_t> best_ps, ZoneUse use) {
  for (std::size_t a = 0; a < zone.size(); ++a) {
    if (a == ZoneView::kOrigin && use == kForLatest) continue;
    for (std::size_t b = use == kForEarliest ? ZoneView::kNow : ZoneView::kOrigin; b < zone.size(); ++b) {
      if (known.at(a, b) < bound_to_cover(zone, a, b, best_ps)) return false;
    }
  }
  return true;
}

bool contains(const ZoneView& known, const ZoneView& zone) {
  for (std::size_t a = 0; a < zone.size(); ++a) {
    for (std::size_t b = 0; b < zone.size(); ++b) {
      if (known.at(a, b) < zone.at(a, b)) return false;
    }
  }
  return true;
}

void let_time_pass(std::span<const std::int64_t> worst_ps, std::vector<std::int64_t>& bounds) {
  const std::size_t size = worst_ps.size() + ZoneView::kFirstOp;
  std::int64_t* const now = &bounds[ZoneView::kNow * size];
  for (std::size_t j = 0; j < size; ++j) {
    if (j == ZoneView::kNow) continue;
    now[j] = worst_ps[0] + bounds[ZoneView::kFirstOp * size + j];
    for (std::size_t k = 1; k < worst_ps.size(); ++k) {
      now[j] = std::min(now[j], worst_ps[k] + bounds[(ZoneView::kFirstOp + k) * size + j]);
    }
  }
}

bool ZoneEnd::end(std::size_t i, std::int64_t best_ps) {
  if (zone_.at(ZoneView::kNow, ZoneView::kFirstOp + i) < best_ps) return false;
  for (std::size_t j = 0; j < zone_.size(); ++j) {
    below_[j] = std::min(zone_.at(j, ZoneView::kNow), zone_.at(j, ZoneView::kFirstOp + i) - best_ps);
  }
  below_[ZoneView::kNow] = 0;
  return true;
}

void ZoneEnd::make(std::span<const std::size_t> from, std::vector<std::int64_t>& bounds) const {
  const std::size_t size = from.size() + ZoneView::kFirstOp;
  bounds.resize(size * size);
  const auto old = [&](std::size_t v) { return v < ZoneView::kFirstOp ? v : from[v - ZoneView::kFirstOp]; };
  std::int64_t* to = bounds.data();
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t a = old(i);
    for (std::size_t j = 0; j < size; ++j) *to++ = std::min(zone_.at(a, old(j)), below_[a] + above(old(j)));
  }
}

}  // namespace detent::verify
