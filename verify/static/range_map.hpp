// RangeMap: what is known of which bytes, as disjoint ranges in ascending order that stand close together in memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace detent::verify {

/// Ranges stand in chunks of up to 64, the first bytes of all chunks in one array: what a search looks at stays in
/// caches where a tree of millions of nodes would not.
/// @tparam Entry  cheap to copy; a range that is cut in two has it twice
template <typename Entry>
class RangeMap {
 public:
  struct Range {
    std::uint64_t begin = 0, end = 0;
    Entry entry{};
  };

  /// Lets `change` replace what is known of the bytes [begin, end), which are not none.
  /// @param change  gets the known ranges as a std::vector<Range>&, ascending and cut to [begin, end), and leaves
  ///                there the new ones, ascending and within [begin, end), too
  template <typename Change>
  void update(std::uint64_t begin, std::uint64_t end, const Change& change) {
    const Place place = find(begin);
    pieces_.clear();
    std::size_t count = 0;
    Range left, right;
    for (Place at = place; !is_end(at) && range(at).begin < end; at = next(at), ++count) {
      Range piece = range(at);
      if (piece.begin < begin) left = {std::exchange(piece.begin, begin), begin, piece.entry};
      if (piece.end > end) right = {end, std::exchange(piece.end, end), piece.entry};
      pieces_.push_back(piece);
    }
    change(pieces_);
    if (left.begin < left.end) pieces_.insert(pieces_.begin(), left);
    if (right.begin < right.end) pieces_.push_back(right);
    replace(place, count);
  }

  /// True when `holds` is for each known range that has a byte of [begin, end) and, where bytes are not known,
  /// `holds_of_gaps`.
  template <typename Holds>
  [[nodiscard]] bool all_of(std::uint64_t begin, std::uint64_t end, bool holds_of_gaps, const Holds& holds) const {
    for (Place at = find(begin); begin < end; at = next(at)) {
      const bool is_gap = is_end(at) || range(at).begin > begin;
      if (is_gap && !holds_of_gaps) return false;
      if (is_end(at) || range(at).begin >= end) return true;
      if (!holds(range(at).entry)) return false;
      begin = range(at).end;
    }
    return true;
  }

  /// Visits the entry of each range, which may be changed.
  template <typename Visit>
  void for_each_entry(const Visit& visit) {
    for (const auto& chunk : chunks_) {
      for (std::uint32_t i = 0; i < chunk->count; ++i) visit(chunk->ranges[i].entry);
    }
  }

 private:
  static constexpr std::uint32_t kMostRanges = 64;
  struct Chunk {
    std::uint32_t count = 0;
    Range ranges[kMostRanges];
  };
  struct Place {
    std::size_t chunk;
    std::uint32_t index;
  };

  [[nodiscard]] bool is_end(const Place& place) const { return place.chunk == chunks_.size(); }
  [[nodiscard]] Range& range(const Place& place) const { return chunks_[place.chunk]->ranges[place.index]; }
  /// The next range, or the end.
  [[nodiscard]] Place next(const Place& place) const {
    if (place.index + 1 < chunks_[place.chunk]->count) return {place.chunk, place.index + 1};
    return {place.chunk + 1, 0};
  }

  /// The first range that ends behind `begin`, or the end.
  [[nodiscard]] Place find(std::uint64_t begin) const {
    const auto behind = std::upper_bound(firsts_.begin(), firsts_.end(), begin);
    if (behind == firsts_.begin()) return {0, 0};
    const auto chunk = static_cast<std::size_t>(behind - firsts_.begin()) - 1;
    const Range* const ranges = chunks_[chunk]->ranges;
    const Range* const after = std::upper_bound(ranges, ranges + chunks_[chunk]->count, begin,
                                                [](std::uint64_t byte, const Range& one) { return byte < one.begin; });
    const Place last{chunk, static_cast<std::uint32_t>(after - ranges) - 1};  // that begins no later
    return range(last).end > begin ? last : next(last);
  }

  /// Puts pieces_ where `count` ranges stand.
  void replace(Place place, std::size_t count) {
    std::size_t done = 0;
    for (; done < std::min(count, pieces_.size()); ++done, place = next(place)) {
      range(place) = pieces_[done];
      if (place.index == 0) firsts_[place.chunk] = pieces_[done].begin;
    }
    for (std::size_t i = done; i < count; ++i) place = erase(place);
    for (std::size_t i = done; i < pieces_.size(); ++i) place = insert(place, pieces_[i]);
  }

  /// @return  the place behind
  Place erase(const Place& place) {
    Chunk& chunk = *chunks_[place.chunk];
    std::move(chunk.ranges + place.index + 1, chunk.ranges + chunk.count, chunk.ranges + place.index);
    if (--chunk.count == 0) {
      chunks_.erase(chunks_.begin() + static_cast<std::ptrdiff_t>(place.chunk));
      firsts_.erase(firsts_.begin() + static_cast<std::ptrdiff_t>(place.chunk));
      return {place.chunk, 0};
    }
    if (place.index == 0) firsts_[place.chunk] = chunk.ranges[0].begin;
    return place.index < chunk.count ? place : Place{place.chunk + 1, 0};
  }

  /// Before the range at `place`. @return  the place behind it
  Place insert(Place place, const Range& one) {
    if (place.index == 0 && place.chunk > 0) {  // at the end of the chunk before
      --place.chunk;
      place.index = chunks_[place.chunk]->count;
    }
    if (is_end(place)) add_chunk(place.chunk, one.begin);
    if (chunks_[place.chunk]->count == kMostRanges) place = make_room(place, one.begin);
    Chunk& chunk = *chunks_[place.chunk];
    std::move_backward(chunk.ranges + place.index, chunk.ranges + chunk.count, chunk.ranges + chunk.count + 1);
    chunk.ranges[place.index] = one;
    ++chunk.count;
    if (place.index == 0) firsts_[place.chunk] = one.begin;
    return next(place);
  }

  void add_chunk(std::size_t at, std::uint64_t first) {
    chunks_.insert(chunks_.begin() + static_cast<std::ptrdiff_t>(at), std::make_unique<Chunk>());
    firsts_.insert(firsts_.begin() + static_cast<std::ptrdiff_t>(at), first);
  }

  /// Cuts a full chunk in two; behind its last range a new one begins, so that ascending ranges fill theirs.
  /// @return  where `place` is now
  Place make_room(const Place& place, std::uint64_t first) {
    if (place.index == kMostRanges) {
      add_chunk(place.chunk + 1, first);
      return {place.chunk + 1, 0};
    }
    constexpr std::uint32_t kKept = kMostRanges / 2;
    add_chunk(place.chunk + 1, chunks_[place.chunk]->ranges[kKept].begin);
    Chunk& from = *chunks_[place.chunk];
    Chunk& to = *chunks_[place.chunk + 1];
    std::copy(from.ranges + kKept, from.ranges + kMostRanges, to.ranges);
    from.count = kKept;
    to.count = kMostRanges - kKept;
    return place.index <= kKept ? place : Place{place.chunk + 1, place.index - kKept};
  }

  std::vector<std::unique_ptr<Chunk>> chunks_;  ///< none of them is empty
  std::vector<std::uint64_t> firsts_;           ///< first byte of each
  std::vector<Range> pieces_;
};

}  // namespace detent::verify
