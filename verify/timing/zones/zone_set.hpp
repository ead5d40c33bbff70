// Zones of one configuration, of which none covers another for what both are looked at for. Internal to verify/timing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ids.hpp"
#include "verify/timing/zones/zone.hpp"

namespace detent::verify {

/// How a zone came about: `ended` was the last op to end, after the step `before`.
struct Step {
  static constexpr std::uint32_t kNone = UINT32_MAX;

  std::uint32_t before = kNone;
  OpId ended = 0;
};

/// Nearly all time of a search goes into the question which of two zones covers the other, and nearly always neither
/// does. So the bounds of each zone are there a second time, rounded down to few bits, and so is what the zone asks of
/// one that covers it (bound_to_cover). Rounding keeps the order of numbers: where a zone covers another, none of its
/// rounded bounds is below what the other asks for. Whatever passes, covers() decides.
class ZoneSet {
 public:
  struct Entry {
    std::uint8_t uses = 0;  ///< of ZoneUse; 0: no zone
    Step step{};
  };

  /// @param best_ps, worst_ps  of the ops that run in the configuration, in the order of their ids
  /// @param prune  false: a zone is left out only where another contains it
  ZoneSet(std::vector<std::int64_t> best_ps, std::vector<std::int64_t> worst_ps, bool prune);

  [[nodiscard]] std::size_t size() const { return entries_.size() - unused_.size(); }
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  [[nodiscard]] ZoneView zone(std::size_t i) const { return {variables_, &bounds_[i * variables_ * variables_]}; }
  [[nodiscard]] const std::vector<std::int64_t>& best_ps() const { return best_ps_; }

  /// @param bounds  of a zone that is looked at for entry.uses, in which kNow equals the last end: time passes here
  void keep(std::vector<std::int64_t>& bounds, Entry entry);

 private:
  using Word = std::uint64_t;

  /// Rounded bounds of all zones that are looked at for one use.
  struct Rounded {
    std::vector<Word> known{}, wanted{};  // words_ of each zone
    std::vector<std::uint32_t> zone{};    // by place here
    std::int64_t first_begin_ps = 0;      // of the first op, in the first zone
  };

  template <typename Bound>
  void round(Bound bound, ZoneUse use, std::vector<Word>& words);
  [[nodiscard]] bool is_covered(const ZoneView& zone, ZoneUse use) const;
  void remove_covered(const ZoneView& known, ZoneUse use);
  [[nodiscard]] bool is_covered_by(const ZoneView& known, const ZoneView& zone, ZoneUse use) const;

  std::vector<std::int64_t> best_ps_, worst_ps_;
  bool prune_;
  std::size_t variables_, words_ = 0;
  std::int64_t most_ps_;  // between two begins, or a begin and now
  unsigned shift_ = 0;    // of differences, when rounded

  std::vector<Entry> entries_;
  std::vector<std::int64_t> bounds_;      // by entry
  std::vector<std::uint32_t> unused_;     // entries
  std::array<Rounded, 2> rounded_{};      // by use / 2
  std::vector<Word> known_{}, wanted_{};  // of the zone that is to be kept
  std::vector<std::uint16_t> lanes_{};    // of a word: its bounds
};

}  // namespace detent::verify
