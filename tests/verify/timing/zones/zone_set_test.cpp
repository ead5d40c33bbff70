// Which zones a set keeps, against covers() asked of every pair: rounded bounds decide nothing.
#include "verify/timing/zones/zone_set.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "base/random.hpp"

namespace detent::verify {
namespace {

using Times = std::vector<std::int64_t>;
using Bounds = std::vector<std::int64_t>;

/// Bounds that follow from others are lowered to them (Floyd, Warshall). @return  false: no instants are left
bool close(Bounds& bounds, std::size_t size) {
  for (std::size_t k = 0; k < size; ++k) {
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) {
        bounds[i * size + j] = std::min(bounds[i * size + j], bounds[i * size + k] + bounds[k * size + j]);
      }
    }
  }
  for (std::size_t i = 0; i < size; ++i) {
    if (bounds[i * size + i] < 0) return false;
  }
  return true;
}

/// Ops that run, with the times that they may take.
struct Running {
  Times best_ps{}, worst_ps{};

  explicit Running(RandomSource& random) {
    const std::uint64_t unit = random.below(2) == 0 ? 1 : 100'003;  // rounded bounds are the bounds, or are not
    for (std::uint32_t ops = 1 + random.below(5); ops > 0; --ops) {
      worst_ps.push_back(static_cast<std::int64_t>((1 + random.below(9)) * unit + random.below(3)));
      best_ps.push_back(worst_ps.back() / 2);
    }
  }

  [[nodiscard]] std::size_t variables() const { return best_ps.size() + ZoneView::kFirstOp; }

  /// Now is the last end: none of the ops has run for longer than it may, and the run not for less than an op.
  [[nodiscard]] Bounds draw(RandomSource& random, std::int64_t begin_ps) const {
    const std::size_t size = variables();
    for (;;) {
      Bounds bounds(size * size, std::int64_t{1} << 40U);
      for (std::size_t v = 0; v < size; ++v) bounds[v * size + v] = 0;
      const std::int64_t longest_ps = std::ranges::max(worst_ps);
      const auto draw_ps = [&] {
        return static_cast<std::int64_t>(random.below64(static_cast<std::uint64_t>(longest_ps) + 1));
      };
      const std::int64_t now_ps = begin_ps + longest_ps + draw_ps();
      bounds[ZoneView::kNow * size + ZoneView::kOrigin] = now_ps + draw_ps();
      bounds[ZoneView::kOrigin * size + ZoneView::kNow] = -now_ps;
      for (std::size_t op = 0; op < best_ps.size(); ++op) {
        const std::size_t v = ZoneView::kFirstOp + op;
        bounds[ZoneView::kNow * size + v] = std::min(worst_ps[op], draw_ps());
        bounds[v * size + ZoneView::kNow] = -std::min(draw_ps(), draw_ps());
      }
      if (close(bounds, size)) return bounds;
    }
  }
};

struct Kept {
  Bounds bounds{};
  std::uint8_t uses = 0;
  std::uint32_t id = 0;

  auto operator<=>(const Kept&) const = default;
};

/// Every pair is compared, bound by bound.
void keep_naively(std::vector<Kept>& all, const Running& running, Kept made, bool prune) {
  let_time_pass(running.worst_ps, made.bounds);
  const auto without_covered = [&](const Kept& known, Kept& zone) {
    const ZoneView a(running.variables(), known.bounds.data()), b(running.variables(), zone.bounds.data());
    for (const ZoneUse use : {kForLatest, kForEarliest}) {
      const bool is_for_both = (known.uses & zone.uses & use) != 0;
      if (is_for_both && (prune ? covers(a, b, running.best_ps, use) : contains(a, b))) {
        zone.uses &= static_cast<std::uint8_t>(~use);
      }
    }
  };
  for (const Kept& known : all) without_covered(known, made);
  for (Kept& known : all) without_covered(made, known);
  std::erase_if(all, [](const Kept& each) { return each.uses == 0; });
  if (made.uses != 0) all.push_back(std::move(made));
}

void expect_same(const ZoneSet& set, std::vector<Kept> wanted, std::size_t variables) {
  std::vector<Kept> found;
  for (std::size_t z = 0; z < set.entries().size(); ++z) {
    const ZoneSet::Entry& entry = set.entries()[z];
    if (entry.uses == 0) continue;
    Kept& kept = found.emplace_back(Kept{{}, entry.uses, entry.step.before});
    for (std::size_t i = 0; i < variables; ++i) {
      for (std::size_t j = 0; j < variables; ++j) kept.bounds.push_back(set.zone(z).at(i, j));
    }
  }
  EXPECT_EQ(set.size(), found.size());
  std::ranges::sort(found);
  std::ranges::sort(wanted);
  EXPECT_TRUE(found == wanted) << found.size() << " zones instead of " << wanted.size();
}

TEST(ZoneSet, KeepsWhatNoOtherZoneCovers) {
  RandomSource random(20261129);
  std::size_t left_out = 0, kept = 0;
  for (int round = 0; round < 300; ++round) {
    const Running running(random);
    const bool prune = round % 4 != 0;
    const auto begin_ps = static_cast<std::int64_t>(random.below64(std::uint64_t{1} << (random.below(3) * 10)));
    ZoneSet set(running.best_ps, running.worst_ps, prune);
    std::vector<Kept> wanted;
    for (std::uint32_t id = 0; id < 40; ++id) {
      const std::uint64_t longest_ps = static_cast<std::uint64_t>(std::ranges::max(running.worst_ps));
      const std::uint64_t later_ps = random.below(4) == 0 ? random.below64(40 * longest_ps) : 0;
      Bounds bounds = running.draw(random, begin_ps + static_cast<std::int64_t>(later_ps));
      const auto uses = static_cast<std::uint8_t>(1 + random.below(3));
      keep_naively(wanted, running, {bounds, uses, id}, prune);
      set.keep(bounds, {uses, {id, OpId{0}}});
    }
    expect_same(set, wanted, running.variables());
    kept += wanted.size();
    left_out += 40 - wanted.size();
    if (::testing::Test::HasFailure()) FAIL() << "round " << round;
  }
  EXPECT_GT(kept, 1000U);
  EXPECT_GT(left_out, 1000U);
}

/// Op 0 has run for 4 to 6 in one zone and for 2 in the other: nothing has ended in the 2 to 4 ps between.
TEST(ZoneSet, AZoneThatIsALaterInstantOfAnotherIsLeftOut) {
  ZoneSet set({8, 8}, {9, 9}, true);
  Bounds early{0, -100, -98, -98, 100, 0, 2, 2, 98, -2, 0, 0, 98, -2, 0, 0};
  Bounds late{0, -102, -98, -98, 104, 0, 6, 6, 98, -4, 0, 0, 98, -4, 0, 0};
  set.keep(early, {kForLatest | kForEarliest, {7, OpId{0}}});
  set.keep(late, {kForLatest | kForEarliest, {8, OpId{0}}});
  ASSERT_EQ(set.size(), 1U);
  EXPECT_EQ(set.entries()[0].step.before, 7U);
}

}  // namespace
}  // namespace detent::verify
