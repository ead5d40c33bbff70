// DependenceGraph: events, the order that they have, and the conflicts that this order leaves open.
//
// The abstract problem behind op-level exploration: a trace (Mazurkiewicz 1977) is one way to order every conflicting
// pair that is consistent with the order and with itself. Everything here works on bit sets over the events.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace detent::verify::explore {

using Word = std::uint64_t;

/// Square matrix of bits, row by row.
class BitMatrix {
 public:
  BitMatrix() = default;
  explicit BitMatrix(std::uint32_t size)
      : size_(size), words_((size + 63) / 64), bits_(std::size_t{size} * ((size + 63) / 64)) {}

  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] std::uint32_t words() const { return words_; }
  [[nodiscard]] Word* row(std::uint32_t i) { return bits_.data() + std::size_t{i} * words_; }
  [[nodiscard]] const Word* row(std::uint32_t i) const { return bits_.data() + std::size_t{i} * words_; }
  void set(std::uint32_t i, std::uint32_t j) { row(i)[j / 64] |= Word{1} << (j % 64); }
  [[nodiscard]] bool test(std::uint32_t i, std::uint32_t j) const { return (row(i)[j / 64] >> (j % 64) & 1U) != 0; }

 private:
  std::uint32_t size_ = 0, words_ = 0;
  std::vector<Word> bits_;
};

/// Call `visit(index)` for every set bit of `words` words, ascending.
template <typename Visit>
void for_each_bit(const Word* bits, std::uint32_t words, Visit&& visit) {
  for (std::uint32_t w = 0; w < words; ++w) {
    for (Word rest = bits[w]; rest != 0; rest &= rest - 1) {
      visit(w * 64 + static_cast<std::uint32_t>(std::countr_zero(rest)));
    }
  }
}

/// Events 0..size-1 in a topological order of `after`.
struct DependenceGraph {
  BitMatrix after;     ///< row i: events that the order puts after i; transitively closed; only greater indices
  BitMatrix before;    ///< its transpose
  BitMatrix conflict;  ///< row i: events that conflict with i and are not ordered with it; symmetric

  [[nodiscard]] std::uint32_t size() const { return after.size(); }
};

using EventPair = std::pair<std::uint32_t, std::uint32_t>;

/// From edges (each from a lower to a higher event, need not be closed) and conflicting pairs (those that the edges
/// order are left out).
DependenceGraph make_dependence_graph(std::uint32_t size, std::span<const EventPair> edges,
                                      std::span<const EventPair> conflicts);

/// The graph that `events` (ascending) span, renumbered from 0.
DependenceGraph restrict_graph(const DependenceGraph& graph, std::span<const std::uint32_t> events);

/// The events with a conflict, in groups whose choices never touch each other: the number of traces is the product of
/// the groups' numbers. Two events of a conflict share a group; so do groups that lie on a cycle of "some event of one
/// precedes some event of the other", because only along such a cycle a choice in one group can order two events of
/// another. Events without a conflict are in no group. Each group ascends; groups by their first event.
std::vector<std::vector<std::uint32_t>> independent_groups(const DependenceGraph& graph);

}  // namespace detent::verify::explore
