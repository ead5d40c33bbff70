// Constructors of terms that are not sums, with the simplifications that ranges allow.
#include <algorithm>
#include <numeric>

#include "models/import/tvm/footprint/terms/term.hpp"

namespace detent::models::tvm::footprint {
namespace {

constexpr Range kBool = {0, 1};

bool within(const Range& range, std::int64_t lo, std::int64_t hi) { return lo <= range.lo && range.hi <= hi; }

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

}  // namespace

std::pair<NodeId, NodeId> Terms::split(NodeId a, std::int64_t divisor) {
  std::vector<Summand> whole;
  std::vector<Summand> rest;
  for (const auto& [arg, coef] : summands(a)) {
    if (coef % divisor == 0) {
      whole.emplace_back(arg, coef / divisor);
    } else {
      rest.emplace_back(arg, coef);
    }
  }
  const std::int64_t offset = offset_of(a);
  const NodeId first = sum(footprint::floor_div(offset, divisor), std::move(whole));
  return {first, sum(footprint::floor_mod(offset, divisor), std::move(rest))};
}

NodeId Terms::divide(NodeId a, std::int64_t divisor, bool quotient) {
  const auto [whole, rest] = split(a, divisor);
  if (within(range(rest), 0, divisor - 1)) return quotient ? whole : rest;
  const Node inner = nodes_[rest];
  if (quotient && inner.op == Op::kFloorDiv && inner.value < kFar / divisor) {
    return add(whole, floor_div(inner.args[0], inner.value * divisor));
  }
  if (!quotient && inner.op == Op::kFloorMod && inner.value % divisor == 0) return floor_mod(inner.args[0], divisor);
  std::vector<std::int64_t> factors;
  for (const auto& [arg, coef] : summands(rest)) factors.push_back(std::gcd(coef, divisor));
  std::sort(factors.rbegin(), factors.rend());
  factors.erase(std::unique(factors.begin(), factors.end()), factors.end());
  for (const std::int64_t factor : factors) {
    if (factor <= 1 || factor >= divisor) continue;
    const auto [high, low] = split(rest, factor);
    if (!within(range(low), 0, factor - 1)) continue;
    if (quotient) return add(whole, floor_div(high, divisor / factor));
    return add(scale(floor_mod(high, divisor / factor), factor), low);
  }
  if (!quotient) return atom(Op::kFloorMod, divisor, {rest}, {0, divisor - 1});
  const Range result = {footprint::floor_div(range(rest).lo, divisor), footprint::floor_div(range(rest).hi, divisor)};
  return add(whole, atom(Op::kFloorDiv, divisor, {rest}, result));
}

NodeId Terms::floor_div(NodeId a, std::int64_t divisor) { return divisor == 1 ? a : divide(a, divisor, true); }

NodeId Terms::floor_mod(NodeId a, std::int64_t divisor) {
  return divisor == 1 ? constant(0) : divide(a, divisor, false);
}

NodeId Terms::div(NodeId a, NodeId b) {
  if (is_constant(b) && range(b).lo < 0) return scale(div(a, scale(b, -1)), -1);
  if (is_constant(b) && range(b).lo > 0) {
    if (range(a).lo >= 0) return floor_div(a, range(b).lo);
    if (range(a).hi <= 0) return scale(floor_div(scale(a, -1), range(b).lo), -1);
    const std::int64_t by = range(b).lo;
    return atom(Op::kDiv, 0, {a, b}, {range(a).lo / by, range(a).hi / by});
  }
  const std::int64_t most = std::max(std::abs(range(a).lo), std::abs(range(a).hi));
  return atom(Op::kDiv, 0, {a, b}, range(b).lo >= 0 ? magnitude(range(a)) : Range{-most, most});
}

NodeId Terms::mod(NodeId a, NodeId b) {
  if (is_constant(b) && range(b).lo < 0) return mod(a, scale(b, -1));
  if (is_constant(b) && range(b).lo > 0 && range(a).lo >= 0) return floor_mod(a, range(b).lo);
  if (is_constant(b) && range(b).lo > 0 && range(a).hi <= 0) {
    return scale(floor_mod(scale(a, -1), range(b).lo), -1);
  }
  const std::int64_t most =
      std::min(std::max(std::abs(range(a).lo), std::abs(range(a).hi)),
               std::max<std::int64_t>(0, std::max(std::abs(range(b).lo), std::abs(range(b).hi)) - 1));
  return atom(Op::kMod, 0, {a, b}, {range(a).lo < 0 ? -most : 0, range(a).hi > 0 ? most : 0});
}

NodeId Terms::mul(NodeId a, NodeId b) {
  if (is_constant(a)) return scale(b, range(a).lo);
  if (is_constant(b)) return scale(a, range(b).lo);
  return atom(Op::kMul, 0, {std::min(a, b), std::max(a, b)}, footprint::mul(range(a), range(b)));
}

NodeId Terms::shift_left(NodeId a, NodeId b) {
  if (is_constant(b) && within(range(b), 0, 61)) return scale(a, std::int64_t{1} << range(b).lo);
  const Range factor =
      within(range(b), 0, 59) ? Range{std::int64_t{1} << range(b).lo, std::int64_t{1} << range(b).hi} : Range{0, kFar};
  return atom(Op::kShiftLeft, 0, {a, b}, footprint::mul(range(a), factor));
}

NodeId Terms::shift_right(NodeId a, NodeId b) {
  if (is_constant(b) && within(range(b), 0, 59)) return floor_div(a, std::int64_t{1} << range(b).lo);
  return atom(Op::kShiftRight, 0, {a, b}, hull(range(a), {0, 0}));
}

NodeId Terms::bit_and(NodeId a, NodeId b) {
  if (is_constant(a)) std::swap(a, b);
  const std::int64_t mask = range(b).lo;
  if (is_constant(b) && mask >= 0 && mask < kFar && (mask & (mask + 1)) == 0) return floor_mod(a, mask + 1);
  Range result = bit_range(range(a), range(b));
  if (range(a).lo >= 0) result = {0, range(a).hi};
  if (range(b).lo >= 0) result = {0, std::min(range(b).hi, range(a).lo >= 0 ? range(a).hi : kFar)};
  return atom(Op::kBitAnd, 0, {a, b}, result);
}

NodeId Terms::bits(Op op, NodeId a, NodeId b) {
  return atom(op, 0, {std::min(a, b), std::max(a, b)}, bit_range(range(a), range(b)));
}

NodeId Terms::ge0(NodeId a) {
  if (range(a).lo >= 0) return constant(1);
  if (range(a).hi < 0) return constant(0);
  std::vector<Summand> terms = summands(a);
  std::int64_t factor = 0;
  for (const auto& term : terms) factor = std::gcd(factor, term.second);
  if (factor > 1) {
    for (auto& term : terms) term.second /= factor;
    a = sum(footprint::floor_div(offset_of(a), factor), std::move(terms));
  }
  return atom(Op::kGe0, 0, {a}, kBool);
}

NodeId Terms::eq0(NodeId a) {
  if (!within({0, 0}, range(a).lo, range(a).hi)) return constant(0);
  const std::vector<Summand> terms = summands(a);
  std::int64_t factor = 0;
  for (const auto& term : terms) factor = std::gcd(factor, term.second);
  if (factor > 1 && offset_of(a) % factor != 0) return constant(0);
  if (!terms.empty() && terms[0].second < 0) a = scale(a, -1);
  return atom(Op::kEq0, 0, {a}, kBool);
}

NodeId Terms::truth(NodeId a) { return within(range(a), 0, 1) ? a : logic_not(eq0(a)); }

NodeId Terms::logic_not(NodeId a) {
  if (!within(range(a), 0, 1)) return eq0(a);
  const Node node = nodes_[a];
  if (node.op == Op::kGe0) return ge0(add(scale(node.args[0], -1), constant(-1)));
  return sub(constant(1), a);
}

NodeId Terms::logic_and(NodeId a, NodeId b) {
  a = truth(a);
  b = truth(b);
  if (is_constant(a)) return range(a).lo != 0 ? b : a;
  if (is_constant(b)) return range(b).lo != 0 ? a : b;
  return a == b ? a : atom(Op::kLogicAnd, 0, {a, b}, kBool);
}

NodeId Terms::logic_or(NodeId a, NodeId b) {
  a = truth(a);
  b = truth(b);
  if (is_constant(a)) return range(a).lo != 0 ? a : b;
  if (is_constant(b)) return range(b).lo != 0 ? b : a;
  return a == b ? a : atom(Op::kLogicOr, 0, {a, b}, kBool);
}

NodeId Terms::minmax(Op op, NodeId a, NodeId b) {
  if (a == b) return a;
  if (op == Op::kMin) {
    if (range(a).hi <= range(b).lo) return a;
    if (range(b).hi <= range(a).lo) return b;
    return atom(op, 0, {std::min(a, b), std::max(a, b)},
                {std::min(range(a).lo, range(b).lo), std::min(range(a).hi, range(b).hi)});
  }
  if (range(a).lo >= range(b).hi) return a;
  if (range(b).lo >= range(a).hi) return b;
  return atom(op, 0, {std::min(a, b), std::max(a, b)},
              {std::max(range(a).lo, range(b).lo), std::max(range(a).hi, range(b).hi)});
}

/// a < b ? a : b and its likes; kNone: it is none of them.
NodeId Terms::minmax_of_select(NodeId condition, NodeId a, NodeId b) {
  if (nodes_[condition].op != Op::kGe0) return kNone;
  const NodeId tested = nodes_[condition].args[0];
  const NodeId difference = sub(a, b);
  const NodeId opposite = sub(b, a);
  if (tested == difference || tested == add(difference, constant(-1))) return minmax(Op::kMax, a, b);
  if (tested == opposite || tested == add(opposite, constant(-1))) return minmax(Op::kMin, a, b);
  return kNone;
}

/// The range of a sum when a comparison with one of its atoms is known.
Range Terms::range_if(NodeId id, NodeId condition, bool holds) const {
  const Node& node = nodes_[condition];
  if (node.op == Op::kLogicAnd && holds) {
    const Range first = range_if(id, node.args[0], true);
    const Range second = range_if(id, node.args[1], true);
    const Range both = {std::max(first.lo, second.lo), std::min(first.hi, second.hi)};
    return both.lo <= both.hi ? both : first;
  }
  if (node.op != Op::kGe0) return range(id);
  const std::vector<Summand> tested = summands(node.args[0]);
  if (tested.size() != 1 || std::abs(tested[0].second) != 1) return range(id);
  const std::int64_t offset = offset_of(node.args[0]);
  Range narrowed = range(tested[0].first);
  if ((tested[0].second == 1) == holds) {
    narrowed.lo = std::max(narrowed.lo, holds ? -offset : offset + 1);
  } else {
    narrowed.hi = std::min(narrowed.hi, holds ? offset : -offset - 1);
  }
  if (narrowed.lo > narrowed.hi) return range(id);
  return range_given(id, tested[0].first, narrowed);
}

/// The range of a term when that of one atom is known better; through minima and maxima of data, as in clamps.
Range Terms::range_given(NodeId id, NodeId known, const Range& narrowed) const {
  if (id == known) return narrowed;
  const auto origin = origins_.find(id);
  if (origin != origins_.end()) {
    const Range a = range_given(origin->second.args[0], known, narrowed);
    const Range b = range_given(origin->second.args[1], known, narrowed);
    if (origin->second.op == Op::kMin) return {std::min(a.lo, b.lo), std::min(a.hi, b.hi)};
    return {std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
  }
  if (nodes_[id].op != Op::kSum) return range(id);
  Range result = {offset_of(id), offset_of(id)};
  for (const auto& [arg, coef] : summands(id)) {
    result = footprint::add(result, footprint::mul(range_given(arg, known, narrowed), {coef, coef}));
  }
  return result;
}

NodeId Terms::select(NodeId condition, NodeId a, NodeId b) {
  condition = truth(condition);
  if (is_constant(condition)) return range(condition).lo != 0 ? a : b;
  if (a == b) return a;
  if (a == constant(1) && b == constant(0)) return condition;
  const NodeId extreme = minmax_of_select(condition, a, b);
  if (extreme != kNone) return extreme;
  return atom(Op::kSelect, 0, {condition, a, b}, hull(range_if(a, condition, true), range_if(b, condition, false)));
}

NodeId Terms::wrap(NodeId a, std::uint32_t bits, bool is_signed) {
  if (bits == 0 || bits >= 64) return a;
  const Range full = is_signed ? Range{-(std::int64_t{1} << (bits - 1)), (std::int64_t{1} << (bits - 1)) - 1}
                               : Range{0, (std::int64_t{1} << bits) - 1};
  if (within(range(a), full.lo, full.hi)) return a;
  const std::int64_t code = is_signed ? -static_cast<std::int64_t>(bits) : static_cast<std::int64_t>(bits);
  return atom(Op::kWrap, code, {a}, full);
}

NodeId Terms::float_constant(double number, std::uint32_t bytes) {
  Node node;
  node.op = Op::kFloatConstant;
  node.value = bytes;
  node.number = bytes == 4 ? static_cast<double>(static_cast<float>(number)) : number;
  return intern(std::move(node));
}

NodeId Terms::float_op(Op op, std::vector<NodeId> args, std::uint32_t bytes) {
  const bool is_comparison = op == Op::kFloatLess || op == Op::kFloatLessEqual || op == Op::kFloatEqual;
  return atom(op, is_float(op) ? bytes : 0, std::move(args), is_comparison ? kBool : Range{-kFar, kFar});
}

NodeId Terms::rebuild(NodeId id, const std::vector<NodeId>& args) {
  const Node node = nodes_[id];
  switch (node.op) {
    case Op::kSum: {
      NodeId result = constant(node.value);
      for (std::size_t i = 0; i < args.size(); ++i) result = add(result, scale(args[i], node.coefs[i]));
      return result;
    }
    case Op::kFloorDiv:
      return floor_div(args[0], node.value);
    case Op::kFloorMod:
      return floor_mod(args[0], node.value);
    case Op::kDiv:
      return div(args[0], args[1]);
    case Op::kMod:
      return mod(args[0], args[1]);
    case Op::kMul:
      return mul(args[0], args[1]);
    case Op::kShiftLeft:
      return shift_left(args[0], args[1]);
    case Op::kShiftRight:
      return shift_right(args[0], args[1]);
    case Op::kBitAnd:
      return bit_and(args[0], args[1]);
    case Op::kBitOr:
    case Op::kBitXor:
      return bits(node.op, args[0], args[1]);
    case Op::kGe0:
      return ge0(args[0]);
    case Op::kEq0:
      return eq0(args[0]);
    case Op::kLogicAnd:
      return logic_and(args[0], args[1]);
    case Op::kLogicOr:
      return logic_or(args[0], args[1]);
    case Op::kSelect:
      return select(args[0], args[1], args[2]);
    case Op::kMin:
    case Op::kMax:
      return minmax(node.op, args[0], args[1]);
    case Op::kVariable:
      return id;
    case Op::kWrap:
      return wrap(args[0], static_cast<std::uint32_t>(std::abs(node.value)), node.value < 0);
    case Op::kTruncate:
    case Op::kFloatLess:
    case Op::kFloatLessEqual:
    case Op::kFloatEqual:
    case Op::kFloatConstant:
    case Op::kFloatOfInt:
    case Op::kFloatAdd:
    case Op::kFloatSub:
    case Op::kFloatMul:
    case Op::kFloatDiv:
    case Op::kFloatNegate:
    case Op::kFloatFloor:
    case Op::kFloatCeil:
    case Op::kFloatRound:
    case Op::kFloatNearby:
    case Op::kFloatTrunc:
    case Op::kFloatAbs:
    case Op::kFloatMin:
    case Op::kFloatMax:
    case Op::kFloatSelect:
    case Op::kFloatConvert:
      return float_op(node.op, args, static_cast<std::uint32_t>(node.value));
  }
  return id;
}

}  // namespace detent::models::tvm::footprint
