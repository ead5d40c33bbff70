// Ops that write wanted bytes, as bits over one block of columns after another: found, excused, counted.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include <detent/desc.h>

#include "verify/flow/wants.hpp"
#include "verify/graph/order.hpp"
#include "verify/graph/predecessors.hpp"
#include "verify/static/access_table.hpp"
#include "verify/static/conflict_block.hpp"
#include "verify/static/sharing_block.hpp"

namespace detent::verify {

/// compute a block, load a want, excuse ops that are not in its way, and visit the others. The application
/// (kApplication) is no op: nothing precedes it before the run and nothing succeeds it after.
class WriterColumns {
 public:
  /// @param wants, desc, order  outlive this   @param width  columns, a multiple of 64
  WriterColumns(const detent_desc& desc, const Order& order, const Wants& wants, std::uint32_t width);

  /// Take the block of columns that begins at this position.
  void compute(std::uint32_t first);
  /// The columns that write bytes of the want. @return  false: there are none
  bool load(std::uint32_t want);

  void excuse(std::uint32_t op);
  void excuse_after(std::uint32_t op) { drop_row(row_after(op)); }
  void excuse_before(std::uint32_t op) { drop_row(row_before(op)); }
  /// The order within a commute group is declared irrelevant.
  void excuse_commuting_with(std::uint32_t op);
  template <typename IsExcused>
  void excuse_if(IsExcused is_excused) {
    for_each([&](std::uint32_t column) {
      if (is_excused(op_of(column))) bits_[column / 64] &= ~(Word{1} << (column % 64));
    });
  }

  /// Tell those that lie between writer and reader by the edges alone. @param is_backwards  then all do
  void mark_always(std::uint32_t reader, std::uint32_t writer, bool is_backwards);
  [[nodiscard]] bool is_always(std::uint32_t column) const { return has_bit(always_.data(), column); }
  [[nodiscard]] std::uint64_t count() const { return count_of(bits_); }
  [[nodiscard]] std::uint64_t count_always() const { return count_of(always_); }

  /// `visit(column)` of those that are not excused, ascending.
  template <typename Visit>
  void for_each(Visit visit) const {
    for (std::uint32_t w = 0; w < bits_.size(); ++w) {
      for (Word rest = bits_[w]; rest != 0; rest &= rest - 1) {
        visit(w * 64 + static_cast<std::uint32_t>(std::countr_zero(rest)));
      }
    }
  }
  [[nodiscard]] std::uint32_t op_of(std::uint32_t column) const { return order_.op_at(reach_.first() + column); }
  /// By the edges, the column comes before the op.
  [[nodiscard]] bool is_before(std::uint32_t op, std::uint32_t column) const { return has_row(row_before(op), column); }
  /// It comes after the writer and before the reader.
  [[nodiscard]] bool is_between(std::uint32_t writer, std::uint32_t reader, std::uint32_t column) const {
    return (writer == kApplication || has_row(row_after(writer), column)) &&
           (reader == kApplication || is_before(reader, column));
  }

 private:
  using Bits = std::vector<Word>;

  [[nodiscard]] const Word* row_after(std::uint32_t op) const;
  [[nodiscard]] const Word* row_before(std::uint32_t op) const;
  void drop_row(const Word* row);
  static void keep_row(const Word* row, Bits& bits);
  static std::uint64_t count_of(const Bits& bits);
  static bool has_bit(const Word* bits, std::uint32_t column) { return (bits[column / 64] >> (column % 64) & 1U) != 0; }
  static bool has_row(const Word* row, std::uint32_t column) { return row != nullptr && has_bit(row, column); }

  const detent_desc& desc_;
  const Order& order_;
  const AccessTable table_;
  const Memberships groups_;
  ReachBlock reach_;
  PrecededBlock preceded_;
  ConflictBlock conflicts_;
  SharingBlock commutes_;
  Bits bits_;    ///< columns that write wanted bytes and are not excused
  Bits always_;  ///< of them, those between writer and reader on every schedule
  Bits sharers_;
};

}  // namespace detent::verify
