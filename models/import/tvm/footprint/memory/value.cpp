#include "models/import/tvm/footprint/memory/value.hpp"

namespace detent::models::tvm::footprint {

Value int_value(NodeId node) {
  Value value;
  value.kind = Value::Kind::kInt;
  value.node = node;
  return value;
}

Value float_value(NodeId node) {
  Value value;
  value.kind = Value::Kind::kFloat;
  value.node = node;
  return value;
}

Value pointer_value(ObjectId object, NodeId offset) {
  Value value;
  value.kind = Value::Kind::kPointer;
  value.object = object;
  value.node = offset;
  return value;
}

std::uint64_t bytes_of(const CType& type) {
  std::uint64_t bytes = type.pointers > 0 ? type.pointer_bytes : type.scalar_bytes;
  for (const std::uint64_t extent : type.extents) {
    if (__builtin_mul_overflow(bytes, extent, &bytes)) return 0;
  }
  return bytes;
}

std::uint64_t pointee_bytes(const CType& type) {
  CType inner = type;
  if (!inner.extents.empty()) {
    inner.extents.erase(inner.extents.begin());
  } else if (inner.pointers > 0) {
    --inner.pointers;
  }
  if (inner.pointers == 0 && inner.scalar == CType::Scalar::kVoid) return 1;
  return bytes_of(inner);
}

bool is_pointer(const CType& type) { return type.pointers > 0 || !type.extents.empty(); }

bool is_vector_or_record(const CType& type) {
  return !is_pointer(type) && (type.is_vector || type.scalar == CType::Scalar::kRecord || type.scalar_bytes > 8);
}

bool is_float(const CType& type) {
  return !is_pointer(type) && !type.is_vector && type.scalar == CType::Scalar::kFloat;
}

bool is_integer(const CType& type) {
  const bool whole =
      type.scalar == CType::Scalar::kInt || type.scalar == CType::Scalar::kUInt || type.scalar == CType::Scalar::kBool;
  return !is_pointer(type) && !type.is_vector && whole && type.scalar_bytes <= 8;
}

Range range_of(const CType& type) {
  if (type.scalar == CType::Scalar::kBool) return {0, 1};
  const bool is_unsigned = type.scalar == CType::Scalar::kUInt;
  if (type.scalar_bytes == 0 || type.scalar_bytes >= 8) return {is_unsigned ? 0 : -kFar, kFar};
  const std::int64_t half = std::int64_t{1} << (8 * type.scalar_bytes - 1);
  return is_unsigned ? Range{0, 2 * half - 1} : Range{-half, half - 1};
}

std::uint32_t float_bytes(const CType& type) { return type.scalar_bytes == 8 ? 8 : 4; }

bool is_known_float(const CType& type) { return type.scalar_bytes == 4 || type.scalar_bytes == 8; }

bool is_wider(const CType& type, const CType& other) {
  if (!is_integer(type) || !is_integer(other)) return false;
  const Range mine = range_of(type), its = range_of(other);
  return type.scalar != CType::Scalar::kBool && mine.lo <= its.lo && mine.hi >= its.hi &&
         type.scalar_bytes >= other.scalar_bytes;
}

bool holds_all(const CType& type, const Range& values) {
  const Range range = range_of(type);
  return type.scalar != CType::Scalar::kBool && values.lo >= range.lo && values.hi <= range.hi && values.hi < kFar;
}

}  // namespace detent::models::tvm::footprint
