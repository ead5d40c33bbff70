// Schedules -> traces and pair orders seen.
#include "verify/explore/ops/coverage.hpp"

#include <algorithm>

#include "base/ids.hpp"
#include "verify/explore/ops/space/enumerate.hpp"

namespace detent::verify::explore {
namespace {

/// Pairs of real ops that no path orders, by op id, symmetric.
BitMatrix find_unordered(const OpSpace& space) {
  const Order& order = space.order();
  const BitMatrix after = close_order(order);
  BitMatrix unordered(order.op_count());
  const auto is_real = [&](OpId op) { return (space.desc().ops[op].flags & DETENT_OP_DELAY) == 0; };
  for (std::uint32_t p = 0; p < order.op_count(); ++p) {
    for (std::uint32_t q = p + 1; q < order.op_count(); ++q) {
      const std::uint32_t x = order.op_at(p);
      const std::uint32_t y = order.op_at(q);
      if (after.test(p, q) || !is_real(x) || !is_real(y)) continue;
      unordered.set(x, y);
      unordered.set(y, x);
    }
  }
  return unordered;
}

}  // namespace

OpCoverage::OpCoverage(const OpSpace& space) : space_(space), place_(space.order().op_count()) {
  orders_.open.assign(space.pairs().size(), 0);
  if (space.order().op_count() > kMaxDenseOps) return;
  unordered_ = find_unordered(space);
  orders_.after = BitMatrix(unordered_.size());
  rest_.resize(unordered_.words());
}

void OpCoverage::place(const std::vector<std::uint32_t>& schedule) {
  for (std::uint32_t i = 0; i < schedule.size(); ++i) place_[schedule[i]] = i;
}

std::uint64_t OpCoverage::fingerprint_of(const std::vector<std::uint32_t>& schedule) {
  place(schedule);
  std::uint64_t fingerprint = 0;
  std::uint64_t word = 0;
  std::uint32_t bits = 0;
  for (const OpPair& pair : space_.pairs()) {
    word = word << 1U | (place_[pair.op_a] < place_[pair.op_b] ? 1U : 0U);
    if (++bits < 64) continue;
    fingerprint = fold_word(fingerprint, word);
    word = bits = 0;
  }
  return fold_word(fingerprint, word);
}

bool OpCoverage::add_fingerprint(std::uint64_t fingerprint) {
  ++schedules_;
  last_ = fingerprint;
  const std::uint64_t times = ++times_seen_[fingerprint];
  if (times == 1) ++once_;
  if (times == 2) --once_;
  return times == 1;
}

void OpCoverage::unite(const PairOrders& orders) {
  for (std::size_t i = 0; i < orders_.open.size(); ++i) orders_.open[i] |= orders.open[i];
  for (std::uint32_t x = 0; x < orders_.after.size(); ++x) {
    for (std::uint32_t w = 0; w < orders_.after.words(); ++w) orders_.after.row(x)[w] |= orders.after.row(x)[w];
  }
}

bool OpCoverage::add(const std::vector<std::uint32_t>& schedule) {
  const bool is_new = add_fingerprint(fingerprint_of(schedule));
  for (std::size_t i = 0; i < orders_.open.size(); ++i) {
    const OpPair& pair = space_.pairs()[i];
    orders_.open[i] |= static_cast<std::uint8_t>(place_[pair.op_a] < place_[pair.op_b] ? 1 : 2);
  }
  if (unordered_.size() == 0) return is_new;
  std::fill(rest_.begin(), rest_.end(), ~Word{0});
  for (const OpId op : schedule) {
    rest_[op / 64] &= ~(Word{1} << (op % 64));
    Word* const row = orders_.after.row(op);
    for (std::uint32_t w = 0; w < orders_.after.words(); ++w) row[w] |= rest_[w];
  }
  return is_new;
}

double OpCoverage::unseen_mass() const {
  return schedules_ == 0 ? 1 : static_cast<double>(once_) / static_cast<double>(schedules_);
}

PairCoverage OpCoverage::pairs() const {
  PairCoverage coverage;
  coverage.conflicting_total = space_.pairs().size();
  coverage.conflicting_both = static_cast<std::uint64_t>(std::count(orders_.open.begin(), orders_.open.end(), 3));
  coverage.unordered_total = space_.report().unordered_pairs.value_or(0);
  coverage.unordered_known = unordered_.size() == space_.order().op_count();
  for (std::uint32_t x = 0; x < unordered_.size(); ++x) {
    for_each_bit(unordered_.row(x), unordered_.words(), [&](std::uint32_t y) {
      if (x < y && orders_.after.test(x, y) && orders_.after.test(y, x)) ++coverage.unordered_both;
    });
  }
  return coverage;
}

}  // namespace detent::verify::explore
