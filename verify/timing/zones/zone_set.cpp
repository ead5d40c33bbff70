#include "verify/timing/zones/zone_set.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace detent::verify {
namespace {

constexpr unsigned kBits = 15;  // of a rounded bound, below one that is 0
constexpr std::size_t kPerWord = 4, kBlock = 4;
constexpr std::int64_t kMostRounded = (std::int64_t{1} << kBits) - 1;
constexpr std::uint64_t kSigns = 0x8000'8000'8000'8000U;

/// Is no rounded bound of `known` below that of `wanted`? The first one of a word that is below sets the bit above it.
bool none_below(const std::uint64_t* known, const std::uint64_t* wanted, std::size_t words) {
  for (std::size_t w = 0; w < words; w += kBlock) {
    std::uint64_t below = 0;
    for (std::size_t k = w; k < w + kBlock; ++k) below |= known[k] - wanted[k];
    if ((below & kSigns) != 0) return false;
  }
  return true;
}

}  // namespace

ZoneSet::ZoneSet(std::vector<std::int64_t> best_ps, std::vector<std::int64_t> worst_ps, bool prune)
    : best_ps_(std::move(best_ps)),
      worst_ps_(std::move(worst_ps)),
      prune_(prune),
      variables_(best_ps_.size() + ZoneView::kFirstOp),
      most_ps_(std::ranges::max(worst_ps_)) {
  const std::size_t each = kPerWord * kBlock;
  words_ = ((variables_ - 1) * variables_ + each - 1) / each * kBlock;
  lanes_.assign(words_ * kPerWord, 0);
  known_.assign(words_, 0);
  wanted_.assign(words_, 0);
  const auto width = static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(2 * most_ps_)));
  shift_ = width <= kBits ? 0 : width - kBits;
}

/// First the bounds that hold the begin of the run, in steps eight times as wide and around that of the first zone;
/// then those between the others, none of which is above the longest time or below minus that.
template <typename Bound>
void ZoneSet::round(Bound bound, ZoneUse use, std::vector<Word>& words) {
  const bool is_latest = use == kForLatest;
  const std::int64_t first_ps = rounded_[use / 2].first_begin_ps;
  std::uint16_t* to = lanes_.data();
  for (std::size_t v = ZoneView::kNow; v < variables_; ++v) {
    const std::int64_t ps = is_latest ? bound(v, ZoneView::kOrigin) : bound(ZoneView::kOrigin, v);
    const std::int64_t steps = ((ps - first_ps) >> (shift_ + 3)) + kMostRounded / 2;
    *to++ = static_cast<std::uint16_t>(std::clamp(steps, std::int64_t{0}, kMostRounded));
  }
  for (std::size_t a = ZoneView::kNow; a < variables_; ++a) {
    for (std::size_t b = ZoneView::kNow; b < variables_; ++b) {
      *to++ = static_cast<std::uint16_t>((bound(a, b) + most_ps_) >> shift_);
    }
  }
  std::memcpy(words.data(), lanes_.data(), words_ * sizeof(Word));
}

bool ZoneSet::is_covered_by(const ZoneView& known, const ZoneView& zone, ZoneUse use) const {
  return prune_ ? covers(known, zone, best_ps_, use) : contains(known, zone);
}

bool ZoneSet::is_covered(const ZoneView& made, ZoneUse use) const {
  const Rounded& all = rounded_[use / 2];
  for (std::size_t i = all.zone.size(); i-- > 0;) {
    if (none_below(&all.known[i * words_], wanted_.data(), words_) && is_covered_by(zone(all.zone[i]), made, use)) {
      return true;
    }
  }
  return false;
}

void ZoneSet::remove_covered(const ZoneView& made, ZoneUse use) {
  Rounded& all = rounded_[use / 2];
  std::size_t left = 0;
  for (std::size_t i = 0; i < all.zone.size(); ++i) {
    const std::uint32_t place = all.zone[i];
    if (none_below(known_.data(), &all.wanted[i * words_], words_) && is_covered_by(made, zone(place), use)) {
      entries_[place].uses &= static_cast<std::uint8_t>(~use);
      if (entries_[place].uses == 0) unused_.push_back(place);
      continue;
    }
    if (left != i) {
      all.zone[left] = place;
      std::copy_n(&all.known[i * words_], words_, &all.known[left * words_]);
      std::copy_n(&all.wanted[i * words_], words_, &all.wanted[left * words_]);
    }
    ++left;
  }
  all.zone.resize(left);
  all.known.resize(left * words_);
  all.wanted.resize(left * words_);
}

void ZoneSet::keep(std::vector<std::int64_t>& bounds, Entry entry) {
  let_time_pass(worst_ps_, bounds);
  const ZoneView made(variables_, bounds.data());
  const auto place = static_cast<std::uint32_t>(unused_.empty() ? entries_.size() : unused_.back());
  for (const ZoneUse use : {kForLatest, kForEarliest}) {
    if ((entry.uses & use) == 0) continue;
    Rounded& all = rounded_[use / 2];
    if (all.zone.empty()) {
      all.first_begin_ps = use == kForLatest ? made.at(ZoneView::kFirstOp, ZoneView::kOrigin)
                                             : made.at(ZoneView::kOrigin, ZoneView::kFirstOp);
    }
    round([&](std::size_t a, std::size_t b) { return prune_ ? bound_to_cover(made, a, b, best_ps_) : made.at(a, b); },
          use, wanted_);
    if (is_covered(made, use)) {
      entry.uses &= static_cast<std::uint8_t>(~use);
      continue;
    }
    round([&](std::size_t a, std::size_t b) { return made.at(a, b); }, use, known_);
    remove_covered(made, use);
    all.zone.push_back(place);
    all.known.insert(all.known.end(), known_.begin(), known_.end());
    all.wanted.insert(all.wanted.end(), wanted_.begin(), wanted_.end());
  }
  if (entry.uses == 0) return;
  if (place == entries_.size()) {
    entries_.push_back(entry);
    bounds_.insert(bounds_.end(), bounds.begin(), bounds.end());
    return;
  }
  std::erase(unused_, place);
  entries_[place] = entry;
  std::ranges::copy(bounds, bounds_.begin() + static_cast<std::ptrdiff_t>(place * variables_ * variables_));
}

}  // namespace detent::verify
