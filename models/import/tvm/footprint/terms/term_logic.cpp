#include "models/import/tvm/footprint/terms/term_logic.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace detent::models::tvm::footprint {
namespace {

constexpr Range kBool = {0, 1};

/// a < b ? a : b and its likes; kNone: it is none of them.
NodeId minmax_of_select(Terms& terms, NodeId condition, NodeId a, NodeId b) {
  if (terms.node(condition).op != Op::kGe0) return kNone;
  const NodeId tested = terms.node(condition).args[0];
  const NodeId difference = terms.sub(a, b);
  const NodeId opposite = terms.sub(b, a);
  if (tested == difference || tested == terms.add(difference, terms.constant(-1))) return minmax(terms, Op::kMax, a, b);
  if (tested == opposite || tested == terms.add(opposite, terms.constant(-1))) return minmax(terms, Op::kMin, a, b);
  return kNone;
}

/// The range of a term when that of one atom is known better; through minima and maxima of data, as in clamps.
Range range_given(const Terms& terms, NodeId id, NodeId known, const Range& narrowed) {
  if (id == known) return narrowed;
  if (const Node* const origin = terms.origin_of(id)) {
    const Range a = range_given(terms, origin->args[0], known, narrowed);
    const Range b = range_given(terms, origin->args[1], known, narrowed);
    if (origin->op == Op::kMin) return {std::min(a.lo, b.lo), std::min(a.hi, b.hi)};
    return {std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
  }
  if (terms.node(id).op != Op::kSum) return terms.range(id);
  Range result = {terms.offset_of(id), terms.offset_of(id)};
  for (const auto& [arg, coef] : terms.summands(id)) {
    result = add(result, mul(range_given(terms, arg, known, narrowed), {coef, coef}));
  }
  return result;
}

/// The range of a sum when a comparison with one of its atoms is known.
Range range_if(const Terms& terms, NodeId id, NodeId condition, bool holds) {
  const Node& node = terms.node(condition);
  if (node.op == Op::kLogicAnd && holds) {
    const Range first = range_if(terms, id, node.args[0], true);
    const Range second = range_if(terms, id, node.args[1], true);
    const Range both = {std::max(first.lo, second.lo), std::min(first.hi, second.hi)};
    return both.lo <= both.hi ? both : first;
  }
  if (node.op != Op::kGe0) return terms.range(id);
  const std::vector<Summand> tested = terms.summands(node.args[0]);
  if (tested.size() != 1 || std::abs(tested[0].second) != 1) return terms.range(id);
  const std::int64_t offset = terms.offset_of(node.args[0]);
  Range narrowed = terms.range(tested[0].first);
  if ((tested[0].second == 1) == holds) {
    narrowed.lo = std::max(narrowed.lo, holds ? -offset : offset + 1);
  } else {
    narrowed.hi = std::min(narrowed.hi, holds ? offset : -offset - 1);
  }
  if (narrowed.lo > narrowed.hi) return terms.range(id);
  return range_given(terms, id, tested[0].first, narrowed);
}

}  // namespace

NodeId ge0(Terms& terms, NodeId a) {
  if (terms.range(a).lo >= 0) return terms.constant(1);
  if (terms.range(a).hi < 0) return terms.constant(0);
  std::vector<Summand> parts = terms.summands(a);
  std::int64_t factor = 0;
  for (const auto& term : parts) factor = std::gcd(factor, term.second);
  if (factor > 1) {
    for (auto& term : parts) term.second /= factor;
    a = terms.sum(floor_div(terms.offset_of(a), factor), std::move(parts));
  }
  return terms.atom(Op::kGe0, 0, {a}, kBool);
}

NodeId eq0(Terms& terms, NodeId a) {
  if (!within({0, 0}, terms.range(a).lo, terms.range(a).hi)) return terms.constant(0);
  const std::vector<Summand> parts = terms.summands(a);
  std::int64_t factor = 0;
  for (const auto& term : parts) factor = std::gcd(factor, term.second);
  if (factor > 1 && terms.offset_of(a) % factor != 0) return terms.constant(0);
  if (!parts.empty() && parts[0].second < 0) a = terms.scale(a, -1);
  return terms.atom(Op::kEq0, 0, {a}, kBool);
}

NodeId less(Terms& terms, NodeId a, NodeId b) { return ge0(terms, terms.add(terms.sub(b, a), terms.constant(-1))); }

NodeId equal(Terms& terms, NodeId a, NodeId b) { return eq0(terms, terms.sub(a, b)); }

NodeId truth(Terms& terms, NodeId a) { return within(terms.range(a), 0, 1) ? a : logic_not(terms, eq0(terms, a)); }

NodeId logic_not(Terms& terms, NodeId a) {
  if (!within(terms.range(a), 0, 1)) return eq0(terms, a);
  const Node node = terms.node(a);
  if (node.op == Op::kGe0) return ge0(terms, terms.add(terms.scale(node.args[0], -1), terms.constant(-1)));
  return terms.sub(terms.constant(1), a);
}

NodeId logic_and(Terms& terms, NodeId a, NodeId b) {
  a = truth(terms, a);
  b = truth(terms, b);
  if (terms.is_constant(a)) return terms.range(a).lo != 0 ? b : a;
  if (terms.is_constant(b)) return terms.range(b).lo != 0 ? a : b;
  return a == b ? a : terms.atom(Op::kLogicAnd, 0, {a, b}, kBool);
}

NodeId logic_or(Terms& terms, NodeId a, NodeId b) {
  a = truth(terms, a);
  b = truth(terms, b);
  if (terms.is_constant(a)) return terms.range(a).lo != 0 ? a : b;
  if (terms.is_constant(b)) return terms.range(b).lo != 0 ? b : a;
  return a == b ? a : terms.atom(Op::kLogicOr, 0, {a, b}, kBool);
}

NodeId minmax(Terms& terms, Op op, NodeId a, NodeId b) {
  if (a == b) return a;
  if (op == Op::kMin) {
    if (terms.range(a).hi <= terms.range(b).lo) return a;
    if (terms.range(b).hi <= terms.range(a).lo) return b;
    return terms.atom(op, 0, {std::min(a, b), std::max(a, b)},
                      {std::min(terms.range(a).lo, terms.range(b).lo), std::min(terms.range(a).hi, terms.range(b).hi)});
  }
  if (terms.range(a).lo >= terms.range(b).hi) return a;
  if (terms.range(b).lo >= terms.range(a).hi) return b;
  return terms.atom(op, 0, {std::min(a, b), std::max(a, b)},
                    {std::max(terms.range(a).lo, terms.range(b).lo), std::max(terms.range(a).hi, terms.range(b).hi)});
}

NodeId select(Terms& terms, NodeId condition, NodeId a, NodeId b) {
  condition = truth(terms, condition);
  if (terms.is_constant(condition)) return terms.range(condition).lo != 0 ? a : b;
  if (a == b) return a;
  if (a == terms.constant(1) && b == terms.constant(0)) return condition;
  const NodeId extreme = minmax_of_select(terms, condition, a, b);
  if (extreme != kNone) return extreme;
  return terms.atom(Op::kSelect, 0, {condition, a, b},
                    hull(range_if(terms, a, condition, true), range_if(terms, b, condition, false)));
}

}  // namespace detent::models::tvm::footprint
