#include "models/import/tvm/footprint/memory/arithmetic.hpp"

#include <utility>

#include "models/import/tvm/footprint/terms/term_arithmetic.hpp"
#include "models/import/tvm/footprint/terms/term_logic.hpp"

namespace detent::models::tvm::footprint {

Value Arithmetic::unknown_of(const CType& type) {
  if (is_pointer(type)) return pointer_value(objects_.of(Object::Kind::kWild, 0), terms_.constant(0));
  if (is_float(type)) return float_value(kNone);
  return is_integer(type) ? int_value(terms_.unknown(range_of(type))) : Value{};
}

NodeId Arithmetic::int_of(const Value& value) {
  if (value.kind == Value::Kind::kInt) return value.node;
  if (value.kind == Value::Kind::kFloat && value.node != kNone) {
    return float_op(terms_, Op::kTruncate, {value.node}, 0);
  }
  return terms_.unknown({-kFar, kFar});
}

NodeId Arithmetic::float_of(const Value& value, std::uint32_t bytes) {
  if (value.kind == Value::Kind::kFloat && value.node != kNone) {
    return terms_.node(value.node).value == bytes ? value.node
                                                  : float_op(terms_, Op::kFloatConvert, {value.node}, bytes);
  }
  const bool is_known = value.kind == Value::Kind::kInt && !terms_.node(value.node).data;
  return is_known ? float_op(terms_, Op::kFloatOfInt, {value.node}, bytes) : kNone;
}

NodeId Arithmetic::condition_of(const Value& value) {
  switch (value.kind) {
    case Value::Kind::kInt:
      return truth(terms_, value.node);
    case Value::Kind::kPointer:
      if (objects_[value.object].kind == Object::Kind::kNull) return terms_.constant(0);
      if (objects_[value.object].kind == Object::Kind::kWild) return terms_.unknown({0, 1});
      return terms_.constant(1);
    case Value::Kind::kFloat:
      if (value.node == kNone) return terms_.unknown({0, 1});
      return logic_not(terms_, float_op(terms_, Op::kFloatEqual, {value.node, terms_.float_constant(0, 8)}, 0));
    case Value::Kind::kUnknown:
    case Value::Kind::kRecord:
      break;
  }
  return terms_.unknown({0, 1});
}

Value Arithmetic::convert(const Value& value, const CType& type) {
  if (is_pointer(type)) {
    if (value.kind == Value::Kind::kPointer) return value;
    const bool is_null = value.kind == Value::Kind::kInt && value.node == terms_.constant(0);
    return pointer_value(objects_.of(is_null ? Object::Kind::kNull : Object::Kind::kWild, 0), terms_.constant(0));
  }
  if (is_float(type)) return float_value(is_known_float(type) ? float_of(value, float_bytes(type)) : kNone);
  if (!is_integer(type)) return value.kind == Value::Kind::kRecord ? value : Value{};
  if (type.scalar == CType::Scalar::kBool) return int_value(condition_of(value));
  if (value.kind != Value::Kind::kInt && (value.kind != Value::Kind::kFloat || value.node == kNone)) {
    return unknown_of(type);
  }
  const NodeId node = int_of(value);
  if (type.scalar_bytes >= 8) return fitted(node, type);
  return int_value(wrap(terms_, node, 8 * type.scalar_bytes, type.scalar != CType::Scalar::kUInt));
}

/// The result of an operation in this type. Terms are whole numbers up to kFar: what may lie beyond is not known, and
/// neither is an unsigned number of 64 bits that wraps around. Signed numbers do not: that would be undefined.
Value Arithmetic::fitted(NodeId node, const CType& type) {
  const Range range = terms_.node(node).range;
  const bool is_unsigned = type.scalar == CType::Scalar::kUInt;
  if (is_unsigned && type.scalar_bytes < 8) return int_value(wrap(terms_, node, 8 * type.scalar_bytes, false));
  if (range.lo <= -kFar || range.hi >= kFar || (is_unsigned && range.lo < 0)) return unknown_of(type);
  return int_value(node);
}

Value Arithmetic::apply(BinaryOperator op, const Value& a, const Value& b, const CType& type) {
  if (a.kind == Value::Kind::kPointer || b.kind == Value::Kind::kPointer) return apply_pointer(op, a, b, type);
  if (is_float(type)) return apply_float(op, a, b, type);
  if (!is_integer(type)) {
    if (type.scalar == CType::Scalar::kFloat) findings_.count_flops(type.scalar_bytes / 4);  // a vector of float
    return unknown_of(type);
  }
  return apply_int(op, int_of(a), int_of(b), type);
}

Value Arithmetic::apply_int(BinaryOperator op, NodeId a, NodeId b, const CType& type) {
  const NodeId node = integer_term(op, a, b);
  return node == kNone ? unknown_of(type) : fitted(node, type);
}

/// kNone: an operator without a term
NodeId Arithmetic::integer_term(BinaryOperator op, NodeId a, NodeId b) {
  switch (op) {
    case BinaryOperator::kAdd:
      return terms_.add(a, b);
    case BinaryOperator::kSubtract:
      return terms_.sub(a, b);
    case BinaryOperator::kMultiply:
      return mul(terms_, a, b);
    case BinaryOperator::kDivide:
      return div(terms_, a, b);
    case BinaryOperator::kRemainder:
      return mod(terms_, a, b);
    case BinaryOperator::kShiftLeft:
      return shift_left(terms_, a, b);
    case BinaryOperator::kShiftRight:
      return shift_right(terms_, a, b);
    case BinaryOperator::kBitAnd:
      return bit_and(terms_, a, b);
    case BinaryOperator::kBitOr:
      return bits(terms_, Op::kBitOr, a, b);
    case BinaryOperator::kBitXor:
      return bits(terms_, Op::kBitXor, a, b);
    case BinaryOperator::kNone:
    case BinaryOperator::kLess:
    case BinaryOperator::kGreater:
    case BinaryOperator::kLessEqual:
    case BinaryOperator::kGreaterEqual:
    case BinaryOperator::kEqual:
    case BinaryOperator::kNotEqual:
    case BinaryOperator::kLogicAnd:
    case BinaryOperator::kLogicOr:
    case BinaryOperator::kComma:
      break;
  }
  return kNone;
}

Value Arithmetic::apply_float(BinaryOperator op, const Value& a, const Value& b, const CType& type) {
  findings_.count_flops(1);
  const std::uint32_t bytes = float_bytes(type);
  const NodeId x = float_of(a, bytes);
  const NodeId y = float_of(b, bytes);
  if (x == kNone || y == kNone || !is_known_float(type)) return float_value(kNone);
  if (op == BinaryOperator::kAdd) return float_value(float_op(terms_, Op::kFloatAdd, {x, y}, bytes));
  if (op == BinaryOperator::kSubtract) return float_value(float_op(terms_, Op::kFloatSub, {x, y}, bytes));
  if (op == BinaryOperator::kMultiply) return float_value(float_op(terms_, Op::kFloatMul, {x, y}, bytes));
  if (op == BinaryOperator::kDivide) return float_value(float_op(terms_, Op::kFloatDiv, {x, y}, bytes));
  return float_value(kNone);
}

Value Arithmetic::apply_pointer(BinaryOperator op, const Value& a, const Value& b, const CType& type) {
  if (!is_pointer(type)) {
    findings_.use_addresses();
    if (a.kind != b.kind || a.object != b.object) findings_.number_addresses();
    return unknown_of(type);  // a difference of pointers
  }
  const bool first = a.kind == Value::Kind::kPointer;
  const Value& pointer = first ? a : b;
  const auto bytes = static_cast<std::int64_t>(pointee_bytes(type));
  NodeId steps = terms_.scale(int_of(first ? b : a), op == BinaryOperator::kSubtract ? -bytes : bytes);
  const bool steps_by_elements = op == BinaryOperator::kAdd || op == BinaryOperator::kSubtract;
  if (bytes == 0 || !steps_by_elements) steps = terms_.unknown({-kFar, kFar});
  return pointer_value(pointer.object, terms_.add(pointer.node, steps));
}

Value Arithmetic::compare_pointers(BinaryOperator op, const Value& a, const Value& b) {
  const bool one_is_null = objects_.is(a, Object::Kind::kNull) || objects_.is(b, Object::Kind::kNull);
  const bool one_is_wild = objects_.is(a, Object::Kind::kWild) || objects_.is(b, Object::Kind::kWild);
  if (!one_is_null) findings_.use_addresses();
  if (!one_is_null || one_is_wild || a.kind != b.kind) return int_value(terms_.unknown({0, 1}));
  const bool same = a.object == b.object;
  const bool holds = op == BinaryOperator::kEqual ? same : op == BinaryOperator::kNotEqual && !same;
  return int_value(terms_.constant(holds ? 1 : 0));
}

Value Arithmetic::compare_floats(BinaryOperator op, const Value& a, const Value& b) {
  const std::uint32_t bytes = 8;  // comparing is exact in the wider type
  NodeId x = float_of(a, bytes);
  NodeId y = float_of(b, bytes);
  if (x == kNone || y == kNone) return int_value(terms_.unknown({0, 1}));
  if (op == BinaryOperator::kGreater || op == BinaryOperator::kGreaterEqual) std::swap(x, y);
  const Op kind = op == BinaryOperator::kLess || op == BinaryOperator::kGreater             ? Op::kFloatLess
                  : op == BinaryOperator::kLessEqual || op == BinaryOperator::kGreaterEqual ? Op::kFloatLessEqual
                                                                                            : Op::kFloatEqual;
  const NodeId result = float_op(terms_, kind, {x, y}, 0);
  return int_value(op == BinaryOperator::kNotEqual ? logic_not(terms_, result) : result);
}

Value Arithmetic::compare(BinaryOperator op, const Value& a, const Value& b) {
  if (a.kind == Value::Kind::kPointer || b.kind == Value::Kind::kPointer) return compare_pointers(op, a, b);
  if (a.kind == Value::Kind::kFloat || b.kind == Value::Kind::kFloat) return compare_floats(op, a, b);
  const NodeId x = int_of(a);
  const NodeId y = int_of(b);
  if (op == BinaryOperator::kLess) return int_value(less(terms_, x, y));
  if (op == BinaryOperator::kGreater) return int_value(less(terms_, y, x));
  if (op == BinaryOperator::kLessEqual) return int_value(logic_not(terms_, less(terms_, y, x)));
  if (op == BinaryOperator::kGreaterEqual) return int_value(logic_not(terms_, less(terms_, x, y)));
  const NodeId same = equal(terms_, x, y);
  return int_value(op == BinaryOperator::kEqual ? same : logic_not(terms_, same));
}

}  // namespace detent::models::tvm::footprint
