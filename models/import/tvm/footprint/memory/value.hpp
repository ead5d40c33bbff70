// What expressions evaluate to, what pointers point into, and where variables lie, while a function is walked.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "models/import/tvm/footprint/terms/term.hpp"
#include "models/import/tvm/tree/ast.hpp"

namespace detent::models::tvm::footprint {

using ObjectId = std::uint32_t;

/// What an expression evaluates to.
struct Value {
  enum class Kind : std::uint8_t { kUnknown, kInt, kFloat, kPointer, kRecord };
  Kind kind = Kind::kUnknown;
  NodeId node = kNone;       ///< kInt: the term; kFloat: the float term, or kNone; kPointer: offset in bytes
  ObjectId object = kNone;   ///< kPointer
  std::vector<Value> parts;  ///< kRecord: of an initialiser list
};

Value int_value(NodeId node);
Value float_value(NodeId node);
Value pointer_value(ObjectId object, NodeId offset);

/// An lvalue: a local scalar, or a place in memory.
struct Place {
  std::size_t local = SIZE_MAX;  ///< index in the Scope
  ObjectId object = kNone;
  NodeId offset = kNone;
  bool whole_record = false;  ///< a part of it: of a vector, or of a local record
};

/// Bytes of one object of the type; 0: unknown.
std::uint64_t bytes_of(const CType& type);
/// Bytes that a pointer (or array) of this type steps over; 0: unknown.
std::uint64_t pointee_bytes(const CType& type);
bool is_pointer(const CType& type);  ///< or an array, which decays
bool is_float(const CType& type);
bool is_integer(const CType& type);
bool is_vector_or_record(const CType& type);
Range range_of(const CType& type);
/// 4 or 8, as which a floating-point type is evaluated.
std::uint32_t float_bytes(const CType& type);
/// Terms of other floating-point types would round where the target does not.
bool is_known_float(const CType& type);
/// `type` holds every value of the other one.
bool is_wider(const CType& type, const CType& other);
bool holds_all(const CType& type, const Range& values);

}  // namespace detent::models::tvm::footprint
