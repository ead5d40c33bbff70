// Expressions to values. Operands are evaluated once, in the order of the text.
#include <algorithm>
#include <utility>

#include "models/import/tvm/footprint/walk.hpp"

namespace detent::models::tvm::footprint {
namespace {

/// TVM's default workspace-byte-alignment; only code that tests the alignment of its pointers depends on it.
constexpr std::int64_t kBufferAlignment = 16;

bool is_comparison(const std::string& op) {
  return op == "<" || op == ">" || op == "<=" || op == ">=" || op == "==" || op == "!=";
}

bool is_assignment(const std::string& op) { return op.back() == '=' && op != "==" && !is_comparison(op); }

std::uint32_t float_bytes(const CType& type) { return type.scalar_bytes == 8 ? 8 : 4; }

/// Terms of other floating-point types would round where the target does not.
bool is_known_float(const CType& type) { return type.scalar_bytes == 4 || type.scalar_bytes == 8; }

}  // namespace

Value Walker::int_value(NodeId node) const {
  Value value;
  value.kind = Value::Kind::kInt;
  value.node = node;
  return value;
}

Value Walker::float_value(NodeId node) const {
  Value value;
  value.kind = Value::Kind::kFloat;
  value.node = node;
  return value;
}

Value Walker::pointer_value(ObjectId object, NodeId offset) const {
  Value value;
  value.kind = Value::Kind::kPointer;
  value.object = object;
  value.node = offset;
  return value;
}

Value Walker::unknown_of(const CType& type) {
  if (is_pointer(type)) return pointer_value(object(Object::Kind::kWild, 0), terms_.constant(0));
  if (is_float(type)) return float_value(kNone);
  return is_integer(type) ? int_value(terms_.unknown(range_of(type))) : Value{};
}

NodeId Walker::int_of(const Value& value) {
  if (value.kind == Value::Kind::kInt) return value.node;
  if (value.kind == Value::Kind::kFloat && value.node != kNone) {
    return terms_.float_op(Op::kTruncate, {value.node}, 0);
  }
  return terms_.unknown({-kFar, kFar});
}

NodeId Walker::float_of(const Value& value, std::uint32_t bytes) {
  if (value.kind == Value::Kind::kFloat && value.node != kNone) {
    return terms_.node(value.node).value == bytes ? value.node
                                                  : terms_.float_op(Op::kFloatConvert, {value.node}, bytes);
  }
  const bool is_known = value.kind == Value::Kind::kInt && !terms_.node(value.node).data;
  return is_known ? terms_.float_op(Op::kFloatOfInt, {value.node}, bytes) : kNone;
}

NodeId Walker::condition_of(const Value& value) {
  switch (value.kind) {
    case Value::Kind::kInt:
      return terms_.truth(value.node);
    case Value::Kind::kPointer:
      if (objects_[value.object].kind == Object::Kind::kNull) return terms_.constant(0);
      if (objects_[value.object].kind == Object::Kind::kWild) return terms_.unknown({0, 1});
      return terms_.constant(1);
    case Value::Kind::kFloat:
      if (value.node == kNone) return terms_.unknown({0, 1});
      return terms_.logic_not(terms_.float_op(Op::kFloatEqual, {value.node, terms_.float_constant(0, 8)}, 0));
    case Value::Kind::kUnknown:
    case Value::Kind::kRecord:
      break;
  }
  return terms_.unknown({0, 1});
}

Value Walker::convert(const Value& value, const CType& type) {
  if (is_pointer(type)) {
    if (value.kind == Value::Kind::kPointer) return value;
    const bool is_null = value.kind == Value::Kind::kInt && value.node == terms_.constant(0);
    return pointer_value(object(is_null ? Object::Kind::kNull : Object::Kind::kWild, 0), terms_.constant(0));
  }
  if (is_float(type)) return float_value(is_known_float(type) ? float_of(value, float_bytes(type)) : kNone);
  if (!is_integer(type)) return value.kind == Value::Kind::kRecord ? value : Value{};
  if (type.scalar == CType::Scalar::kBool) return int_value(condition_of(value));
  if (value.kind != Value::Kind::kInt && (value.kind != Value::Kind::kFloat || value.node == kNone)) {
    return unknown_of(type);
  }
  const NodeId node = int_of(value);
  if (type.scalar_bytes >= 8) return fitted(node, type);
  return int_value(terms_.wrap(node, 8 * type.scalar_bytes, type.scalar != CType::Scalar::kUInt));
}

/// The result of an operation in this type. Terms are whole numbers up to kFar: what may lie beyond is not known, and
/// neither is an unsigned number of 64 bits that wraps around. Signed numbers do not: that would be undefined.
Value Walker::fitted(NodeId node, const CType& type) {
  const Range range = terms_.node(node).range;
  const bool is_unsigned = type.scalar == CType::Scalar::kUInt;
  if (is_unsigned && type.scalar_bytes < 8) return int_value(terms_.wrap(node, 8 * type.scalar_bytes, false));
  if (range.lo <= -kFar || range.hi >= kFar || (is_unsigned && range.lo < 0)) return unknown_of(type);
  return int_value(node);
}

Value Walker::evaluate(ExprId id) {
  const Expr& expr = unit_.expr(id);
  if (!spend(expr.line)) return unknown_of(expr.type);
  switch (expr.kind) {
    case ExprKind::kInt: {
      const bool is_huge =
          (expr.type.scalar == CType::Scalar::kUInt && expr.value < 0) || expr.value >= kFar || expr.value <= -kFar;
      return is_huge ? unknown_of(expr.type) : int_value(terms_.constant(expr.value));
    }
    case ExprKind::kFloat:
      return float_value(is_known_float(expr.type) ? terms_.float_constant(expr.number, float_bytes(expr.type))
                                                   : kNone);
    case ExprKind::kString:
      return pointer_value(object(Object::Kind::kConstant, 0), terms_.constant(0));
    case ExprKind::kName:
      return evaluate_name(expr);
    case ExprKind::kUnary:
      return evaluate_unary(expr);
    case ExprKind::kBinary:
      return evaluate_binary(expr);
    case ExprKind::kSelect:
      return evaluate_select(expr);
    case ExprKind::kIndex:
      return read(place_of(id), expr.type);
    case ExprKind::kMember:
      return read_member(expr);
    case ExprKind::kCall:
      return evaluate_call(expr);
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
      return unknown_of(expr.type);
    case ExprKind::kUnknown:
      break;
  }
  return evaluate_unknown(expr);
}

Value Walker::evaluate_name(const Expr& expr) {
  const std::size_t local = find_local(expr.text);
  if (local != SIZE_MAX) return read(place_of_name(expr), expr.type);
  const auto global = globals_.find(expr.text);
  if (global == globals_.end()) {  // a function
    return is_pointer(expr.type) ? pointer_value(object(Object::Kind::kConstant, 0), terms_.constant(0))
                                 : unknown_of(expr.type);
  }
  const Variable& variable = global->second->variable;
  const bool is_literal = variable.type.is_const && !is_pointer(variable.type) && variable.init != kNoNode &&
                          unit_.expr(variable.init).kind == ExprKind::kInt;
  if (is_literal) return evaluate(variable.init);
  return read(place_of_name(expr), expr.type);
}

/// What the reader could not name may do anything.
Value Walker::evaluate_unknown(const Expr& expr) {
  fail(expr.line, "an expression that is not understood: " + (expr.text.empty() ? "?" : expr.text));
  for (const ExprId arg : expr.args) {
    const Value part = evaluate(arg);
    if (is_pointer(unit_.expr(arg).type)) escape(part, false);
  }
  return unknown_of(expr.type);
}

Value Walker::evaluate_unary(const Expr& expr) {
  const std::string& op = expr.text;
  if (op.size() == 3) return step(expr);
  if (op == "&") {
    const Expr& target = unit_.expr(expr.args[0]);
    const bool is_function =
        target.kind == ExprKind::kName && find_local(target.text) == SIZE_MAX && !globals_.contains(target.text);
    return is_function ? evaluate_name(target) : address_of(place_of(expr.args[0]));
  }
  if (op == "*") {
    const Value pointer = evaluate(expr.args[0]);
    Place place;
    place.object = pointer.kind == Value::Kind::kPointer ? pointer.object : object(Object::Kind::kWild, 0);
    place.offset = pointer.kind == Value::Kind::kPointer ? pointer.node : terms_.constant(0);
    return read(place, expr.type);
  }
  const Value value = evaluate(expr.args[0]);
  if (op == "!") return int_value(terms_.logic_not(condition_of(value)));
  if (op == "+") return value;
  if (is_float(expr.type)) {
    count_flops(1);
    const NodeId node = float_of(value, float_bytes(expr.type));
    return float_value(node == kNone ? kNone : terms_.float_op(Op::kFloatNegate, {node}, float_bytes(expr.type)));
  }
  if (!is_integer(expr.type)) return unknown_of(expr.type);
  if (op != "-" && op != "~") {
    fail(expr.line, "an operator that is not understood: " + op);
    return unknown_of(expr.type);
  }
  const NodeId negative = terms_.scale(int_of(value), -1);
  return fitted(op == "~" ? terms_.add(negative, terms_.constant(-1)) : negative, expr.type);
}

bool Walker::has_effect(ExprId id) const {
  const Expr& expr = unit_.expr(id);
  const bool is_step = expr.kind == ExprKind::kUnary && (expr.text.starts_with("x") || expr.text.ends_with("x"));
  const bool is_assign = expr.kind == ExprKind::kBinary && is_assignment(expr.text);
  return is_step || is_assign || expr.kind == ExprKind::kCall || expr.kind == ExprKind::kUnknown ||
         std::any_of(expr.args.begin(), expr.args.end(), [this](ExprId arg) { return has_effect(arg); });
}

/// (void)x[i]; a compiler may leave out what has no effect.
void Walker::evaluate_unused(ExprId id) {
  const Expr& expr = unit_.expr(id);
  const bool is_void =
      expr.kind == ExprKind::kCast && expr.type.scalar == CType::Scalar::kVoid && !is_pointer(expr.type);
  const bool is_comma = expr.kind == ExprKind::kBinary && expr.text == ",";
  if (is_void || is_comma) {
    for (const ExprId part : expr.args) evaluate_unused(part);
  } else if (has_effect(id)) {
    evaluate(id);
  } else {
    guards_.push_back(terms_.unknown({0, 1}));
    evaluate(id);
    guards_.pop_back();
  }
}

Value Walker::evaluate_binary(const Expr& expr) {
  const std::string& op = expr.text;
  if (op == "&&" || op == "||") return evaluate_logic(expr);
  if (is_assignment(op)) return assign(expr);
  if (op == ",") {
    evaluate_unused(expr.args[0]);
    return evaluate(expr.args[1]);
  }
  const Value a = evaluate(expr.args[0]);
  const Value b = evaluate(expr.args[1]);
  if (is_comparison(op)) {
    const bool in_float = is_float(unit_.expr(expr.args[0]).type) || is_float(unit_.expr(expr.args[1]).type);
    if (in_float) count_flops(1);
    return compare(op, a, b);
  }
  return arithmetic(op, a, b, expr.type);
}

/// An operand that is evaluated under a condition only. @return  what its side effects leave of the condition's guard
Value Walker::evaluate_under(NodeId guard, ExprId id) {
  std::set<std::string> changed;
  assigned_names_of_expr(id, changed);
  guards_.push_back(guard);
  if (changed.empty()) {
    const Value value = evaluate(id);
    guards_.pop_back();
    return value;
  }
  const std::vector<Value> before = values();
  const Value value = evaluate(id);
  guards_.pop_back();
  merge(guard, values(), before);
  return value;
}

Value Walker::evaluate_logic(const Expr& expr) {
  const NodeId first = condition_of(evaluate(expr.args[0]));
  const NodeId goes_on = expr.text == "&&" ? first : terms_.logic_not(first);
  if (goes_on == terms_.constant(0)) return int_value(first);
  const NodeId second = condition_of(evaluate_under(goes_on, expr.args[1]));
  return int_value(expr.text == "&&" ? terms_.logic_and(first, second) : terms_.logic_or(first, second));
}

Value Walker::evaluate_select(const Expr& expr) {
  const NodeId condition = condition_of(evaluate(expr.args[0]));
  const NodeId otherwise = terms_.logic_not(condition);
  if (condition == terms_.constant(1)) return convert(evaluate(expr.args[1]), expr.type);
  if (condition == terms_.constant(0)) return convert(evaluate(expr.args[2]), expr.type);
  const std::uint64_t before = result_->flops;
  const std::vector<Value> start = values();
  const Value a = evaluate_under(condition, expr.args[1]);
  const std::vector<Value> held = values();
  for (std::size_t i = 0; i < locals_.size(); ++i) locals_[i].value = start[i];
  const std::uint64_t after_first = result_->flops;
  result_->flops = before;
  const Value b = evaluate_under(otherwise, expr.args[2]);
  result_->flops = std::max(result_->flops, after_first);
  merge(condition, held, values());
  return choose(condition, convert(a, expr.type), convert(b, expr.type), expr.type);
}

Value Walker::choose(NodeId condition, const Value& a, const Value& b, const CType& type) {
  if (a.kind != b.kind) return unknown_of(type);
  switch (a.kind) {
    case Value::Kind::kInt:
      return int_value(terms_.select(condition, a.node, b.node));
    case Value::Kind::kFloat: {
      const bool is_known = a.node != kNone && b.node != kNone && !terms_.node(condition).data;
      if (!is_known) return float_value(a.node == b.node ? a.node : kNone);
      const std::uint32_t bytes = float_bytes(type);
      return float_value(terms_.float_op(Op::kFloatSelect, {condition, float_of(a, bytes), float_of(b, bytes)}, bytes));
    }
    case Value::Kind::kPointer:
      if (a.object == b.object) return pointer_value(a.object, terms_.select(condition, a.node, b.node));
      if (objects_[a.object].kind == Object::Kind::kWild || objects_[b.object].kind == Object::Kind::kWild) {
        return unknown_of(type);
      }
      escape(a, false);
      escape(b, false);
      return pointer_value(new_object(Object::Kind::kPrivate, 0), terms_.constant(0));  // both have escaped
    case Value::Kind::kUnknown:
    case Value::Kind::kRecord:
      break;
  }
  return unknown_of(type);
}

/// A part of a list: addresses stored as numbers stay pointers, so that whoever gets the list gets them.
Value Walker::evaluate_part(ExprId id) {
  const Expr& expr = unit_.expr(id);
  if (expr.kind != ExprKind::kCast || !is_integer(expr.type)) return evaluate(id);
  const Value value = evaluate(expr.args[0]);
  return value.kind == Value::Kind::kPointer ? value : convert(value, expr.type);
}

Value Walker::evaluate_cast(const Expr& expr) {
  const Value value = evaluate(expr.args[0]);
  if (expr.type.scalar == CType::Scalar::kVoid && !is_pointer(expr.type)) return {};
  if (value.kind == Value::Kind::kPointer && is_integer(expr.type) && expr.type.scalar != CType::Scalar::kBool) {
    return address_value(value, expr.type);
  }
  return convert(value, expr.type);
}

/// A pointer as a number: some multiple of kBufferAlignment plus the offset, anywhere in what the type holds of the
/// addresses there are.
Value Walker::address_value(const Value& pointer, const CType& type) {
  uses_addresses_ = true;
  const Object& target = objects_[pointer.object];
  const bool is_buffer = target.kind == Object::Kind::kParam || target.kind == Object::Kind::kPool;
  numbers_addresses_ = true;
  if (!is_buffer || !is_integer(type)) return unknown_of(type);
  NodeId offset = pointer.node;
  if (target.kind == Object::Kind::kPool) {
    const std::uint64_t start = result_->pool_uses[target.index].offset_bytes % kBufferAlignment;
    offset = terms_.add(offset, terms_.constant(static_cast<std::int64_t>(start)));
  }
  constexpr std::uint32_t kAddressBits = 57;
  const std::uint32_t bits = std::min(kAddressBits, type.scalar_bytes * 8U);
  const bool is_signed = type.scalar == CType::Scalar::kInt && type.scalar_bytes < 8;
  const std::int64_t half = std::max<std::int64_t>((std::int64_t{1} << (bits - 1)) / kBufferAlignment, 1);
  const NodeId number = terms_.unknown({is_signed ? -half : 0, is_signed ? half - 1 : 2 * half - 1});
  addresses_[static_cast<VarId>(terms_.node(number).value)] = pointer.object;
  const NodeId base = terms_.scale(number, kBufferAlignment);
  return int_value(terms_.add(base, offset));
}

Value Walker::compare(const std::string& op, const Value& a, const Value& b) {
  if (a.kind == Value::Kind::kPointer || b.kind == Value::Kind::kPointer) {
    const bool one_is_null = (a.kind == Value::Kind::kPointer && objects_[a.object].kind == Object::Kind::kNull) ||
                             (b.kind == Value::Kind::kPointer && objects_[b.object].kind == Object::Kind::kNull);
    const bool one_is_wild = (a.kind == Value::Kind::kPointer && objects_[a.object].kind == Object::Kind::kWild) ||
                             (b.kind == Value::Kind::kPointer && objects_[b.object].kind == Object::Kind::kWild);
    uses_addresses_ = uses_addresses_ || !one_is_null;
    if (!one_is_null || one_is_wild || a.kind != b.kind) return int_value(terms_.unknown({0, 1}));
    const bool same = a.object == b.object;
    return int_value(terms_.constant((op == "==") == same && (op == "==" || op == "!=") ? 1 : 0));
  }
  if (a.kind == Value::Kind::kFloat || b.kind == Value::Kind::kFloat) {
    const std::uint32_t bytes = 8;  // comparing is exact in the wider type
    NodeId x = float_of(a, bytes);
    NodeId y = float_of(b, bytes);
    if (x == kNone || y == kNone) return int_value(terms_.unknown({0, 1}));
    if (op == ">" || op == ">=") std::swap(x, y);
    const Op kind = op == "<" || op == ">"     ? Op::kFloatLess
                    : op == "<=" || op == ">=" ? Op::kFloatLessEqual
                                               : Op::kFloatEqual;
    const NodeId result = terms_.float_op(kind, {x, y}, 0);
    return int_value(op == "!=" ? terms_.logic_not(result) : result);
  }
  const NodeId x = int_of(a);
  const NodeId y = int_of(b);
  if (op == "<") return int_value(terms_.less(x, y));
  if (op == ">") return int_value(terms_.less(y, x));
  if (op == "<=") return int_value(terms_.logic_not(terms_.less(y, x)));
  if (op == ">=") return int_value(terms_.logic_not(terms_.less(x, y)));
  const NodeId equal = terms_.equal(x, y);
  return int_value(op == "==" ? equal : terms_.logic_not(equal));
}

Value Walker::arithmetic(const std::string& op, const Value& a, const Value& b, const CType& type) {
  if (a.kind == Value::Kind::kPointer || b.kind == Value::Kind::kPointer) return pointer_arithmetic(op, a, b, type);
  if (is_float(type)) return float_arithmetic(op, a, b, type);
  if (!is_integer(type)) {
    if (type.scalar == CType::Scalar::kFloat) count_flops(type.scalar_bytes / 4);  // a vector of float
    return unknown_of(type);
  }
  return int_arithmetic(op, int_of(a), int_of(b), type);
}

Value Walker::int_arithmetic(const std::string& op, NodeId a, NodeId b, const CType& type) {
  NodeId node = kNone;
  if (op == "+") node = terms_.add(a, b);
  if (op == "-") node = terms_.sub(a, b);
  if (op == "*") node = terms_.mul(a, b);
  if (op == "/") node = terms_.div(a, b);
  if (op == "%") node = terms_.mod(a, b);
  if (op == "<<") node = terms_.shift_left(a, b);
  if (op == ">>") node = terms_.shift_right(a, b);
  if (op == "&") node = terms_.bit_and(a, b);
  if (op == "|") node = terms_.bits(Op::kBitOr, a, b);
  if (op == "^") node = terms_.bits(Op::kBitXor, a, b);
  if (node == kNone) return unknown_of(type);
  return fitted(node, type);
}

Value Walker::float_arithmetic(const std::string& op, const Value& a, const Value& b, const CType& type) {
  count_flops(1);
  const std::uint32_t bytes = float_bytes(type);
  const NodeId x = float_of(a, bytes);
  const NodeId y = float_of(b, bytes);
  if (x == kNone || y == kNone || !is_known_float(type)) return float_value(kNone);
  if (op == "+") return float_value(terms_.float_op(Op::kFloatAdd, {x, y}, bytes));
  if (op == "-") return float_value(terms_.float_op(Op::kFloatSub, {x, y}, bytes));
  if (op == "*") return float_value(terms_.float_op(Op::kFloatMul, {x, y}, bytes));
  if (op == "/") return float_value(terms_.float_op(Op::kFloatDiv, {x, y}, bytes));
  return float_value(kNone);
}

Value Walker::pointer_arithmetic(const std::string& op, const Value& a, const Value& b, const CType& type) {
  if (!is_pointer(type)) {
    uses_addresses_ = true;
    numbers_addresses_ = numbers_addresses_ || a.kind != b.kind || a.object != b.object;
    return unknown_of(type);  // a difference of pointers
  }
  const bool first = a.kind == Value::Kind::kPointer;
  const Value& pointer = first ? a : b;
  const auto bytes = static_cast<std::int64_t>(pointee_bytes(type));
  NodeId steps = terms_.scale(int_of(first ? b : a), op == "-" ? -bytes : bytes);
  if (bytes == 0 || (op != "+" && op != "-")) steps = terms_.unknown({-kFar, kFar});
  return pointer_value(pointer.object, terms_.add(pointer.node, steps));
}

}  // namespace detent::models::tvm::footprint
