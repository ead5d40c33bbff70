#include "models/import/tvm/program/main_values.hpp"

#include <limits>
#include <utility>

namespace detent::models::tvm {
namespace {

bool is_address(const CType& type) { return type.pointers != 0 || !type.extents.empty(); }

/// Is this number one of the values of the type? Numbers are kept as 64 bits with a sign.
bool is_value_of(const CType& type, std::int64_t number) {
  if (is_address(type)) return number == 0;
  if (type.scalar == CType::Scalar::kBool) return number == 0 || number == 1;
  if ((type.scalar != CType::Scalar::kInt && type.scalar != CType::Scalar::kUInt) || type.scalar_bytes == 0)
    return false;
  if (type.scalar == CType::Scalar::kUInt && number < 0) return false;
  if (type.scalar_bytes >= 8) return true;
  const std::int64_t bits = 8 * static_cast<std::int64_t>(type.scalar_bytes);
  const bool is_signed = type.scalar == CType::Scalar::kInt;
  const std::int64_t most = (std::int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
  return number <= most && (!is_signed || number >= -most - 1);
}

}  // namespace

MainValue MainValues::evaluate(ExprId id) {
  const Expr& e = text_.expr(id);
  switch (e.kind) {
    case ExprKind::kInt:
      if (!is_value_of(e.type, e.value)) text_.fail(e, "a number out of range");
      return {.tag = MainValue::Tag::kInt, .number = e.value};
    case ExprKind::kName:
      return evaluate_name(e);
    case ExprKind::kCast:
      return evaluate_cast(e);
    case ExprKind::kUnary:
      return evaluate_unary(e);
    case ExprKind::kBinary:
      return evaluate_binary(e);
    case ExprKind::kMember:
      return evaluate_member(e);
    case ExprKind::kIndex:
      return evaluate_index(e);
    case ExprKind::kCall:
      text_.fail(e, "a call inside of an expression in main");
    case ExprKind::kFloat:
    case ExprKind::kString:
    case ExprKind::kAssign:
    case ExprKind::kSelect:
    case ExprKind::kInitList:
    case ExprKind::kComponent:
    case ExprKind::kUnknown:
      break;
  }
  text_.fail(e, "not understood in main");
}

std::int64_t MainValues::integer(ExprId id, const std::string& what) {
  const MainValue value = evaluate(id);
  if (value.tag != MainValue::Tag::kInt) text_.fail(text_.expr(id), what);
  return value.number;
}

std::string MainValues::callee(const Expr& call) {
  if (call.args.empty()) text_.fail(call, "a call that is not understood");
  const MainValue function = evaluate(call.args[0]);
  if (function.tag != MainValue::Tag::kFunction) text_.fail(call, "a call through a pointer that is not understood");
  return function.text;
}

MainValue MainValues::evaluate_name(const Expr& e) {
  if (const MainValue* parameter = objects_.parameter(e.text); parameter != nullptr) return *parameter;
  if (!memory_.contains(e.text)) return objects_.global_value(e);
  if (memory_.is_array(e.text)) return {.tag = MainValue::Tag::kLocal, .text = e.text};
  const auto place = place_of(e);
  if (!place) text_.fail(e, "a variable of unknown size");
  return load(*place, e);
}

MainValue MainValues::evaluate_cast(const Expr& e) {
  MainValue value = evaluate(e.args[0]);
  if (value.tag == MainValue::Tag::kDescriptor) return value;
  if (value.tag != MainValue::Tag::kInt) {
    if (!is_address(e.type)) text_.fail(e, "main takes an address as a number");
    return value;
  }
  if (!is_value_of(e.type, value.number)) {
    if (is_address(e.type)) text_.fail(e, "an argument whose bytes are not known");
    text_.fail(e, "a number out of range");
  }
  return value;
}

MainValue MainValues::evaluate_unary(const Expr& e) {
  if (e.unary == UnaryOperator::kAddressOf) return address_of(e, e.args[0]);
  if (e.unary == UnaryOperator::kDereference) {
    const auto place = place_of(e);
    if (!place) text_.fail(e, "main reads data");
    return load(*place, e);
  }
  const bool negates = e.unary == UnaryOperator::kMinus;
  if (!negates && e.unary != UnaryOperator::kPlus) text_.fail(e, "not understood in main");
  MainValue value = evaluate(e.args[0]);
  if (value.tag == MainValue::Tag::kDescriptor) return value;
  if (value.tag != MainValue::Tag::kInt) text_.fail(e, "not understood in main");
  if (negates && value.number == std::numeric_limits<std::int64_t>::min()) text_.fail(e, "a number out of range");
  if (negates) value.number = -value.number;
  if (!is_value_of(e.type, value.number)) text_.fail(e, "a number out of range");
  return value;
}

MainValue MainValues::address_of(const Expr& e, ExprId operand) {
  const Expr& inner = text_.expr(operand);
  if (inner.kind == ExprKind::kName && (memory_.contains(inner.text) || !objects_.is_parameter(inner.text))) {
    return memory_.contains(inner.text) ? MainValue{.tag = MainValue::Tag::kLocal, .text = inner.text}
                                        : objects_.global_value(inner);
  }
  if (inner.kind == ExprKind::kIndex) {
    const std::int64_t index = integer(inner.args[1], "an offset that is not known");
    return offset_by(evaluate(inner.args[0]), index, bytes_of(inner.type).value_or(0), e);
  }
  if (const auto place = place_of(inner))
    return {.tag = MainValue::Tag::kLocal, .number = place->offset_bytes, .text = place->variable};
  text_.fail(e, "not understood in main");
}

MainValue MainValues::evaluate_binary(const Expr& e) {
  const bool adds = e.binary == BinaryOperator::kAdd, subtracts = e.binary == BinaryOperator::kSubtract;
  if (!adds && !subtracts && e.binary != BinaryOperator::kMultiply) text_.fail(e, "not understood in main");
  const MainValue left = evaluate(e.args[0]), right = evaluate(e.args[1]);
  if (left.tag == MainValue::Tag::kInt && right.tag == MainValue::Tag::kInt) {
    std::int64_t result = 0;
    const bool overflows = adds        ? __builtin_add_overflow(left.number, right.number, &result)
                           : subtracts ? __builtin_sub_overflow(left.number, right.number, &result)
                                       : __builtin_mul_overflow(left.number, right.number, &result);
    const bool mixes_signs = e.type.scalar == CType::Scalar::kUInt && (left.number < 0 || right.number < 0);
    if (overflows || mixes_signs || !is_value_of(e.type, result)) text_.fail(e, "a number out of range");
    return {.tag = MainValue::Tag::kInt, .number = result};
  }
  const auto is_number = [](const MainValue& v) {
    return v.tag == MainValue::Tag::kDescriptor || v.tag == MainValue::Tag::kInt;
  };
  if (is_number(left) && is_number(right)) return {.tag = MainValue::Tag::kDescriptor};
  if ((adds || subtracts) && right.tag == MainValue::Tag::kInt) {
    if (right.number == std::numeric_limits<std::int64_t>::min()) text_.fail(e, "an offset out of range");
    return offset_by(left, subtracts ? -right.number : right.number, pointee_bytes(text_.expr(e.args[0])), e);
  }
  if (adds && left.tag == MainValue::Tag::kInt)
    return offset_by(right, left.number, pointee_bytes(text_.expr(e.args[1])), e);
  text_.fail(e, "not understood in main");
}

/// @param element_bytes  0: not known
MainValue MainValues::offset_by(MainValue base, std::int64_t elements, std::int64_t element_bytes, const Expr& e) {
  if (base.tag == MainValue::Tag::kHandle && elements == 0) return base;
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(elements, element_bytes, &bytes)) text_.fail(e.line, "an offset out of range");
  if (element_bytes == 0 && elements != 0) text_.fail(e, "an element of unknown size");
  if (base.tag == MainValue::Tag::kBuffer) {
    const Buffer& buffer = program_.buffers[base.index];
    if (bytes == 0) return base;
    base = {.tag = MainValue::Tag::kObject,
            .number = static_cast<std::int64_t>(buffer.offset_bytes),
            .index = buffer.object};
  }
  if (base.tag != MainValue::Tag::kObject && base.tag != MainValue::Tag::kLocal)
    text_.fail(e, "not understood in main");
  if (__builtin_add_overflow(base.number, bytes, &base.number)) text_.fail(e.line, "an offset out of range");
  base.indexed = base.tag == MainValue::Tag::kObject;
  return base;
}

/// Bytes of what a pointer points at, of void as of char; 0: not known.
std::int64_t MainValues::pointee_bytes(const Expr& pointer) const {
  CType type = pointer.type;
  if (type.pointers != 0 && type.extents.empty()) {
    if (--type.pointers == 0 && type.scalar == CType::Scalar::kVoid) return 1;
  } else if (type.pointers == 0 && !type.extents.empty()) {
    type.extents.erase(type.extents.begin());
  } else {
    return 0;
  }
  return bytes_of(type).value_or(0);
}

/// The bytes of local memory that an expression names; nothing: it names none.
std::optional<MainPlace> MainValues::place_of(const Expr& e) {
  const std::optional<std::uint32_t> size = bytes_of(e.type);
  const auto at = [&](const MainValue& address) -> std::optional<MainPlace> {
    if (address.tag != MainValue::Tag::kLocal || !size) return std::nullopt;
    MainPlace place{.variable = address.text, .offset_bytes = address.number, .size_bytes = *size};
    if (!memory_.contains(place.variable)) text_.fail(e, "main uses a variable that is gone");
    if (!memory_.is_inside(place)) text_.fail(e, "main uses memory outside of " + place.variable);
    return place;
  };
  if (e.kind == ExprKind::kName) {
    if (!memory_.contains(e.text) || memory_.is_array(e.text)) return std::nullopt;
    return at({.tag = MainValue::Tag::kLocal, .text = e.text});
  }
  if (e.is(UnaryOperator::kDereference)) return at(evaluate(e.args[0]));
  if (e.kind == ExprKind::kIndex) {
    const MainValue base = evaluate(e.args[0]);
    if (base.tag != MainValue::Tag::kLocal) return std::nullopt;
    return at(offset_by(base, integer(e.args[1], "an index that is not known"), bytes_of(e.type).value_or(0), e));
  }
  if (e.kind != ExprKind::kMember) return std::nullopt;
  const Expr& base = text_.expr(e.args[0]);
  const auto offset = field_offset(text_.unit(), base.type, e.text);
  std::optional<MainValue> record;
  if (base.type.pointers == 1) {
    record = evaluate(e.args[0]);
  } else if (const auto place = place_of(base)) {
    record = {.tag = MainValue::Tag::kLocal, .number = place->offset_bytes, .text = place->variable};
  }
  if (!record || record->tag != MainValue::Tag::kLocal || !offset) return std::nullopt;
  record->number += *offset;
  return at(*record);
}

MainValue MainValues::load(const MainPlace& place, const Expr& e) const {
  const MainValue* value = memory_.load(place);
  if (value == nullptr) text_.fail(e, "main uses a variable before it has a value");
  if (value->tag == MainValue::Tag::kInt && !is_value_of(e.type, value->number)) text_.fail(e, "a number out of range");
  return *value;
}

/// Type codes and shapes that a caller passes; elements of tensors are data, on which main may not depend.
MainValue MainValues::evaluate_index(const Expr& e) {
  const MainValue base = evaluate(e.args[0]);
  if (base.tag == MainValue::Tag::kDescriptor) {
    const MainValue index = evaluate(e.args[1]);
    if (index.tag == MainValue::Tag::kInt || index.tag == MainValue::Tag::kDescriptor) return base;
  }
  if (base.tag == MainValue::Tag::kLocal) {
    if (const auto place = place_of(e)) return load(*place, e);
  }
  text_.fail(e, "main reads data");
}

MainValue MainValues::evaluate_member(const Expr& e) {
  const Expr& base = text_.expr(e.args[0]);
  // x->field, (*x).field and x[0].field
  const bool is_arrow = base.type.pointers == 1;
  const bool is_index = base.kind == ExprKind::kIndex;
  const bool is_star = base.is(UnaryOperator::kDereference);
  if (is_arrow || is_index || is_star) {
    const MainValue record = evaluate(is_arrow ? e.args[0] : base.args[0]);
    const std::int64_t index = is_index && record.tag != MainValue::Tag::kDescriptor && !is_arrow
                                   ? integer(base.args[1], "an argument of main that is not known")
                                   : 0;
    // A TVMValue has 8 bytes under every target; where pointers have fewer, v_handle is the first of them.
    const bool is_handle =
        e.type.pointers != 0 && bytes_of(base.type) == 8 && field_offset(text_.unit(), base.type, e.text) == 0;
    const bool is_whole = bytes_of(e.type) == bytes_of(base.type);
    if (record.tag == MainValue::Tag::kArguments && (is_whole || is_handle) && index >= 0)
      return {.tag = MainValue::Tag::kHandle, .number = index};
    if (record.tag == MainValue::Tag::kHandle && index == 0)
      return e.text == "data" ? objects_.parameter_data(record.number, receiver_, e.line)
                              : MainValue{.tag = MainValue::Tag::kDescriptor};
    if (record.tag == MainValue::Tag::kDescriptor) return record;
  } else if (base.kind == ExprKind::kMember && !place_of(base)) {
    const MainValue record = evaluate_member(base);
    if (record.tag == MainValue::Tag::kDescriptor) return record;
  }
  const auto place = place_of(e);
  if (!place) text_.fail(e, "not understood in main");
  return load(*place, e);
}

/// Nothing: it depends on what a caller passes besides data.
std::optional<bool> MainValues::condition(ExprId id) {
  const Expr& e = text_.uncast(id);
  if (e.is(UnaryOperator::kNot)) {
    const std::optional<bool> inner = condition(e.args[0]);
    return inner ? std::optional(!*inner) : inner;
  }
  if (e.is(BinaryOperator::kLogicAnd) || e.is(BinaryOperator::kLogicOr)) {
    const std::optional<bool> left = condition(e.args[0]), right = condition(e.args[1]);
    const bool decisive = e.binary == BinaryOperator::kLogicOr;
    if ((left && *left == decisive) || (right && *right == decisive)) return decisive;
    return left && right ? std::optional(!decisive) : std::nullopt;
  }
  if (e.kind == ExprKind::kBinary && is_comparison(e.binary)) return comparison(e);
  const MainValue value = evaluate(id);
  if (value.tag == MainValue::Tag::kInt) return value.number != 0;
  if (value.tag == MainValue::Tag::kDescriptor || value.tag == MainValue::Tag::kDevice) return std::nullopt;
  text_.fail(e, "main branches on something other than an error");
}

std::optional<bool> MainValues::comparison(const Expr& e) {
  const MainValue left = evaluate(e.args[0]), right = evaluate(e.args[1]);
  const auto is_told = [](const MainValue& value) {
    return value.tag == MainValue::Tag::kDescriptor || value.tag == MainValue::Tag::kHandle ||
           value.tag == MainValue::Tag::kArguments || value.tag == MainValue::Tag::kDevice;
  };
  const bool equal = e.binary == BinaryOperator::kEqual, unequal = e.binary == BinaryOperator::kNotEqual;
  if (left.tag == MainValue::Tag::kInt && right.tag == MainValue::Tag::kInt) {
    for (const std::size_t side : {0U, 1U}) {
      const bool is_unsigned = text_.expr(e.args[side]).type.scalar == CType::Scalar::kUInt;
      if (is_unsigned && (left.number < 0 || right.number < 0))
        text_.fail(e, "main compares numbers of different signs");
    }
    if (equal) return left.number == right.number;
    if (unequal) return left.number != right.number;
    if (e.binary == BinaryOperator::kLess) return left.number < right.number;
    if (e.binary == BinaryOperator::kLessEqual) return left.number <= right.number;
    return e.binary == BinaryOperator::kGreater ? left.number > right.number : left.number >= right.number;
  }
  if ((is_told(left) || left.tag == MainValue::Tag::kInt) && (is_told(right) || right.tag == MainValue::Tag::kInt))
    return std::nullopt;
  // Buffers and functions have an address.
  const bool is_null_test = (left.tag == MainValue::Tag::kInt && left.number == 0) ||
                            (right.tag == MainValue::Tag::kInt && right.number == 0);
  const bool points = !is_told(left) && !is_told(right);
  if (is_null_test && points && (equal || unequal)) return unequal;
  text_.fail(e, "main branches on something other than an error");
}

}  // namespace detent::models::tvm
