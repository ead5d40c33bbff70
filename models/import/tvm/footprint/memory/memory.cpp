#include "models/import/tvm/footprint/memory/memory.hpp"

#include <algorithm>

#include "models/import/tvm/footprint/terms/term_arithmetic.hpp"
#include "models/import/tvm/footprint/terms/term_logic.hpp"

namespace detent::models::tvm::footprint {
namespace {

/// An index of data that spans more may lead from one buffer into another.
constexpr std::int64_t kNear = std::int64_t{1} << 20U;
/// TVM's default workspace-byte-alignment; only code that tests the alignment of its pointers depends on it.
constexpr std::int64_t kBufferAlignment = 16;

}  // namespace

/// What lies at a place that has an address.
Value Memory::read_memory(const Place& place, const CType& type) {
  const auto width = static_cast<std::int64_t>(bytes_of(type));
  note(place, width, AccessKind::kRead, type.spelling);
  if (!is_integer(type)) return arithmetic_.unknown_of(type);
  if (place.whole_record || objects_[place.object].writes_escape) return arithmetic_.unknown_of(type);
  const std::uint32_t epoch = objects_.is_shared(place.object) ? shared_epoch_ : objects_[place.object].epoch;
  const std::vector<std::uint32_t> key = {place.object, place.offset, static_cast<std::uint32_t>(width), epoch,
                                          static_cast<std::uint32_t>(type.scalar)};
  const auto known = loads_.find(key);
  if (known != loads_.end()) return int_value(known->second);
  const Value value = arithmetic_.unknown_of(type);
  loads_.emplace(key, value.node);
  return value;
}

Value Memory::read(const Place& place, const CType& type) {
  if (const std::optional<Value> field = read_field(place, type)) return *field;
  if (const std::optional<Value> bound = read_bound(place, type)) return *bound;
  if (place.local != SIZE_MAX) {
    const Local& local = scope_[place.local];
    if (place.object == kNone) return local.value;
    if (const std::optional<Value> constant = constants_.read(place, type)) return *constant;
    if (!type.extents.empty()) return pointer_value(place.object, place.offset);
    if (place.whole_record) return arithmetic_.unknown_of(type);
    return local.value.kind == Value::Kind::kRecord ? local.value : arithmetic_.unknown_of(type);
  }
  if (!type.extents.empty()) return pointer_value(place.object, place.offset);
  if (const std::optional<Value> constant = constants_.read(place, type)) return *constant;
  return read_memory(place, type);
}

/// A member that nobody has written since the record was initialised.
std::optional<Value> Memory::read_field(const Place& place, const CType& type) {
  if (place.object == kNone || fields_.empty() || !terms_.is_constant(place.offset)) return std::nullopt;
  const auto field = fields_.find({place.object, terms_.node(place.offset).value});
  if (field == fields_.end() || objects_[place.object].epoch != 0) return std::nullopt;
  const CType& own = field->second.first;
  const bool is_same = own.scalar == type.scalar && own.scalar_bytes == type.scalar_bytes &&
                       own.pointers == type.pointers && type.extents.empty() && !type.is_vector;
  if (!is_same) return std::nullopt;
  records_read_.insert(place.object);
  return field->second.second;
}

ObjectId Memory::object_of(const Variable& variable) {
  if (!is_bound(variable)) return constants_.object_of(variable);
  return objects_.of(Object::Kind::kParam, binding_->variables.at(&variable));
}

Value Memory::bound_value(const BoundValue& value, const CType& type) {
  switch (value.kind) {
    case BoundValue::Kind::kInt:
      if (value.number <= -kFar || value.number >= kFar) break;
      return arithmetic_.convert(int_value(terms_.constant(value.number)), type);
    case BoundValue::Kind::kNull:
      return pointer_value(objects_.of(Object::Kind::kNull, 0), terms_.constant(0));
    case BoundValue::Kind::kAddress:
      return pointer_value(objects_.of(Object::Kind::kParam, value.object), terms_.constant(value.number));
    case BoundValue::Kind::kConstant:
      return pointer_value(object_of(*value.variable), terms_.constant(value.number));
    case BoundValue::Kind::kUnknown:
      break;
  }
  return arithmetic_.unknown_of(type);
}

/// A member or element that the program around never changes; whoever made the binding looks whether functions do.
std::optional<Value> Memory::read_bound(const Place& place, const CType& type) {
  if (binding_ == nullptr || place.object == kNone || !terms_.is_constant(place.offset)) return std::nullopt;
  const Object& target = objects_[place.object];
  if (target.kind != Object::Kind::kParam || place.whole_record || !type.extents.empty()) return std::nullopt;
  const auto field = binding_->fields.find({target.index, terms_.node(place.offset).value});
  if (field == binding_->fields.end()) return std::nullopt;
  const CType& own = field->second.type;
  const bool are_pointers = own.pointers > 0 && type.pointers > 0;
  const bool is_same =
      own.pointers == type.pointers && own.scalar == type.scalar && own.scalar_bytes == type.scalar_bytes;
  if (!are_pointers && (!is_same || !is_integer(type))) return std::nullopt;
  return bound_value(field->second.value, type);
}

void Memory::write(const Place& place, const CType& type, const Value& value) {
  if (place.local != SIZE_MAX && place.object == kNone) {
    Local& local = scope_[place.local];
    local.value = place.whole_record ? Value{} : arithmetic_.convert(value, *local.type);
    return;
  }
  if (place.local != SIZE_MAX) {
    note(place, 1, AccessKind::kWrite, "");
    const bool keeps = value.kind == Value::Kind::kPointer || value.kind == Value::Kind::kRecord;
    if (scope_[place.local].value.kind == Value::Kind::kRecord && keeps && place.whole_record) {
      scope_[place.local].value.parts.push_back(value);  // a member: what it points to travels with the record
    } else if (keeps) {
      escape(value, OutsideUse::kReadsAndWrites);  // an address can be read back by any other way to these bytes
    }
    return;
  }
  note(place, static_cast<std::int64_t>(bytes_of(type)), AccessKind::kWrite, type.spelling);
  escape(value, OutsideUse::kReadsAndWrites);  // an address can be read back anywhere
}

Value Memory::address_of(const Place& place) {
  if (place.local == SIZE_MAX || place.object != kNone) return pointer_value(place.object, place.offset);
  Local& local = scope_[place.local];  // from now on its value is whatever somebody stored there
  local.object = objects_.add(Object::Kind::kPrivate, 0);
  return pointer_value(local.object, terms_.constant(0));
}

void Memory::note(const Place& place, std::int64_t width, AccessKind kind, const std::string& element) {
  const ObjectId object = place.object;
  const bool is_write = kind == AccessKind::kWrite;
  Object& target = objects_[object];
  if (is_write) ++(objects_.is_shared(object) ? shared_epoch_ : target.epoch);
  if (is_write && records_read_.contains(object)) findings_.fail(0, "a record that changes after it was read");
  target.is_stored = target.is_stored || is_write;
  if (target.kind == Object::Kind::kWild) findings_.fail(0, "an access through a pointer that was read from memory");
  if (target.kind == Object::Kind::kNull && binding_ != nullptr) findings_.fail(0, "an access through a null pointer");
  if (target.kind == Object::Kind::kConstant && is_write) {
    findings_.use_state(0, "file-scope data");
    findings_.fail(0, "a write to file-scope data", Accesses::kAllSeen);
  }
  if (target.kind != Object::Kind::kParam && target.kind != Object::Kind::kPool) return;
  if (!element.empty()) target.elements.insert(element);
  const Node& offset = terms_.node(place.offset);
  if (offset.data && count_of(offset.range) > kNear) findings_.note_far_access();
  if (width <= 0) {  // a type of unknown size
    (is_write ? target.writes_escape : target.reads_escape) = true;
    return;
  }
  if (!is_write && !place.whole_record && log_.is_own(object, place.offset, width)) return;
  const Access access = {.object = object,
                         .is_write = is_write,
                         .offset = place.offset,
                         .width = width,
                         .whole_record = place.whole_record,
                         .ends_statement = is_write && ends_statement_};
  if (!log_.add(access)) findings_.fail(0, "too many different accesses to analyse");
}

void Memory::note_block(const Value& pointer, NodeId size, AccessKind kind) {
  if (pointer.kind != Value::Kind::kPointer)
    return escape(pointer, kind == AccessKind::kRead ? OutsideUse::kReads : OutsideUse::kReadsAndWrites);
  const Range range = terms_.node(size).range;
  if (terms_.is_constant(size)) {
    if (range.lo > 0) note({.object = pointer.object, .offset = pointer.node}, range.lo, kind, "");
    return;
  }
  if (range.hi <= 0) return;
  const bool is_data = terms_.node(size).data;
  const NodeId byte = is_data ? terms_.unknown({0, range.hi - 1}) : terms_.loop_variable(range.hi);
  const std::size_t guards = log_.guard_count();
  log_.push_guard(less(terms_, byte, size));
  note({.object = pointer.object, .offset = terms_.add(pointer.node, byte)}, 1, kind, "");
  log_.drop_guards(guards);
}

void Memory::escape(const Value& value, OutsideUse use) {
  for (const Value& part : value.parts) escape(part, use);
  if (value.kind == Value::Kind::kInt) {  // an address as a number
    for (const VarId variable : terms_.node(value.node).vars) {
      const auto hidden = addresses_.find(variable);
      if (hidden != addresses_.end()) escape(pointer_value(hidden->second, terms_.constant(0)), use);
    }
  }
  if (value.kind != Value::Kind::kPointer) return;
  Object& target = objects_[value.object];
  target.reads_escape = true;
  if (use == OutsideUse::kReadsAndWrites) {
    target.writes_escape = true;
    target.is_stored = target.is_stored || !calls_vendor_;
    ++target.epoch;
    ++shared_epoch_;
    if (records_read_.contains(value.object)) findings_.fail(0, "a record that may change after it was read");
  }
  if (target.kind != Object::Kind::kPrivate) return;
  for (Local& local : scope_.locals()) {  // what a record points to escapes with the record
    if (local.object != value.object || local.value.kind != Value::Kind::kRecord) continue;
    const Value record = local.value;
    local.value = use == OutsideUse::kReads ? record : Value{};
    for (const Value& part : record.parts) escape(part, use);
  }
}

void Memory::set_field(ObjectId object, std::int64_t offset, const CType& type, const Value& value) {
  fields_[{object, offset}] = {type, value};
}

void Memory::copy_fields(const Place& from, std::int64_t bytes, ObjectId object, std::int64_t at) {
  if (from.object == kNone || !terms_.is_constant(from.offset) || objects_[from.object].epoch != 0) return;
  const std::int64_t begin = terms_.node(from.offset).value;
  const std::vector<std::pair<std::pair<ObjectId, std::int64_t>, std::pair<CType, Value>>> copies(
      fields_.lower_bound({from.object, begin}), fields_.lower_bound({from.object, begin + bytes}));
  if (!copies.empty()) records_read_.insert(from.object);
  for (const auto& [place, field] : copies) fields_[{object, at + place.second - begin}] = field;
}

Value Memory::choose(NodeId condition, const Value& a, const Value& b, const CType& type) {
  if (a.kind != b.kind) return arithmetic_.unknown_of(type);
  switch (a.kind) {
    case Value::Kind::kInt:
      return int_value(select(terms_, condition, a.node, b.node));
    case Value::Kind::kFloat: {
      const bool is_known = a.node != kNone && b.node != kNone && !terms_.node(condition).data;
      if (!is_known) return float_value(a.node == b.node ? a.node : kNone);
      const std::uint32_t bytes = float_bytes(type);
      return float_value(float_op(terms_, Op::kFloatSelect,
                                  {condition, arithmetic_.float_of(a, bytes), arithmetic_.float_of(b, bytes)}, bytes));
    }
    case Value::Kind::kPointer:
      return choose_pointer(condition, a, b, type);
    case Value::Kind::kUnknown:
    case Value::Kind::kRecord:
      break;
  }
  return arithmetic_.unknown_of(type);
}

Value Memory::choose_pointer(NodeId condition, const Value& a, const Value& b, const CType& type) {
  if (a.object == b.object) return pointer_value(a.object, select(terms_, condition, a.node, b.node));
  if (objects_.is(a, Object::Kind::kWild) || objects_.is(b, Object::Kind::kWild)) return arithmetic_.unknown_of(type);
  escape(a, OutsideUse::kReadsAndWrites);
  escape(b, OutsideUse::kReadsAndWrites);
  return pointer_value(objects_.add(Object::Kind::kPrivate, 0), terms_.constant(0));  // both have escaped
}

void Memory::merge(NodeId condition, const std::vector<Value>& held, const std::vector<Value>& failed) {
  for (std::size_t i = 0; i < scope_.size(); ++i) {
    const Value& a = held[i];
    const Value& b = failed[i];
    const bool same = a.kind == b.kind && a.node == b.node && a.object == b.object && a.parts.size() == b.parts.size();
    scope_[i].value = same ? a : choose(condition, a, b, *scope_[i].type);
  }
}

/// A pointer as a number: some multiple of kBufferAlignment plus the offset, anywhere in what the type holds of the
/// addresses there are.
Value Memory::number_of(const Value& pointer, const CType& type) {
  findings_.use_addresses();
  const Object& target = objects_[pointer.object];
  const bool is_buffer =
      binding_ == nullptr && (target.kind == Object::Kind::kParam || target.kind == Object::Kind::kPool);
  findings_.number_addresses();
  if (!is_buffer || !is_integer(type)) return arithmetic_.unknown_of(type);
  NodeId offset = pointer.node;
  if (target.kind == Object::Kind::kPool) {
    const std::uint64_t start = findings_.result().pool_uses[target.index].offset_bytes % kBufferAlignment;
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

}  // namespace detent::models::tvm::footprint
