#include "verify/timing/zone.hpp"

#include <algorithm>

namespace detent::verify {

bool covers(const ZoneView& known, const ZoneView& zone, std::span<const std::int64_t> best_ps, ZoneUse use) {
  for (std::size_t a = 0; a < zone.size(); ++a) {
    if (a == ZoneView::kOrigin && use == kForLatest) continue;
    const std::int64_t passed = zone.at(a, ZoneView::kNow);  // minus the least value of clock a
    for (std::size_t b = 0; b < zone.size(); ++b) {
      if (known.at(a, b) >= zone.at(a, b)) continue;
      if (b == ZoneView::kOrigin) {
        if (use == kForLatest) return false;
      } else if (b == ZoneView::kNow || known.at(a, b) - best_ps[b - ZoneView::kFirstOp] < passed) {
        return false;
      }
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

ZoneEnd::ZoneEnd(const ZoneView& zone, std::span<const std::int64_t> worst_ps)
    : zone_(zone), above_(zone.size()), below_(zone.size()) {
  // Not after the latest end of any op that runs.
  for (std::size_t j = 0; j < zone.size(); ++j) {
    above_[j] = worst_ps[0] + zone.at(ZoneView::kFirstOp, j);
    for (std::size_t k = 1; k < worst_ps.size(); ++k) {
      above_[j] = std::min(above_[j], worst_ps[k] + zone.at(ZoneView::kFirstOp + k, j));
    }
  }
}

bool ZoneEnd::end(std::size_t i, std::int64_t best_ps) {
  for (std::size_t j = 0; j < zone_.size(); ++j) {
    below_[j] = std::min(zone_.at(j, ZoneView::kNow), zone_.at(j, ZoneView::kFirstOp + i) - best_ps);
    if (above_[j] + below_[j] < 0) return false;
  }
  return true;
}

void ZoneEnd::make(std::span<const std::size_t> from, std::vector<std::int64_t>& bounds) const {
  const std::size_t size = from.size() + ZoneView::kFirstOp;
  bounds.resize(size * size);
  // The begin of the run stays; now is the end, and so is the begin of what begins.
  const auto old = [&](std::size_t v) {
    return v == ZoneView::kOrigin ? ZoneView::kOrigin : v == ZoneView::kNow ? kBegins : from[v - ZoneView::kFirstOp];
  };
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t a = old(i);
    for (std::size_t j = 0; j < size; ++j) {
      const std::size_t b = old(j);
      bounds[i * size + j] = a == kBegins && b == kBegins ? 0
                             : a == kBegins               ? above_[b]
                             : b == kBegins               ? below_[a]
                                                          : std::min(zone_.at(a, b), below_[a] + above_[b]);
    }
  }
}

}  // namespace detent::verify
