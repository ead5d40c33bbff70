// Values of main's expressions: numbers, addresses, and what a packed caller tells about its arguments.
#include <limits>
#include <utility>

#include "models/import/tvm/program/main_reader.hpp"

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

MainReader::Value MainReader::evaluate(ExprId id) {
  const Expr& e = expr(id);
  switch (e.kind) {
    case ExprKind::kInt:
      if (!is_value_of(e.type, e.value)) fail(e, "a number out of range");
      return {.tag = Tag::kInt, .number = e.value};
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
      fail(e, "a call inside of an expression in main");
    case ExprKind::kFloat:
    case ExprKind::kString:
    case ExprKind::kSelect:
    case ExprKind::kInitList:
    case ExprKind::kComponent:
    case ExprKind::kUnknown:
      break;
  }
  fail(e, "not understood in main");
}

std::int64_t MainReader::integer(ExprId id, const std::string& what) {
  const Value value = evaluate(id);
  if (value.tag != Tag::kInt) fail(expr(id), what);
  return value.number;
}

MainReader::Value MainReader::evaluate_name(const Expr& e) {
  if (const auto found = parameters_.find(e.text); found != parameters_.end()) return found->second;
  if (!memory_.contains(e.text)) return global_value(e);
  if (memory_.is_array(e.text)) return {.tag = Tag::kLocal, .text = e.text};
  const auto place = place_of(e);
  if (!place) fail(e, "a variable of unknown size");
  return load(*place, e);
}

/// Arrays of the file, which nobody may write, and functions.
MainReader::Value MainReader::global_value(const Expr& name) {
  if (const auto found = functions_.find(name.text); found != functions_.end())
    return {.tag = Tag::kFunction, .text = found->second};
  if (const auto found = global_objects_.find(name.text); found != global_objects_.end())
    return {.tag = Tag::kBuffer, .index = found->second};
  const Global* global = nullptr;
  for (const Global& candidate : unit_.globals) {
    if (candidate.variable.name == name.text) global = &candidate;
  }
  if (global == nullptr) return {.tag = Tag::kFunction, .text = name.text};
  const CType& type = global->variable.type;
  const auto bytes = bytes_of(type);
  if (type.extents.empty() || !bytes) fail(name, "main uses a variable of the file whose value is not known");
  if (!type.is_const)
    fail(name, "main passes a variable of the file that is not const, so that any call may change it");
  const std::uint32_t object = add_object(MemoryObject::Kind::kConstant, name.text, *bytes);
  const Value buffer = add_buffer(name.text, {.tag = Tag::kObject, .index = object}, global->variable.line);
  global_objects_[name.text] = buffer.index;
  return buffer;
}

MainReader::Value MainReader::evaluate_cast(const Expr& e) {
  Value value = evaluate(e.args[0]);
  if (value.tag == Tag::kDescriptor) return value;
  if (value.tag != Tag::kInt) {
    if (!is_address(e.type)) fail(e, "main takes an address as a number");
    return value;
  }
  if (!is_value_of(e.type, value.number)) {
    if (is_address(e.type)) fail(e, "an argument whose bytes are not known");
    fail(e, "a number out of range");
  }
  return value;
}

MainReader::Value MainReader::evaluate_unary(const Expr& e) {
  if (e.text == "&") return address_of(e, e.args[0]);
  if (e.text == "*") {
    const auto place = place_of(e);
    if (!place) fail(e, "main reads data");
    return load(*place, e);
  }
  if (e.text != "-" && e.text != "+") fail(e, "not understood in main");
  Value value = evaluate(e.args[0]);
  if (value.tag == Tag::kDescriptor) return value;
  if (value.tag != Tag::kInt) fail(e, "not understood in main");
  if (e.text == "-" && value.number == std::numeric_limits<std::int64_t>::min()) fail(e, "a number out of range");
  if (e.text == "-") value.number = -value.number;
  if (!is_value_of(e.type, value.number)) fail(e, "a number out of range");
  return value;
}

MainReader::Value MainReader::address_of(const Expr& e, ExprId operand) {
  const Expr& inner = expr(operand);
  if (inner.kind == ExprKind::kName && (memory_.contains(inner.text) || !parameters_.contains(inner.text))) {
    return memory_.contains(inner.text) ? Value{.tag = Tag::kLocal, .text = inner.text} : global_value(inner);
  }
  if (inner.kind == ExprKind::kIndex) {
    const std::int64_t index = integer(inner.args[1], "an offset that is not known");
    return offset_by(evaluate(inner.args[0]), index, bytes_of(inner.type).value_or(0), e);
  }
  if (const auto place = place_of(inner))
    return {.tag = Tag::kLocal, .number = place->offset_bytes, .text = place->variable};
  fail(e, "not understood in main");
}

MainReader::Value MainReader::evaluate_binary(const Expr& e) {
  const bool adds = e.text == "+", subtracts = e.text == "-";
  if (!adds && !subtracts && e.text != "*") fail(e, "not understood in main");
  const Value left = evaluate(e.args[0]), right = evaluate(e.args[1]);
  if (left.tag == Tag::kInt && right.tag == Tag::kInt) {
    std::int64_t result = 0;
    const bool overflows = adds        ? __builtin_add_overflow(left.number, right.number, &result)
                           : subtracts ? __builtin_sub_overflow(left.number, right.number, &result)
                                       : __builtin_mul_overflow(left.number, right.number, &result);
    const bool mixes_signs = e.type.scalar == CType::Scalar::kUInt && (left.number < 0 || right.number < 0);
    if (overflows || mixes_signs || !is_value_of(e.type, result)) fail(e, "a number out of range");
    return {.tag = Tag::kInt, .number = result};
  }
  const auto is_number = [](const Value& v) { return v.tag == Tag::kDescriptor || v.tag == Tag::kInt; };
  if (is_number(left) && is_number(right)) return {.tag = Tag::kDescriptor};
  if ((adds || subtracts) && right.tag == Tag::kInt) {
    if (right.number == std::numeric_limits<std::int64_t>::min()) fail(e, "an offset out of range");
    return offset_by(left, subtracts ? -right.number : right.number, pointee_bytes(expr(e.args[0])), e);
  }
  if (adds && left.tag == Tag::kInt) return offset_by(right, left.number, pointee_bytes(expr(e.args[1])), e);
  fail(e, "not understood in main");
}

/// @param element_bytes  0: not known
MainReader::Value MainReader::offset_by(Value base, std::int64_t elements, std::int64_t element_bytes, const Expr& e) {
  if (base.tag == Tag::kHandle && elements == 0) return base;
  std::int64_t bytes = 0;
  if (__builtin_mul_overflow(elements, element_bytes, &bytes)) fail(e.line, "an offset out of range");
  if (element_bytes == 0 && elements != 0) fail(e, "an element of unknown size");
  if (base.tag == Tag::kBuffer) {
    const Buffer& buffer = program_.buffers[base.index];
    if (bytes == 0) return base;
    base = {.tag = Tag::kObject, .number = static_cast<std::int64_t>(buffer.offset_bytes), .index = buffer.object};
  }
  if (base.tag != Tag::kObject && base.tag != Tag::kLocal) fail(e, "not understood in main");
  if (__builtin_add_overflow(base.number, bytes, &base.number)) fail(e.line, "an offset out of range");
  base.indexed = base.tag == Tag::kObject;
  return base;
}

/// Bytes of what a pointer points at, of void as of char; 0: not known.
std::int64_t MainReader::pointee_bytes(const Expr& pointer) const {
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
std::optional<MainPlace> MainReader::place_of(const Expr& e) {
  const std::optional<std::uint32_t> size = bytes_of(e.type);
  const auto at = [&](const Value& address) -> std::optional<MainPlace> {
    if (address.tag != Tag::kLocal || !size) return std::nullopt;
    MainPlace place{.variable = address.text, .offset_bytes = address.number, .size_bytes = *size};
    if (!memory_.contains(place.variable)) fail(e, "main uses a variable that is gone");
    if (!memory_.is_inside(place)) fail(e, "main uses memory outside of " + place.variable);
    return place;
  };
  if (e.kind == ExprKind::kName) {
    if (!memory_.contains(e.text) || memory_.is_array(e.text)) return std::nullopt;
    return at({.tag = Tag::kLocal, .text = e.text});
  }
  if (e.kind == ExprKind::kUnary && e.text == "*") return at(evaluate(e.args[0]));
  if (e.kind == ExprKind::kIndex) {
    const Value base = evaluate(e.args[0]);
    if (base.tag != Tag::kLocal) return std::nullopt;
    return at(offset_by(base, integer(e.args[1], "an index that is not known"), bytes_of(e.type).value_or(0), e));
  }
  if (e.kind != ExprKind::kMember) return std::nullopt;
  const Expr& base = expr(e.args[0]);
  const auto offset = field_offset(unit_, base.type, e.text);
  std::optional<Value> record;
  if (base.type.pointers == 1) {
    record = evaluate(e.args[0]);
  } else if (const auto place = place_of(base)) {
    record = {.tag = Tag::kLocal, .number = place->offset_bytes, .text = place->variable};
  }
  if (!record || record->tag != Tag::kLocal || !offset) return std::nullopt;
  record->number += *offset;
  return at(*record);
}

MainReader::Value MainReader::load(const MainPlace& place, const Expr& e) const {
  const Value* value = memory_.load(place);
  if (value == nullptr) fail(e, "main uses a variable before it has a value");
  if (value->tag == Tag::kInt && !is_value_of(e.type, value->number)) fail(e, "a number out of range");
  return *value;
}

/// Type codes and shapes that a caller passes; elements of tensors are data, on which main may not depend.
MainReader::Value MainReader::evaluate_index(const Expr& e) {
  const Value base = evaluate(e.args[0]);
  if (base.tag == Tag::kDescriptor) {
    const Value index = evaluate(e.args[1]);
    if (index.tag == Tag::kInt || index.tag == Tag::kDescriptor) return base;
  }
  if (base.tag == Tag::kLocal) {
    if (const auto place = place_of(e)) return load(*place, e);
  }
  fail(e, "main reads data");
}

MainReader::Value MainReader::evaluate_member(const Expr& e) {
  const Expr& base = expr(e.args[0]);
  // x->field, (*x).field and x[0].field
  const bool is_arrow = base.type.pointers == 1;
  const bool is_index = base.kind == ExprKind::kIndex;
  const bool is_star = base.kind == ExprKind::kUnary && base.text == "*";
  if (is_arrow || is_index || is_star) {
    const Value record = evaluate(is_arrow ? e.args[0] : base.args[0]);
    const std::int64_t index = is_index && record.tag != Tag::kDescriptor && !is_arrow
                                   ? integer(base.args[1], "an argument of main that is not known")
                                   : 0;
    // A TVMValue has 8 bytes under every target; where pointers have fewer, v_handle is the first of them.
    const bool is_handle =
        e.type.pointers != 0 && bytes_of(base.type) == 8 && field_offset(unit_, base.type, e.text) == 0;
    const bool is_whole = bytes_of(e.type) == bytes_of(base.type);
    if (record.tag == Tag::kArguments && (is_whole || is_handle) && index >= 0)
      return {.tag = Tag::kHandle, .number = index};
    if (record.tag == Tag::kHandle && index == 0)
      return e.text == "data" ? parameter_data(record.number, e.line) : Value{.tag = Tag::kDescriptor};
    if (record.tag == Tag::kDescriptor) return record;
  } else if (base.kind == ExprKind::kMember && !place_of(base)) {
    const Value record = evaluate_member(base);
    if (record.tag == Tag::kDescriptor) return record;
  }
  const auto place = place_of(e);
  if (!place) fail(e, "not understood in main");
  return load(*place, e);
}

}  // namespace detent::models::tvm
