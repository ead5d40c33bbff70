#include "models/import/tvm/footprint/walk/evaluator.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "models/import/tvm/footprint/terms/term_arithmetic.hpp"
#include "models/import/tvm/footprint/terms/term_logic.hpp"
#include "models/import/tvm/footprint/walk/syntax.hpp"

namespace detent::models::tvm::footprint {

Value Evaluator::evaluate(ExprId id) {
  const Expr& expr = walk_.unit.expr(id);
  if (!walk_.findings.spend(expr.line)) return walk_.arithmetic.unknown_of(expr.type);
  switch (expr.kind) {
    case ExprKind::kInt: {
      const bool is_huge =
          (expr.type.scalar == CType::Scalar::kUInt && expr.value < 0) || expr.value >= kFar || expr.value <= -kFar;
      return is_huge ? walk_.arithmetic.unknown_of(expr.type) : int_value(walk_.terms.constant(expr.value));
    }
    case ExprKind::kFloat:
      return float_value(is_known_float(expr.type) ? walk_.terms.float_constant(expr.number, float_bytes(expr.type))
                                                   : kNone);
    case ExprKind::kString:
      return pointer_value(walk_.objects.of(Object::Kind::kConstant, 0), walk_.terms.constant(0));
    case ExprKind::kName:
      return evaluate_name(expr);
    case ExprKind::kUnary:
      return evaluate_unary(expr);
    case ExprKind::kBinary:
      return evaluate_binary(expr);
    case ExprKind::kAssign:
      return assign(expr);
    case ExprKind::kSelect:
      return evaluate_select(expr);
    case ExprKind::kIndex:
      return walk_.memory.read(place_of(id), expr.type);
    case ExprKind::kMember:
      return evaluate_member(expr);
    case ExprKind::kCall:
      return call_(expr);
    case ExprKind::kCast:
      return evaluate_cast(expr);
    case ExprKind::kInitList: {
      Value value;
      value.kind = Value::Kind::kRecord;
      for (const ExprId arg : expr.args) value.parts.push_back(evaluate_part(arg));
      return value;
    }
    case ExprKind::kComponent:
      evaluate(expr.args[0]);
      return walk_.arithmetic.unknown_of(expr.type);
    case ExprKind::kUnknown:
      break;
  }
  return evaluate_unknown(expr);
}

void Evaluator::evaluate_statement(ExprId id) {
  whole_statement_ = &walk_.unit.expr(id);
  evaluate_unused(id);
}

void Evaluator::evaluate_unused(ExprId id) {
  const Expr& expr = walk_.unit.expr(id);
  const bool is_void =
      expr.kind == ExprKind::kCast && expr.type.scalar == CType::Scalar::kVoid && !is_pointer(expr.type);
  if (is_void || expr.is(BinaryOperator::kComma)) {
    for (const ExprId part : expr.args) evaluate_unused(part);
  } else if (has_effect(walk_.unit, id)) {
    evaluate(id);
  } else {
    walk_.log.push_guard(walk_.terms.unknown({0, 1}));
    evaluate(id);
    walk_.log.drop_guards(walk_.log.guard_count() - 1);
  }
}

Value Evaluator::evaluate_name(const Expr& expr) {
  const std::size_t local = walk_.scope.find(expr.text);
  if (local != SIZE_MAX) return walk_.memory.read(place_of_name(expr), expr.type);
  const Global* const global = walk_.facts.global(expr.text);
  if (global == nullptr) {  // a function
    return is_pointer(expr.type) ? pointer_value(walk_.objects.of(Object::Kind::kConstant, 0), walk_.terms.constant(0))
                                 : walk_.arithmetic.unknown_of(expr.type);
  }
  const Variable& variable = global->variable;
  const bool is_literal = variable.type.is_const && !is_pointer(variable.type) && variable.init != kNoNode &&
                          walk_.unit.expr(variable.init).kind == ExprKind::kInt;
  if (is_literal) return evaluate(variable.init);
  return walk_.memory.read(place_of_name(expr), expr.type);
}

/// What the reader could not name may do anything.
Value Evaluator::evaluate_unknown(const Expr& expr) {
  walk_.findings.fail(expr.line, "an expression that is not understood: " + (expr.text.empty() ? "?" : expr.text));
  for (const ExprId arg : expr.args) {
    const Value part = evaluate(arg);
    if (is_pointer(walk_.unit.expr(arg).type)) walk_.memory.escape(part, OutsideUse::kReadsAndWrites);
  }
  return walk_.arithmetic.unknown_of(expr.type);
}

Value Evaluator::evaluate_unary(const Expr& expr) {
  if (expr.is_step()) return step(expr);
  if (expr.unary == UnaryOperator::kAddressOf) return evaluate_address(expr);
  if (expr.unary == UnaryOperator::kDereference)
    return walk_.memory.read(place_behind(evaluate(expr.args[0])), expr.type);
  return evaluate_sign(expr);
}

Value Evaluator::evaluate_address(const Expr& expr) {
  const Expr& target = walk_.unit.expr(expr.args[0]);
  const bool is_function = target.kind == ExprKind::kName && walk_.scope.find(target.text) == SIZE_MAX &&
                           walk_.facts.global(target.text) == nullptr;
  return is_function ? evaluate_name(target) : walk_.memory.address_of(place_of(expr.args[0]));
}

/// !x, +x, -x, ~x, __extension__ x
Value Evaluator::evaluate_sign(const Expr& expr) {
  const UnaryOperator op = expr.unary;
  const Value value = evaluate(expr.args[0]);
  if (op == UnaryOperator::kNot) return int_value(logic_not(walk_.terms, walk_.arithmetic.condition_of(value)));
  if (op == UnaryOperator::kPlus || op == UnaryOperator::kExtension) return value;
  if (op != UnaryOperator::kMinus && op != UnaryOperator::kComplement) {
    walk_.findings.fail(expr.line, "an operator that is not understood: " + std::string(spelling(op)));
    return walk_.arithmetic.unknown_of(expr.type);
  }
  if (is_float(expr.type)) {
    walk_.findings.count_flops(1);
    const std::uint32_t bytes = float_bytes(expr.type);
    const NodeId node = walk_.arithmetic.float_of(value, bytes);
    return float_value(node == kNone ? kNone : float_op(walk_.terms, Op::kFloatNegate, {node}, bytes));
  }
  if (!is_integer(expr.type)) return walk_.arithmetic.unknown_of(expr.type);
  const NodeId negative = walk_.terms.scale(walk_.arithmetic.int_of(value), -1);
  const bool is_complement = op == UnaryOperator::kComplement;
  return walk_.arithmetic.fitted(is_complement ? walk_.terms.add(negative, walk_.terms.constant(-1)) : negative,
                                 expr.type);
}

Value Evaluator::evaluate_binary(const Expr& expr) {
  const BinaryOperator op = expr.binary;
  if (op == BinaryOperator::kLogicAnd || op == BinaryOperator::kLogicOr) return evaluate_logic(expr);
  if (op == BinaryOperator::kComma) {
    evaluate_unused(expr.args[0]);
    return evaluate(expr.args[1]);
  }
  const Value a = evaluate(expr.args[0]);
  const Value b = evaluate(expr.args[1]);
  if (is_comparison(op)) {
    const bool in_float = is_float(walk_.unit.expr(expr.args[0]).type) || is_float(walk_.unit.expr(expr.args[1]).type);
    if (in_float) walk_.findings.count_flops(1);
    return walk_.arithmetic.compare(op, a, b);
  }
  return walk_.arithmetic.apply(op, a, b, expr.type);
}

/// An operand that is evaluated under a condition only. @return  what its side effects leave of the condition's guard
Value Evaluator::evaluate_under(NodeId guard, ExprId id) {
  std::set<std::string> changed;
  add_assigned_names(walk_.unit, id, changed);
  const std::vector<Value> before = changed.empty() ? std::vector<Value>{} : walk_.scope.values();
  const std::size_t guards = walk_.log.guard_count();
  walk_.log.push_guard(guard);
  const Value value = evaluate(id);
  walk_.log.drop_guards(guards);
  if (!changed.empty()) walk_.memory.merge(guard, walk_.scope.values(), before);
  return value;
}

Value Evaluator::evaluate_logic(const Expr& expr) {
  const NodeId first = walk_.arithmetic.condition_of(evaluate(expr.args[0]));
  const bool is_and = expr.binary == BinaryOperator::kLogicAnd;
  const NodeId goes_on = is_and ? first : logic_not(walk_.terms, first);
  if (goes_on == walk_.terms.constant(0)) return int_value(first);
  const NodeId second = walk_.arithmetic.condition_of(evaluate_under(goes_on, expr.args[1]));
  return int_value(is_and ? logic_and(walk_.terms, first, second) : logic_or(walk_.terms, first, second));
}

Value Evaluator::evaluate_select(const Expr& expr) {
  const NodeId condition = walk_.arithmetic.condition_of(evaluate(expr.args[0]));
  const NodeId otherwise = logic_not(walk_.terms, condition);
  if (condition == walk_.terms.constant(1)) return walk_.arithmetic.convert(evaluate(expr.args[1]), expr.type);
  if (condition == walk_.terms.constant(0)) return walk_.arithmetic.convert(evaluate(expr.args[2]), expr.type);
  const std::uint64_t before = walk_.findings.result().flops;
  const std::vector<Value> start = walk_.scope.values();
  const Value a = evaluate_under(condition, expr.args[1]);
  const std::vector<Value> held = walk_.scope.values();
  walk_.scope.set_values(start);
  const std::uint64_t after_first = walk_.findings.result().flops;
  walk_.findings.result().flops = before;
  const Value b = evaluate_under(otherwise, expr.args[2]);
  walk_.findings.result().flops = std::max(walk_.findings.result().flops, after_first);
  walk_.memory.merge(condition, held, walk_.scope.values());
  return walk_.memory.choose(condition, walk_.arithmetic.convert(a, expr.type), walk_.arithmetic.convert(b, expr.type),
                             expr.type);
}

/// A part of a list: addresses stored as numbers stay pointers, so that whoever gets the list gets them.
Value Evaluator::evaluate_part(ExprId id) {
  const Expr& expr = walk_.unit.expr(id);
  if (expr.kind != ExprKind::kCast || !is_integer(expr.type)) return evaluate(id);
  const Value value = evaluate(expr.args[0]);
  return value.kind == Value::Kind::kPointer ? value : walk_.arithmetic.convert(value, expr.type);
}

Value Evaluator::evaluate_cast(const Expr& expr) {
  const Value value = evaluate(expr.args[0]);
  if (expr.type.scalar == CType::Scalar::kVoid && !is_pointer(expr.type)) return {};
  if (value.kind == Value::Kind::kPointer && is_integer(expr.type) && expr.type.scalar != CType::Scalar::kBool) {
    return walk_.memory.number_of(value, expr.type);
  }
  return walk_.arithmetic.convert(value, expr.type);
}

Value Evaluator::assign(const Expr& expr) {
  const Expr& target = walk_.unit.expr(expr.args[0]);
  const bool is_whole_statement = &expr == whole_statement_;
  Value value = evaluate(expr.args[1]);
  const Place place = place_of(expr.args[0]);
  if (!expr.is_plain_assignment()) {
    const Value before = walk_.memory.read(place, target.type);
    const BinaryOperator op = expr.binary;
    // The compiler has converted the operand to the type of the operation, but for shifts, whose type is the target's.
    const bool shifts = op == BinaryOperator::kShiftLeft || op == BinaryOperator::kShiftRight;
    const bool takes_operands_type = !is_pointer(target.type) && !shifts;
    const CType& type = takes_operands_type ? walk_.unit.expr(expr.args[1]).type : target.type;
    value =
        walk_.arithmetic.apply(op, takes_operands_type ? walk_.arithmetic.convert(before, type) : before, value, type);
  }
  value = is_vector_or_record(target.type) ? value : walk_.arithmetic.convert(value, target.type);
  walk_.memory.set_ends_statement(is_whole_statement);
  walk_.memory.write(place, target.type, value);
  walk_.memory.set_ends_statement(false);
  return value;
}

/// ++x, x--, ...
Value Evaluator::step(const Expr& expr) {
  const Expr& target = walk_.unit.expr(expr.args[0]);
  const Place place = place_of(expr.args[0]);
  const Value before = walk_.memory.read(place, target.type);
  const BinaryOperator op = is_increment(expr.unary) ? BinaryOperator::kAdd : BinaryOperator::kSubtract;
  const Value after = walk_.arithmetic.convert(
      walk_.arithmetic.apply(op, before, int_value(walk_.terms.constant(1)), target.type), target.type);
  walk_.memory.write(place, target.type, after);
  return is_prefix_step(expr.unary) ? after : before;
}

/// ((TVMValue*)args)[k].v_handle is a tensor, its data is the memory of argument k.
Value Evaluator::evaluate_member(const Expr& expr) {
  const Place place = place_of_member(expr);
  if (place.local != SIZE_MAX) return walk_.memory.read(place, expr.type);
  const Object target = walk_.objects[place.object];
  if (target.kind == Object::Kind::kArguments) {
    const Node& offset = walk_.terms.node(place.offset);
    if (expr.text != "v_handle" || !walk_.terms.is_constant(place.offset) || offset.value < 0)
      return walk_.arithmetic.unknown_of(expr.type);
    const auto index = static_cast<std::uint32_t>(std::min<std::int64_t>(offset.value / 8, UINT32_MAX));
    if (!walk_.findings.need_argument(index)) return walk_.arithmetic.unknown_of(expr.type);
    return pointer_value(walk_.objects.of(Object::Kind::kTensor, index), walk_.terms.constant(0));
  }
  if (target.kind == Object::Kind::kTensor) {
    if (expr.text == "data")
      return pointer_value(walk_.objects.of(Object::Kind::kParam, target.index), walk_.terms.constant(0));
    if (is_pointer(expr.type))
      return pointer_value(walk_.objects.of(Object::Kind::kConstant, 0), walk_.terms.constant(0));
    return walk_.arithmetic.unknown_of(expr.type);
  }
  return walk_.memory.read(place, expr.type);
}

Place Evaluator::place_of(ExprId id) {
  const Expr& expr = walk_.unit.expr(id);
  if (expr.kind == ExprKind::kName) return place_of_name(expr);
  if (expr.kind == ExprKind::kMember) return place_of_member(expr);
  if (expr.kind == ExprKind::kCast) return place_of(expr.args[0]);
  if (expr.kind == ExprKind::kComponent) {
    Place place = place_of(expr.args[0]);
    place.whole_record = true;
    return place;
  }
  Value pointer;
  NodeId index = walk_.terms.constant(0);
  std::uint64_t bytes = 1;
  if (expr.kind == ExprKind::kIndex) {
    pointer = evaluate(expr.args[0]);
    index = walk_.arithmetic.int_of(evaluate(expr.args[1]));
    bytes = pointee_bytes(walk_.unit.expr(expr.args[0]).type);
  } else if (expr.is(UnaryOperator::kDereference)) {
    pointer = evaluate(expr.args[0]);
  } else {
    pointer = evaluate(id);
  }
  Place place = place_behind(pointer);
  if (pointer.kind != Value::Kind::kPointer) return place;
  place.offset = walk_.terms.add(pointer.node, walk_.terms.scale(index, static_cast<std::int64_t>(bytes)));
  if (bytes == 0) place.offset = walk_.terms.unknown({-kFar, kFar});
  return place;
}

Place Evaluator::place_of_name(const Expr& expr) {
  Place place;
  const std::size_t local = walk_.scope.find(expr.text);
  if (local != SIZE_MAX) {
    place.local = local;
    place.object = walk_.scope[local].object;
    if (place.object != kNone) place.offset = walk_.terms.constant(0);
    return place;
  }
  const Global* const global = walk_.facts.global(expr.text);
  const bool is_bound = global != nullptr && walk_.memory.is_bound(global->variable);
  if (global != nullptr && !is_bound && walk_.facts.may_change(*global)) walk_.findings.use_state(expr.line, expr.text);
  if (global != nullptr && global->variable.is_thread_local) walk_.findings.use_thread_local(expr.line, expr.text);
  place.object =
      global != nullptr ? walk_.memory.object_of(global->variable) : walk_.objects.of(Object::Kind::kConstant, 0);
  place.offset = walk_.terms.constant(0);
  return place;
}

Place Evaluator::place_of_member(const Expr& expr) {
  const Expr& base = walk_.unit.expr(expr.args[0]);
  Place place;
  if (!is_pointer(base.type)) {
    place = place_of(expr.args[0]);
    place.whole_record = place.whole_record || place.local != SIZE_MAX;
  } else {
    place = place_behind(evaluate(expr.args[0]));
  }
  if (place.object != kNone) walk_.objects[place.object].holds_records = true;
  if (place.offset != kNone) place.offset = walk_.terms.add(place.offset, walk_.terms.constant(expr.value));
  return place;
}

Place Evaluator::place_behind(const Value& pointer) {
  Place place;
  const bool is_known = pointer.kind == Value::Kind::kPointer;
  place.object = is_known ? pointer.object : walk_.objects.of(Object::Kind::kWild, 0);
  place.offset = is_known ? pointer.node : walk_.terms.constant(0);
  return place;
}

}  // namespace detent::models::tvm::footprint
