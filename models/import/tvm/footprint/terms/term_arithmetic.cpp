#include "models/import/tvm/footprint/terms/term_arithmetic.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace detent::models::tvm::footprint {
namespace {

Range magnitude(const Range& range) {
  const std::int64_t most = std::max(std::abs(range.lo), std::abs(range.hi));
  return {range.lo < 0 ? -most : 0, range.hi > 0 ? most : 0};
}

/// Values of `bits` bits that have no more significant bits than those of a and b.
Range bit_range(const Range& a, const Range& b) {
  if (a.lo < 0 || b.lo < 0) {
    const std::int64_t most = std::max({-a.lo, a.hi, -b.lo, b.hi});
    std::int64_t power = 1;
    while (power <= most && power < kFar) power *= 2;
    return {-power, power - 1};
  }
  std::int64_t power = 1;
  while (power <= std::max(a.hi, b.hi) && power < kFar) power *= 2;
  return {0, power - 1};
}

/// a == divisor * first + second; the second's constant lies in 0..divisor-1
std::pair<NodeId, NodeId> split(Terms& terms, NodeId a, std::int64_t divisor) {
  std::vector<Summand> whole;
  std::vector<Summand> rest;
  for (const auto& [arg, coef] : terms.summands(a)) {
    if (coef % divisor == 0) {
      whole.emplace_back(arg, coef / divisor);
    } else {
      rest.emplace_back(arg, coef);
    }
  }
  const std::int64_t offset = terms.offset_of(a);
  const NodeId first = terms.sum(floor_div(offset, divisor), std::move(whole));
  return {first, terms.sum(floor_mod(offset, divisor), std::move(rest))};
}

NodeId divide(Terms& terms, NodeId a, std::int64_t divisor, bool quotient) {
  const auto [whole, rest] = split(terms, a, divisor);
  if (within(terms.range(rest), 0, divisor - 1)) return quotient ? whole : rest;
  const Node inner = terms.node(rest);
  if (quotient && inner.op == Op::kFloorDiv && inner.value < kFar / divisor) {
    return terms.add(whole, floor_div(terms, inner.args[0], inner.value * divisor));
  }
  if (!quotient && inner.op == Op::kFloorMod && inner.value % divisor == 0)
    return floor_mod(terms, inner.args[0], divisor);
  std::vector<std::int64_t> factors;
  for (const auto& [arg, coef] : terms.summands(rest)) factors.push_back(std::gcd(coef, divisor));
  std::sort(factors.rbegin(), factors.rend());
  factors.erase(std::unique(factors.begin(), factors.end()), factors.end());
  for (const std::int64_t factor : factors) {
    if (factor <= 1 || factor >= divisor) continue;
    const auto [high, low] = split(terms, rest, factor);
    if (!within(terms.range(low), 0, factor - 1)) continue;
    if (quotient) return terms.add(whole, floor_div(terms, high, divisor / factor));
    return terms.add(terms.scale(floor_mod(terms, high, divisor / factor), factor), low);
  }
  if (!quotient) return terms.atom(Op::kFloorMod, divisor, {rest}, {0, divisor - 1});
  const Range result = {floor_div(terms.range(rest).lo, divisor), floor_div(terms.range(rest).hi, divisor)};
  return terms.add(whole, terms.atom(Op::kFloorDiv, divisor, {rest}, result));
}

}  // namespace

NodeId floor_div(Terms& terms, NodeId a, std::int64_t divisor) {
  return divisor == 1 ? a : divide(terms, a, divisor, true);
}

NodeId floor_mod(Terms& terms, NodeId a, std::int64_t divisor) {
  return divisor == 1 ? terms.constant(0) : divide(terms, a, divisor, false);
}

NodeId div(Terms& terms, NodeId a, NodeId b) {
  if (terms.is_constant(b) && terms.range(b).lo < 0) return terms.scale(div(terms, a, terms.scale(b, -1)), -1);
  if (terms.is_constant(b) && terms.range(b).lo > 0) {
    if (terms.range(a).lo >= 0) return floor_div(terms, a, terms.range(b).lo);
    if (terms.range(a).hi <= 0) return terms.scale(floor_div(terms, terms.scale(a, -1), terms.range(b).lo), -1);
    const std::int64_t by = terms.range(b).lo;
    return terms.atom(Op::kDiv, 0, {a, b}, {terms.range(a).lo / by, terms.range(a).hi / by});
  }
  const std::int64_t most = std::max(std::abs(terms.range(a).lo), std::abs(terms.range(a).hi));
  return terms.atom(Op::kDiv, 0, {a, b}, terms.range(b).lo >= 0 ? magnitude(terms.range(a)) : Range{-most, most});
}

NodeId mod(Terms& terms, NodeId a, NodeId b) {
  if (terms.is_constant(b) && terms.range(b).lo < 0) return mod(terms, a, terms.scale(b, -1));
  if (terms.is_constant(b) && terms.range(b).lo > 0 && terms.range(a).lo >= 0)
    return floor_mod(terms, a, terms.range(b).lo);
  if (terms.is_constant(b) && terms.range(b).lo > 0 && terms.range(a).hi <= 0) {
    return terms.scale(floor_mod(terms, terms.scale(a, -1), terms.range(b).lo), -1);
  }
  const std::int64_t most =
      std::min(std::max(std::abs(terms.range(a).lo), std::abs(terms.range(a).hi)),
               std::max<std::int64_t>(0, std::max(std::abs(terms.range(b).lo), std::abs(terms.range(b).hi)) - 1));
  return terms.atom(Op::kMod, 0, {a, b}, {terms.range(a).lo < 0 ? -most : 0, terms.range(a).hi > 0 ? most : 0});
}

NodeId mul(Terms& terms, NodeId a, NodeId b) {
  if (terms.is_constant(a)) return terms.scale(b, terms.range(a).lo);
  if (terms.is_constant(b)) return terms.scale(a, terms.range(b).lo);
  return terms.atom(Op::kMul, 0, {std::min(a, b), std::max(a, b)}, mul(terms.range(a), terms.range(b)));
}

NodeId shift_left(Terms& terms, NodeId a, NodeId b) {
  if (terms.is_constant(b) && within(terms.range(b), 0, 61))
    return terms.scale(a, std::int64_t{1} << terms.range(b).lo);
  const Range factor = within(terms.range(b), 0, 59)
                           ? Range{std::int64_t{1} << terms.range(b).lo, std::int64_t{1} << terms.range(b).hi}
                           : Range{0, kFar};
  return terms.atom(Op::kShiftLeft, 0, {a, b}, mul(terms.range(a), factor));
}

NodeId shift_right(Terms& terms, NodeId a, NodeId b) {
  if (terms.is_constant(b) && within(terms.range(b), 0, 59))
    return floor_div(terms, a, std::int64_t{1} << terms.range(b).lo);
  return terms.atom(Op::kShiftRight, 0, {a, b}, hull(terms.range(a), {0, 0}));
}

NodeId bit_and(Terms& terms, NodeId a, NodeId b) {
  if (terms.is_constant(a)) std::swap(a, b);
  const std::int64_t mask = terms.range(b).lo;
  if (terms.is_constant(b) && mask >= 0 && mask < kFar && (mask & (mask + 1)) == 0)
    return floor_mod(terms, a, mask + 1);
  Range result = bit_range(terms.range(a), terms.range(b));
  if (terms.range(a).lo >= 0) result = {0, terms.range(a).hi};
  if (terms.range(b).lo >= 0)
    result = {0, std::min(terms.range(b).hi, terms.range(a).lo >= 0 ? terms.range(a).hi : kFar)};
  return terms.atom(Op::kBitAnd, 0, {a, b}, result);
}

NodeId bits(Terms& terms, Op op, NodeId a, NodeId b) {
  return terms.atom(op, 0, {std::min(a, b), std::max(a, b)}, bit_range(terms.range(a), terms.range(b)));
}

NodeId wrap(Terms& terms, NodeId a, std::uint32_t bits, bool is_signed) {
  if (bits == 0 || bits >= 64) return a;
  const Range full = is_signed ? Range{-(std::int64_t{1} << (bits - 1)), (std::int64_t{1} << (bits - 1)) - 1}
                               : Range{0, (std::int64_t{1} << bits) - 1};
  if (within(terms.range(a), full.lo, full.hi)) return a;
  const std::int64_t code = is_signed ? -static_cast<std::int64_t>(bits) : static_cast<std::int64_t>(bits);
  return terms.atom(Op::kWrap, code, {a}, full);
}

NodeId float_op(Terms& terms, Op op, std::vector<NodeId> args, std::uint32_t bytes) {
  const bool is_comparison = op == Op::kFloatLess || op == Op::kFloatLessEqual || op == Op::kFloatEqual;
  return terms.atom(op, is_float(op) ? bytes : 0, std::move(args), is_comparison ? Range{0, 1} : Range{-kFar, kFar});
}

}  // namespace detent::models::tvm::footprint
