// Zones: which differences between the begins of ops that run, now and the begin of the run are possible. Internal to
// verify/timing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace detent::verify {

/// Upper bounds on differences: at(i, j) is the largest x_i - x_j, in ps. Variables: the begin of the run, now, the
/// begins of the ops that run, in the order of their ids. Now is any instant from the last end to the next one. Always
/// closed: no bound follows from others that is lower.
class ZoneView {
 public:
  static constexpr std::size_t kOrigin = 0, kNow = 1, kFirstOp = 2;

  /// @param bounds  [variables * variables], row by row; must outlive the view
  ZoneView(std::size_t variables, const std::int64_t* bounds) : size_(variables), bounds_(bounds) {}

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::int64_t at(std::size_t i, std::size_t j) const { return bounds_[i * size_ + j]; }

 private:
  std::size_t size_;
  const std::int64_t* bounds_;
};

/// What a zone is looked at for: the latest ends that follow from it, the earliest, or both.
enum ZoneUse : std::uint8_t { kForLatest = 1, kForEarliest = 2 };

/// Can every op that follows from a state in `zone` end as late (kForLatest), or as early (kForEarliest), after one in
/// `known`? Both of the same ops that have ended and that run.
///
/// Herbreteau, Srivathsan, Walukiewicz, "Better abstractions for timed automata", LICS 2012, theorem 5.4, with the time
/// that an op has run for as its clock and its best time as the clock's lower bound L. A state s is simulated by
/// one in which ops that have run for their best time or longer have run for less, but not for less than it: each may
/// still end when it can in s. Clocks are only compared with L from below, so L counts as reached at equality. The time
/// since the begin of the run is a clock that nothing is compared with: of two states that differ in it alone, the
/// later one ends everything later. Thus at a join op j (nothing else runs, and j has just begun) of all zones one is
/// left for the latest and one for the earliest ends, those with the latest and the earliest begin of j: what is before
/// j and what is behind it are independent problems, whose extremes add up.
///
/// Zones hold the states of later instants, too, at which nothing has ended since: from those nothing ends that could
/// not end anyway, and a zone is left out as well where `known` has its states only a while later.
/// @param best_ps  of the ops that run, in the order of their ids
bool covers(const ZoneView& known, const ZoneView& zone, std::span<const std::int64_t> best_ps, ZoneUse use);
/// The least bound on x_a - x_b that a zone has which covers `zone`: the theorem, difference by difference.
inline std::int64_t bound_to_cover(const ZoneView& zone, std::size_t a, std::size_t b,
                                   std::span<const std::int64_t> best_ps) {
  if (b < ZoneView::kFirstOp) return zone.at(a, b);
  return std::min(zone.at(a, b), zone.at(a, ZoneView::kNow) + best_ps[b - ZoneView::kFirstOp]);
}
/// Does `known` hold all differences of `zone`? Then it covers it for everything.
bool contains(const ZoneView& known, const ZoneView& zone);

/// Now was the last end, and is any instant from then on at which each op that runs can still end in time.
/// @param worst_ps  of the ops that run   @param bounds  closed, row by row
void let_time_pass(std::span<const std::int64_t> worst_ps, std::vector<std::int64_t>& bounds);

/// One op of a zone ends next: bounds on the time of its end against every variable, and the zone behind it.
class ZoneEnd {
 public:
  explicit ZoneEnd(const ZoneView& zone) : zone_(zone), below_(zone.size()) {}

  /// Let the i-th op that runs end now, after at least best_ps. @return  false: another op always ends before
  bool end(std::size_t i, std::int64_t best_ps);
  [[nodiscard]] std::int64_t earliest_ps() const { return -below_[ZoneView::kOrigin]; }
  [[nodiscard]] std::int64_t latest_ps() const { return above(ZoneView::kOrigin); }

  static constexpr std::size_t kBegins = ZoneView::kNow;  ///< of an op that begins at the end
  /// The zone behind the end, row by row, in which the variable kNow equals the end: no time has passed
  /// (let_time_pass).
  /// @param from  of each op that runs then its variable in the old zone, or kBegins
  void make(std::span<const std::size_t> from, std::vector<std::int64_t>& bounds) const;

 private:
  /// End - x_j: it is not after the latest end of any op that runs, and so is now.
  [[nodiscard]] std::int64_t above(std::size_t j) const { return zone_.at(ZoneView::kNow, j); }

  ZoneView zone_;
  std::vector<std::int64_t> below_;  // x_j - end, which is now
};

}  // namespace detent::verify
