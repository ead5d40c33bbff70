// Whether a part fits under a ceiling: an exact search over canonical placements.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "models/plan/problem/parts.hpp"

namespace detent::models::packing {

enum class Found : std::uint8_t {
  kPlacement,  ///< offsets() is one
  kNone,       ///< the search is complete: there is none
  kLimit       ///< the nodes were used up before that
};

/// Depth-first search that places items from the bottom up, in the order of their offsets, each as low as what lies
/// below it lets it. A placement under the ceiling exists exactly if one exists that the search does not leave out:
/// take, among all, one with the least sum of size times offset, and of these one whose stacks of items with equal
/// sections follow the order best. Then
/// - every item lies on the bottom or on another (canonical), so an item left behind below the last offset waits for
/// one
///   that lies under it, and begins at its top at the earliest;
/// - no item could be lowered: an offset at which another item would fit entirely below is passed over, and an item
///   below whose top no other can begin is placed at once (dominance).
/// For each section the items that are not placed yet, each from its earliest offset on, one upon the other, must end
/// under the ceiling (one machine, release times). An item that cannot be the lowest of a section under the ceiling
/// begins no earlier than the lowest top of the others. What cannot end below an item lies above it; where that does
/// not fit, the item begins no earlier than the next top among it. Items that no chain of common sections connects are
/// searched apart.
/// @see  Moffitt, "MiniMalloc", ASPLOS 2023: canonical solutions, section inference, dominance, decomposition; Jackson
///       1955: one machine with release times; Carlier and Pinson 1989: what cannot come first; Torres and Lopez 2000:
///       not-first, of some of the others
class Search {
 public:
  /// The part outlives the search. @param ceiling  units
  Search(const Part& part, std::int64_t ceiling);

  /// @param order      items, which are tried in this order at equal offsets
  /// @param max_nodes  places in the search at which items are looked at
  /// @param tick       called after every 4096 nodes; false: stop as if they were used up
  Found run(const std::vector<std::uint32_t>& order, std::uint64_t max_nodes,
            const std::function<bool(std::uint64_t nodes)>& tick);

  /// Of items; valid after kPlacement. Units.
  [[nodiscard]] const std::vector<std::int64_t>& offsets() const { return offsets_; }
  /// Of the last run.
  [[nodiscard]] std::uint64_t nodes() const { return nodes_; }

 private:
  /// An item that is not placed.
  struct Open {
    std::int64_t offset = 0;      ///< as low as the placed items let it, aligned
    std::int64_t forbidden = -1;  ///< an offset at which an item with equal sections and a later rank lies right below
    std::int64_t earliest = 0;    ///< at or above `offset`; no placement that is looked for has it lower
    std::uint32_t item = 0;
    bool waits = false;  ///< it cannot lie at `offset` any more
  };
  using Opens = std::vector<Open>;
  /// Of the open items of a section.
  struct Section {
    std::int64_t height = 0;                     ///< first of all upon the bottom, then as they are stacked
    std::int64_t lowest = 0, second_lowest = 0;  ///< first of their tops, then of their earliest offsets

    void note(std::int64_t value) {
      second_lowest = std::min(second_lowest, std::max(lowest, value));
      lowest = std::min(lowest, value);
    }
    /// Of all items but one of this value.
    [[nodiscard]] std::int64_t lowest_beside(std::int64_t value) const {
      return lowest == value ? second_lowest : lowest;
    }
  };
  struct Top {
    std::int64_t offset = 0;
    std::uint32_t item = 0;
  };
  /// How far the bottom is filled: the last item placed in the order of offsets.
  struct Level {
    std::int64_t offset = 0;
    std::int64_t rank = -1;
  };

  bool place_all(Opens opens, Level level);
  bool count_node();
  void measure(Opens& opens, const Level& level);
  bool delay(Opens& opens);
  bool stack(Opens& opens);
  bool lift(Opens& opens, bool& is_changed);
  [[nodiscard]] std::int64_t next_top(const Item& item, std::uint32_t section, std::size_t first_top) const;
  [[nodiscard]] std::vector<Opens> components(const Opens& opens) const;
  [[nodiscard]] std::size_t settled(const Opens& opens) const;
  bool put(Opens& opens, const Open& placed);
  bool branch(const Opens& opens);
  void reset_sections();

  const Part& part_;
  std::int64_t ceiling_;
  std::vector<std::int64_t> offsets_;
  std::vector<std::int64_t> rank_;  // of items
  std::vector<Section> sections_;
  std::vector<std::int64_t> above_;    // of sections: sizes of open items that do not end below one
  std::vector<Top> tops_;              // of open items at their earliest offsets, ascending
  std::uint32_t begin_ = 0, end_ = 0;  // sections of the open items
  std::int64_t lowest_top_ = 0;        // of open items at their offsets
  std::uint64_t nodes_ = 0, max_nodes_ = 0;
  bool is_stopped_ = false;
  const std::function<bool(std::uint64_t)>* tick_ = nullptr;
};

}  // namespace detent::models::packing
