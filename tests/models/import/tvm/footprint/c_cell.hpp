// A value of the interpreter of C: an integer, a float, or a pointer as object and byte offset; conversions and
// operators.
#pragma once

#include <cstdint>
#include <string>

#include "models/import/tvm/tree/ast.hpp"

namespace detent::models::tvm::interpreter {

struct Cell {
  enum class Kind : std::uint8_t { kInt, kFloat, kPointer };
  Kind kind = Kind::kInt;
  std::int64_t whole = 0;  ///< of a pointer: its offset
  double real = 0;
  int object = -1;  ///< 0: NULL
};

/// @throws std::runtime_error  always: C that the interpreter does not know
[[noreturn]] void unknown(const std::string& what);

Cell integer(std::int64_t value);
Cell real(double value);
Cell pointer(int object, std::int64_t offset);
/// Does a condition with this value hold?
bool holds(const Cell& cell);

std::int64_t size_of(const CType& type);
/// Bytes from one element to the next of a pointer or an array.
std::int64_t step_of(const CType& type);

Cell converted(const Cell& cell, const CType& type);
/// @param type  of the result
Cell binary(BinaryOperator op, const Cell& a, const Cell& b, const CType& type);

}  // namespace detent::models::tvm::interpreter
