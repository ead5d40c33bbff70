// Prefix bit sets over the accesses of one column block.
#include "verify/static/conflict_block.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/assert.hpp"

namespace detent::verify {
namespace {

/// Row k of the result holds the columns of the first k entries.
template <typename ColumnAt>
std::vector<Word> prefix_sets(std::size_t entry_count, std::uint32_t words, ColumnAt column_at) {
  std::vector<Word> rows((entry_count + 1) * words, 0);
  for (std::size_t k = 0; k < entry_count; ++k) {
    const auto from = rows.begin() + static_cast<std::ptrdiff_t>(k * words);
    std::copy(from, from + words, from + words);
    const std::uint32_t column = column_at(k);
    rows[(k + 1) * words + column / 64] |= Word{1} << (column % 64);
  }
  return rows;
}

}  // namespace

ConflictBlock::ConflictBlock(const AccessTable& table, std::uint32_t width) : table_(table), words_(width / 64) {
  DETENT_ASSERT(width > 0);
  DETENT_ASSERT(width % 64 == 0);
}

void ConflictBlock::load(std::uint32_t first, std::uint32_t count) {
  DETENT_ASSERT(count <= words_ * 64);
  load_side(&AccessTable::reads, first, count, readers_);
  load_side(&AccessTable::writes, first, count, writers_);
}

void ConflictBlock::load_side(RowOf row_of, std::uint32_t first, std::uint32_t count, Side& side) {
  std::vector<std::vector<Entry>> layers;
  side.begun_before.assign(std::size_t{table_.rank_count()} + 1, 0);
  side.ended_by.assign(std::size_t{table_.rank_count()} + 1, 0);
  for (std::uint32_t column = 0; column < count; ++column) {
    const std::span<const Access> row = (table_.*row_of)(first + column);
    if (row.size() > layers.size()) layers.resize(row.size());
    for (std::size_t k = 0; k < row.size(); ++k) {
      layers[k].push_back({&row[k], column});
      ++side.begun_before[row[k].begin_rank + 1];
      ++side.ended_by[row[k].end_rank];
    }
  }
  std::partial_sum(side.begun_before.begin(), side.begun_before.end(), side.begun_before.begin());
  std::partial_sum(side.ended_by.begin(), side.ended_by.end(), side.ended_by.begin());
  side.layers.clear();
  for (const std::vector<Entry>& entries : layers) side.layers.push_back(make_layer(entries));
}

ConflictBlock::Layer ConflictBlock::make_layer(const std::vector<Entry>& entries) const {
  Layer layer;
  std::vector<Entry> sorted = entries;
  const auto column_at = [&](std::size_t k) { return sorted[k].column; };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Entry& x, const Entry& y) { return x.access->begin_rank < y.access->begin_rank; });
  for (const Entry& entry : sorted) layer.begins.push_back(entry.access->begin_rank);
  layer.begun = prefix_sets(sorted.size(), words_, column_at);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Entry& x, const Entry& y) { return x.access->end_rank < y.access->end_rank; });
  for (const Entry& entry : sorted) layer.ends.push_back(entry.access->end_rank);
  layer.ended = prefix_sets(sorted.size(), words_, column_at);
  layer.access_of.resize(std::size_t{words_} * 64, nullptr);
  for (const Entry& entry : entries) {
    layer.access_of[entry.column] = entry.access;
    if (entry.access->strided == DETENT_NONE) continue;
    layer.strided.resize(words_, 0);
    layer.strided[entry.column / 64] |= Word{1} << (entry.column % 64);
  }
  return layer;
}

void ConflictBlock::add(const Side& side, const Access& access, Word* bits) const {
  if (side.begun_before[access.end_rank] == side.ended_by[access.begin_rank]) return;
  for (const Layer& layer : side.layers) add_layer(layer, access, bits);
}

void ConflictBlock::add_layer(const Layer& layer, const Access& access, Word* bits) const {
  const auto begun = std::lower_bound(layer.begins.begin(), layer.begins.end(), access.end_rank) - layer.begins.begin();
  const auto ended = std::upper_bound(layer.ends.begin(), layer.ends.end(), access.begin_rank) - layer.ends.begin();
  if (begun == ended) return;
  const Word* const in = layer.begun.data() + static_cast<std::size_t>(begun) * words_;
  const Word* const out = layer.ended.data() + static_cast<std::size_t>(ended) * words_;
  if (access.strided == DETENT_NONE && layer.strided.empty()) {
    for (std::uint32_t w = 0; w < words_; ++w) bits[w] |= in[w] & ~out[w];
    return;
  }
  for (std::uint32_t w = 0; w < words_; ++w) {
    bits[w] |= drop_disjoint(layer, access, w, in[w] & ~out[w] & ~bits[w]);
  }
}

Word ConflictBlock::drop_disjoint(const Layer& layer, const Access& access, std::uint32_t word, Word found) const {
  Word candidates = found;
  if (access.strided == DETENT_NONE) candidates &= layer.strided[word];
  for (; candidates != 0; candidates &= candidates - 1) {
    const auto bit = static_cast<std::uint32_t>(std::countr_zero(candidates));
    if (!table_.share_a_byte(access, *layer.access_of[word * 64 + bit])) found &= ~(Word{1} << bit);
  }
  return found;
}

}  // namespace detent::verify
