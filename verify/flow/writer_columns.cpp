#include "verify/flow/writer_columns.hpp"

#include <algorithm>

namespace detent::verify {
namespace {

std::vector<std::vector<ByteSet>> bytes_of_all(const Wants& wants) {
  std::vector<std::vector<ByteSet>> rows;
  rows.reserve(wants.all.size());
  for (const Want& want : wants.all) rows.emplace_back(want.bytes.begin(), want.bytes.end());
  return rows;
}

}  // namespace

WriterColumns::WriterColumns(const detent_desc& desc, const Order& order, const Wants& wants, std::uint32_t width)
    : desc_(desc),
      order_(order),
      table_(desc, order, bytes_of_all(wants)),
      groups_(commute_groups_by_position(desc, order)),
      reach_(order, width),
      preceded_(order, width),
      conflicts_(table_, width),
      commutes_(groups_, width),
      bits_(width / 64),
      always_(width / 64),
      sharers_(width / 64) {}

void WriterColumns::compute(std::uint32_t first) {
  reach_.compute(first);
  preceded_.compute(first);
  conflicts_.load(first, reach_.column_count());
  commutes_.load(first, reach_.column_count());
}

bool WriterColumns::load(std::uint32_t want) {
  std::ranges::fill(bits_, Word{0});
  for (const Access& access : table_.wanted(want)) conflicts_.add_writers(access, bits_.data());
  return std::ranges::any_of(bits_, [](Word word) { return word != 0; });
}

void WriterColumns::excuse(std::uint32_t op) {
  if (op == kApplication) return;
  const std::uint32_t position = order_.position_of(op);
  if (position < reach_.first() || position >= reach_.first() + reach_.column_count()) return;
  const std::uint32_t column = position - reach_.first();
  bits_[column / 64] &= ~(Word{1} << (column % 64));
}

void WriterColumns::excuse_commuting_with(std::uint32_t op) {
  if (op == kApplication || desc_.ops[op].commute_group == DETENT_NONE) return;
  std::ranges::fill(sharers_, Word{0});
  commutes_.add_sharers(order_.position_of(op), sharers_.data());
  drop_row(sharers_.data());
}

void WriterColumns::mark_always(std::uint32_t reader, std::uint32_t writer, bool is_backwards) {
  always_ = bits_;
  if (is_backwards) return;
  if (writer != kApplication) keep_row(row_after(writer), always_);
  if (reader != kApplication) keep_row(row_before(reader), always_);
}

const Word* WriterColumns::row_after(std::uint32_t op) const {
  if (op == kApplication) return nullptr;
  const std::uint32_t position = order_.position_of(op);
  return position < reach_.first() + reach_.column_count() ? reach_.row(position) : nullptr;
}

const Word* WriterColumns::row_before(std::uint32_t op) const {
  if (op == kApplication) return nullptr;
  const std::uint32_t position = order_.position_of(op);
  return position >= reach_.first() ? preceded_.row(position) : nullptr;
}

void WriterColumns::drop_row(const Word* row) {
  if (row == nullptr) return;
  for (std::uint32_t w = 0; w < bits_.size(); ++w) bits_[w] &= ~row[w];
}

void WriterColumns::keep_row(const Word* row, Bits& bits) {
  for (std::uint32_t w = 0; w < bits.size(); ++w) bits[w] &= row == nullptr ? Word{0} : row[w];
}

std::uint64_t WriterColumns::count_of(const Bits& bits) {
  std::uint64_t count = 0;
  for (const Word word : bits) count += static_cast<std::uint64_t>(std::popcount(word));
  return count;
}

}  // namespace detent::verify
