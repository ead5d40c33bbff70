// EventSet: a set of up to 64 * W events as bits, for loops that a compiler unrolls.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "verify/explore/ops/space/graph.hpp"

namespace detent::verify::explore {

template <std::size_t W>
using EventSet = std::array<Word, W>;

/// Word `w` of the set of all events before `v`.
constexpr Word below(std::uint32_t v, std::uint32_t w) {
  if (w != v / 64) return w < v / 64 ? ~Word{0} : 0;
  return (Word{1} << (v % 64)) - 1;
}

template <std::size_t W>
bool any(const EventSet<W>& set) {
  Word all = 0;
  for (const Word word : set) all |= word;
  return all != 0;
}

template <std::size_t W>
bool meet(const EventSet<W>& a, const EventSet<W>& b) {
  Word common = 0;
  for (std::size_t w = 0; w < W; ++w) common |= a[w] & b[w];
  return common != 0;
}

/// The greatest event of a set that is not empty.
template <std::size_t W>
std::uint32_t last(const EventSet<W>& set) {
  std::size_t w = W - 1;
  while (W > 1 && set[w] == 0) --w;
  return static_cast<std::uint32_t>(w * 64 + 63) - static_cast<std::uint32_t>(std::countl_zero(set[w]));
}

template <std::size_t W>
std::uint32_t count(const EventSet<W>& set) {
  int bits = 0;
  for (const Word word : set) bits += std::popcount(word);
  return static_cast<std::uint32_t>(bits);
}

template <std::size_t W>
std::uint32_t count_common(const EventSet<W>& a, const EventSet<W>& b) {
  int bits = 0;
  for (std::size_t w = 0; w < W; ++w) bits += std::popcount(a[w] & b[w]);
  return static_cast<std::uint32_t>(bits);
}

template <std::size_t W>
void insert(EventSet<W>& set, std::uint32_t event) {
  set[event / 64] |= Word{1} << (event % 64);
}
template <std::size_t W>
bool has(const EventSet<W>& set, std::uint32_t event) {
  return (set[event / 64] >> (event % 64) & 1U) != 0;
}
template <std::size_t W>
void unite(EventSet<W>& set, const EventSet<W>& with) {
  for (std::size_t w = 0; w < W; ++w) set[w] |= with[w];
}

template <std::size_t W>
void subtract(EventSet<W>& set, const EventSet<W>& what) {
  for (std::size_t w = 0; w < W; ++w) set[w] &= ~what[w];
}

}  // namespace detent::verify::explore
