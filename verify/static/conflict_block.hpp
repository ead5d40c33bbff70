// ConflictBlock: for one access, which ops of a column block touch the same bytes, as a bit set.
//
// An interval [s, e) overlaps exactly those intervals that begin before e and do not end at or before s. With the
// columns sorted by begin and by end, both sets are prefixes, and the prefixes are stored as bit sets; so one query
// costs two binary searches and one pass over a row of bits, however many ops share the bytes. An op with several
// accesses has one of them in each of several layers. Strided accesses are filtered by their extents this way and
// then compared block by block.
#pragma once

#include <cstdint>
#include <vector>

#include "verify/graph/order.hpp"
#include "verify/static/access_table.hpp"

namespace detent::verify {

class ConflictBlock {
 public:
  /// @param width  columns, a multiple of 64
  ConflictBlock(const AccessTable& table, std::uint32_t width);

  /// Index the accesses of the ops at positions [first, first + count).
  void load(std::uint32_t first, std::uint32_t count);
  /// Set the bits of the columns of which a write (a read) shares a byte with `access`.
  void add_writers(const Access& access, Word* bits) const { add(writers_, access, bits); }
  void add_readers(const Access& access, Word* bits) const { add(readers_, access, bits); }

 private:
  /// At most one access per column.
  struct Layer {
    std::vector<std::uint32_t> begins, ends;  ///< ranks, ascending
    std::vector<Word> begun, ended;           ///< row k: the columns of the first k of begins and of ends
    std::vector<Word> strided;                ///< columns whose access is strided; empty when there is none
    std::vector<const Access*> access_of;     ///< by column; filled when the layer has a strided access
  };
  struct Side {
    std::vector<Layer> layers;
    std::vector<std::uint32_t> begun_before;  ///< [rank]: accesses of the block that begin before it
    std::vector<std::uint32_t> ended_by;      ///< [rank]: accesses of the block that end at or before it
  };
  struct Entry {
    const Access* access;
    std::uint32_t column;
  };
  using RowOf = std::span<const Access> (AccessTable::*)(Position) const;

  void load_side(RowOf row_of, std::uint32_t first, std::uint32_t count, Side& side);
  [[nodiscard]] Layer make_layer(const std::vector<Entry>& entries) const;
  void add(const Side& side, const Access& access, Word* bits) const;
  void add_layer(const Layer& layer, const Access& access, Word* bits) const;
  [[nodiscard]] Word drop_disjoint(const Layer& layer, const Access& access, std::uint32_t word, Word found) const;

  const AccessTable& table_;
  std::uint32_t words_;
  Side readers_, writers_;
};

}  // namespace detent::verify
