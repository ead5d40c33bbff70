// Very many items -> offsets, window by window: the items that begin in a stretch of time are placed together, over
// bytes of earlier ones that are over by then.
#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <map>
#include <numeric>
#include <span>

#include "models/plan/timeline.hpp"

namespace detent::models::planner {
namespace {

/// Which items of a window may not share bytes with which others: a row for each of the window, a column for each of
/// the window and then for each earlier one that is asked about.
class WindowConflicts {
 public:
  /// @param columns  items; those of the window stand first
  WindowConflicts(const Timeline& line, std::span<const std::uint32_t> columns, std::size_t window,
                  std::size_t lookback)
      : line_(line), columns_(columns), window_(window), words_((columns.size() + 63) / 64) {
    bits_.assign(window_ * words_, ~std::uint64_t{0});
    for (std::size_t row = 0; row < window_; ++row) clear(row, row);
    std::uint32_t begin = kNone;
    for (const std::uint32_t item : columns.first(window)) {
      if (line.heads[item].empty()) continue;
      begin = std::min(begin, line.heads[item].front());
      end_ = std::max(end_, line.heads[item].front() + 1);
    }
    const std::uint32_t oldest = begin > lookback ? static_cast<std::uint32_t>(begin - lookback) : 0;
    for (std::uint32_t column = 0; column < columns.size(); ++column) {
      const std::span<const std::uint32_t> heads = heads_of(column), tails = tails_of(column);
      if (column < window && !heads.empty() && heads.back() < end_) rows_.push_back(column);
      const bool is_looked_at = !tails.empty() && tails.size() <= kMostTails && tails.front() >= oldest;
      if (is_looked_at && tails.back() < end_) lanes_.push_back(column);
    }
    std::ranges::stable_sort(lanes_, {}, [&](std::uint32_t column) {
      return std::pair(std::bit_width(tails_of(column).size()), tails_of(column).front());
    });
    for (std::size_t first = 0; first < lanes_.size(); first += kLanes)
      allow(std::span(lanes_).subspan(first, std::min(kLanes, lanes_.size() - first)));
  }

  [[nodiscard]] bool test(std::size_t row, std::size_t column) const {
    return (bits_[row * words_ + column / 64] >> (column % 64) & 1U) != 0;
  }

 private:
  static constexpr std::size_t kLaneWords = 8;
  static constexpr std::size_t kLanes = kLaneWords * 64;  // items that are followed at once
  static constexpr std::size_t kMostTails = 256;          // of an item; one of more lies under none of the window
  using Lanes = std::array<std::uint64_t, kLaneWords>;

  [[nodiscard]] std::span<const std::uint32_t> heads_of(std::uint32_t column) const {
    return line_.heads[columns_[column]];
  }
  [[nodiscard]] std::span<const std::uint32_t> tails_of(std::uint32_t column) const {
    return line_.tails[columns_[column]];
  }
  void clear(std::size_t row, std::size_t column) {
    bits_[row * words_ + column / 64] &= ~(std::uint64_t{1} << (column % 64));
  }

  /// Items of the window may share with those of the lanes that are over before they begin.
  void allow(std::span<const std::uint32_t> lanes) {
    std::vector<Lanes> before(rows_.size());  // by row: lanes of which all users looked at so far precede it
    for (Lanes& all : before) all.fill(~std::uint64_t{0});
    std::size_t most_tails = 0;
    for (const std::uint32_t column : lanes) most_tails = std::max(most_tails, tails_of(column).size());
    for (std::size_t tail = 0; tail < most_tails; ++tail) follow(lanes, tail, before);
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      for (std::size_t word = 0; word * 64 < lanes.size(); ++word) {
        std::uint64_t rest = before[row][word];
        if (lanes.size() - word * 64 < 64) rest &= (std::uint64_t{1} << (lanes.size() - word * 64)) - 1;
        for (; rest != 0; rest &= rest - 1)
          allow_pair(rows_[row], lanes[word * 64 + static_cast<std::size_t>(std::countr_zero(rest))]);
      }
    }
  }

  void allow_pair(std::uint32_t row, std::uint32_t column) {
    clear(row, column);
    if (column < window_) clear(column, row);
  }

  /// Strikes out the lanes whose so-manieth tail does not precede all heads of a row.
  void follow(std::span<const std::uint32_t> lanes, std::size_t tail, std::vector<Lanes>& before) {
    Lanes is_done{};  // lanes without so many tails
    std::uint32_t begin = end_;
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      const std::span<const std::uint32_t> tails = tails_of(lanes[lane]);
      if (tail < tails.size()) begin = std::min(begin, tails[tail]);
      if (tail >= tails.size()) is_done[lane / 64] |= std::uint64_t{1} << (lane % 64);
    }
    own_.assign(end_ - begin, {});
    after_.resize(end_ - begin);
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      const std::span<const std::uint32_t> tails = tails_of(lanes[lane]);
      if (tail < tails.size()) own_[tails[tail] - begin][lane / 64] |= std::uint64_t{1} << (lane % 64);
    }
    for (std::uint32_t op = begin; op < end_; ++op) {
      Lanes lanes_before{};
      for (const std::uint32_t from : line_.predecessors[op]) {
        if (from < begin) continue;
        for (std::size_t w = 0; w < kLaneWords; ++w) lanes_before[w] |= after_[from - begin][w] | own_[from - begin][w];
      }
      after_[op - begin] = lanes_before;
    }
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      for (const std::uint32_t head : heads_of(rows_[row])) {
        for (std::size_t w = 0; w < kLaneWords; ++w)
          before[row][w] &= is_done[w] | (head < begin ? 0 : after_[head - begin][w]);
      }
    }
  }

  const Timeline& line_;
  const std::span<const std::uint32_t> columns_;
  const std::size_t window_, words_;
  std::uint32_t end_ = 0;             // behind the last op that is looked at
  std::vector<std::uint32_t> rows_;   // that others may precede
  std::vector<std::uint32_t> lanes_;  // columns that may precede others
  std::vector<std::uint64_t> bits_;
  std::vector<Lanes> own_, after_;  // by op: lanes that end there, that end before
};

class WindowPlacer {
 public:
  WindowPlacer(const std::vector<Item>& items, const Timeline& line, const Rows<std::uint32_t>& followers,
               const WindowLimits& limits)
      : items_(items), line_(line), followers_(followers), limits_(limits), layout_{0, {}} {
    layout_.offsets.resize(items.size());
  }

  Layout run() {
    std::vector<std::uint32_t> by_begin(items_.size());
    std::iota(by_begin.begin(), by_begin.end(), 0U);
    std::ranges::stable_sort(by_begin, {}, [&](std::uint32_t item) { return begin_of(item); });
    for (std::size_t first = 0; first < by_begin.size(); first += limits_.items)
      place_window(std::span(by_begin).subspan(first, std::min(limits_.items, by_begin.size() - first)));
    return std::move(layout_);
  }

 private:
  /// Bytes [begin, end) that an item is the last to use so far.
  struct Span {
    std::uint64_t begin, end;
    std::uint32_t item;
    std::uint32_t begins;  ///< the item's first op; kNone: nothing follows the item
  };
  /// The same, as a column of the conflicts, or kNone: no item of the window may use the bytes.
  struct Placed {
    std::uint64_t begin, end;
    std::uint32_t column;
  };

  /// Items without users last: they come after all others, and nothing comes after them.
  [[nodiscard]] std::uint32_t begin_of(std::uint32_t item) const {
    return line_.heads[item].empty() ? kNone : line_.heads[item].front();
  }

  void place_window(std::span<const std::uint32_t> window) {
    std::vector<std::uint32_t> columns(window.begin(), window.end());
    std::vector<Placed> placed = earlier(columns);
    const WindowConflicts conflicts(line_, columns, window.size(), limits_.lookback);
    std::vector<std::uint32_t> rows(window.size());
    std::iota(rows.begin(), rows.end(), 0U);
    std::ranges::stable_sort(rows, std::greater<>(),
                             [&](std::uint32_t row) { return items_[window[row]].rounded_bytes; });
    placed.reserve(placed.size() + rows.size());
    std::uint64_t height = layout_.height_bytes;
    for (const std::uint32_t row : rows) {
      const std::uint64_t size = items_[window[row]].rounded_bytes;
      const std::uint64_t begin = best_offset(row, size, placed, columns, conflicts);
      layout_.offsets[window[row]] = begin;
      height = std::max(height, begin + size);
      const auto behind = std::ranges::upper_bound(placed, begin, {}, [](const Placed& other) { return other.begin; });
      placed.insert(behind, {begin, begin + size, row});
    }
    layout_.height_bytes = height;
    for (const std::uint32_t item : window) {
      const std::uint64_t begin = layout_.offsets[item];
      const std::uint32_t begins = followers_[item].empty() ? kNone : begin_of(item);
      cover({begin, begin + items_[item].rounded_bytes, item, begins});
    }
  }

  /// Of the gaps that are large enough the one whose bytes were used last before, of those the tightest; else above
  /// all.
  [[nodiscard]] std::uint64_t best_offset(std::uint32_t row, std::uint64_t size, const std::vector<Placed>& placed,
                                          const std::vector<std::uint32_t>& columns,
                                          const WindowConflicts& conflicts) const {
    const std::uint32_t begins = begin_of(columns[row]);
    std::uint64_t top = 0, best = UINT64_MAX, best_gap = UINT64_MAX;
    std::uint64_t used = 0, best_used = 0;  // when the gap was used last: first op of the item, from 1
    const auto look_at = [&](std::uint64_t end) {
      if (end <= top || end - top < size) return;
      const std::uint64_t gap = end - top;
      if (best != UINT64_MAX && (used < best_used || (used == best_used && gap >= best_gap))) return;
      best = top;
      best_gap = gap;
      best_used = used;
    };
    for (const Placed& other : placed) {
      if (other.column != kNone && !conflicts.test(row, other.column)) {
        const std::uint32_t other_begins = begin_of(columns[other.column]);
        if (other_begins < begins) used = std::max(used, std::uint64_t{other_begins} + 1);
        continue;
      }
      look_at(other.begin);
      if (other.end <= top) continue;
      top = other.end;
      used = 0;
    }
    look_at(layout_.height_bytes);
    return best != UINT64_MAX ? best : top;
  }

  /// What lies there from earlier windows, in order of offsets; its items become columns. Bytes of items that nothing
  /// follows, and where spans are too many of those used first, are nobody's to use.
  std::vector<Placed> earlier(std::vector<std::uint32_t>& columns) const {
    std::vector<std::uint32_t> begins;
    for (const auto& [end, span] : spans_) {
      if (span.begins != kNone) begins.push_back(span.begins);
    }
    std::uint32_t oldest = 0;
    if (begins.size() > limits_.spans) {
      const auto last = begins.end() - static_cast<std::ptrdiff_t>(limits_.spans);
      std::ranges::nth_element(begins, last);
      oldest = *last;
    }
    std::map<std::uint32_t, std::uint32_t> column_of;
    std::vector<Placed> placed;
    for (const auto& [end, span] : spans_) {
      if (span.begins != kNone && span.begins >= oldest) {
        const auto [column, is_new] = column_of.emplace(span.item, static_cast<std::uint32_t>(columns.size()));
        if (is_new) columns.push_back(span.item);
        placed.push_back({span.begin, end, column->second});
      } else if (!placed.empty() && placed.back().column == kNone && placed.back().end == span.begin) {
        placed.back().end = end;
      } else {
        placed.push_back({span.begin, end, kNone});
      }
    }
    return placed;
  }

  /// From now on these bytes were used last by this item.
  void cover(const Span& now) {
    if (now.begin == now.end) return;
    auto next = spans_.upper_bound(now.begin);  // the first that ends behind
    while (next != spans_.end() && next->second.begin < now.end) {
      const Span old = next->second;
      next = spans_.erase(next);
      if (old.begin < now.begin) spans_.emplace(now.begin, Span{old.begin, now.begin, old.item, old.begins});
      if (old.end > now.end) spans_.emplace(old.end, Span{now.end, old.end, old.item, old.begins});
    }
    spans_.emplace(now.end, now);
  }

  const std::vector<Item>& items_;
  const Timeline& line_;
  const Rows<std::uint32_t>& followers_;
  const WindowLimits limits_;
  Layout layout_;
  std::map<std::uint64_t, Span> spans_;  // by end; disjoint
};

}  // namespace

Layout place_by_windows(const std::vector<Item>& items, const Timeline& line, const Rows<std::uint32_t>& followers,
                        const WindowLimits& limits) {
  return WindowPlacer(items, line, followers, limits).run();
}

}  // namespace detent::models::planner
