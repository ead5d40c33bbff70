// Arithmetic: the operators and conversions of C on values.
#pragma once

#include <cstdint>

#include "models/import/tvm/footprint/memory/findings.hpp"
#include "models/import/tvm/footprint/memory/objects.hpp"
#include "models/import/tvm/footprint/memory/value.hpp"

namespace detent::models::tvm::footprint {

class Arithmetic {
 public:
  Arithmetic(Terms& terms, Objects& objects, Findings& findings)
      : terms_(terms), objects_(objects), findings_(findings) {}

  /// What is known of a value of this type of which nothing else is.
  Value unknown_of(const CType& type);
  Value convert(const Value& value, const CType& type);
  Value fitted(NodeId node, const CType& type);
  Value apply(BinaryOperator op, const Value& a, const Value& b, const CType& type);
  Value compare(BinaryOperator op, const Value& a, const Value& b);
  NodeId condition_of(const Value& value);
  NodeId int_of(const Value& value);
  /// kNone: not known
  NodeId float_of(const Value& value, std::uint32_t bytes);

 private:
  Value apply_int(BinaryOperator op, NodeId a, NodeId b, const CType& type);
  NodeId integer_term(BinaryOperator op, NodeId a, NodeId b);
  Value apply_float(BinaryOperator op, const Value& a, const Value& b, const CType& type);
  Value apply_pointer(BinaryOperator op, const Value& a, const Value& b, const CType& type);
  Value compare_pointers(BinaryOperator op, const Value& a, const Value& b);
  Value compare_floats(BinaryOperator op, const Value& a, const Value& b);

  Terms& terms_;
  Objects& objects_;
  Findings& findings_;
};

}  // namespace detent::models::tvm::footprint
