#include "models/import/tvm/footprint/terms/term_replace.hpp"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "models/import/tvm/footprint/terms/term_arithmetic.hpp"
#include "models/import/tvm/footprint/terms/term_logic.hpp"

namespace detent::models::tvm::footprint {
namespace {

NodeId rebuild(Terms& terms, NodeId id, const std::vector<NodeId>& args) {
  const Node node = terms.node(id);
  switch (node.op) {
    case Op::kSum: {
      NodeId result = terms.constant(node.value);
      for (std::size_t i = 0; i < args.size(); ++i) result = terms.add(result, terms.scale(args[i], node.coefs[i]));
      return result;
    }
    case Op::kFloorDiv:
      return floor_div(terms, args[0], node.value);
    case Op::kFloorMod:
      return floor_mod(terms, args[0], node.value);
    case Op::kDiv:
      return div(terms, args[0], args[1]);
    case Op::kMod:
      return mod(terms, args[0], args[1]);
    case Op::kMul:
      return mul(terms, args[0], args[1]);
    case Op::kShiftLeft:
      return shift_left(terms, args[0], args[1]);
    case Op::kShiftRight:
      return shift_right(terms, args[0], args[1]);
    case Op::kBitAnd:
      return bit_and(terms, args[0], args[1]);
    case Op::kBitOr:
    case Op::kBitXor:
      return bits(terms, node.op, args[0], args[1]);
    case Op::kGe0:
      return ge0(terms, args[0]);
    case Op::kEq0:
      return eq0(terms, args[0]);
    case Op::kLogicAnd:
      return logic_and(terms, args[0], args[1]);
    case Op::kLogicOr:
      return logic_or(terms, args[0], args[1]);
    case Op::kSelect:
      return select(terms, args[0], args[1], args[2]);
    case Op::kMin:
    case Op::kMax:
      return minmax(terms, node.op, args[0], args[1]);
    case Op::kVariable:
      return id;
    case Op::kWrap:
      return wrap(terms, args[0], static_cast<std::uint32_t>(std::abs(node.value)), node.value < 0);
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
      return float_op(terms, node.op, args, static_cast<std::uint32_t>(node.value));
  }
  return id;
}

}  // namespace

NodeId substitute(Terms& terms, NodeId id, const std::map<VarId, NodeId>& replacement, std::map<NodeId, NodeId>& memo) {
  const bool touched = std::any_of(terms.node(id).vars.begin(), terms.node(id).vars.end(),
                                   [&](VarId variable) { return replacement.contains(variable); });
  if (!touched) return id;
  if (terms.node(id).op == Op::kVariable) return replacement.at(static_cast<VarId>(terms.node(id).value));
  const auto found = memo.find(id);
  if (found != memo.end()) return found->second;
  std::vector<NodeId> args = terms.node(id).args;
  for (NodeId& arg : args) arg = substitute(terms, arg, replacement, memo);
  const NodeId result = rebuild(terms, id, args);
  memo.emplace(id, result);
  return result;
}

}  // namespace detent::models::tvm::footprint
