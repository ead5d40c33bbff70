#include "tests/models/import/tvm/footprint/c_cell.hpp"

#include <stdexcept>

namespace detent::models::tvm::interpreter {
namespace {

Cell pointers(BinaryOperator op, const Cell& a, const Cell& b, const CType& type) {
  if (op == BinaryOperator::kEqual || op == BinaryOperator::kNotEqual) {
    const bool same = a.object == b.object && (a.object == 0 || a.whole == b.whole);
    return integer(same == (op == BinaryOperator::kEqual) ? 1 : 0);
  }
  Cell result = a.kind == Cell::Kind::kPointer ? a : b;
  const std::int64_t steps = (a.kind == Cell::Kind::kPointer ? b.whole : a.whole) * step_of(type);
  result.whole += op == BinaryOperator::kSubtract ? -steps : steps;
  return result;
}

Cell reals(BinaryOperator op, const Cell& left, const Cell& right, const CType& type) {
  const double a = left.kind == Cell::Kind::kFloat ? left.real : static_cast<double>(left.whole);
  const double b = right.kind == Cell::Kind::kFloat ? right.real : static_cast<double>(right.whole);
  if (op == BinaryOperator::kAdd) return converted(real(a + b), type);
  if (op == BinaryOperator::kSubtract) return converted(real(a - b), type);
  if (op == BinaryOperator::kMultiply) return converted(real(a * b), type);
  if (op == BinaryOperator::kDivide) return converted(real(a / b), type);
  if (op == BinaryOperator::kLess) return integer(a < b ? 1 : 0);
  if (op == BinaryOperator::kLessEqual) return integer(a <= b ? 1 : 0);
  if (op == BinaryOperator::kGreater) return integer(a > b ? 1 : 0);
  if (op == BinaryOperator::kGreaterEqual) return integer(a >= b ? 1 : 0);
  if (op == BinaryOperator::kEqual) return integer(a == b ? 1 : 0);
  if (op == BinaryOperator::kNotEqual) return integer(a != b ? 1 : 0);
  unknown("float operator " + std::string(spelling(op)));
}

std::int64_t integers(BinaryOperator op, std::int64_t a, std::int64_t b) {
  if (op == BinaryOperator::kAdd) return a + b;
  if (op == BinaryOperator::kSubtract) return a - b;
  if (op == BinaryOperator::kMultiply) return a * b;
  if (op == BinaryOperator::kDivide) return a / b;
  if (op == BinaryOperator::kRemainder) return a % b;
  if (op == BinaryOperator::kShiftLeft) return a << b;
  if (op == BinaryOperator::kShiftRight) return a >> b;
  if (op == BinaryOperator::kBitAnd) return a & b;
  if (op == BinaryOperator::kBitOr) return a | b;
  if (op == BinaryOperator::kBitXor) return a ^ b;
  if (op == BinaryOperator::kLess) return a < b ? 1 : 0;
  if (op == BinaryOperator::kLessEqual) return a <= b ? 1 : 0;
  if (op == BinaryOperator::kGreater) return a > b ? 1 : 0;
  if (op == BinaryOperator::kGreaterEqual) return a >= b ? 1 : 0;
  if (op == BinaryOperator::kEqual) return a == b ? 1 : 0;
  if (op == BinaryOperator::kNotEqual) return a != b ? 1 : 0;
  unknown("operator " + std::string(spelling(op)));
}

}  // namespace

[[noreturn]] void unknown(const std::string& what) { throw std::runtime_error("interpreter: " + what); }

Cell integer(std::int64_t value) {
  Cell cell;
  cell.whole = value;
  return cell;
}

Cell real(double value) {
  Cell cell;
  cell.kind = Cell::Kind::kFloat;
  cell.real = value;
  return cell;
}

Cell pointer(int object, std::int64_t offset) {
  Cell cell;
  cell.kind = Cell::Kind::kPointer;
  cell.object = object;
  cell.whole = offset;
  return cell;
}

bool holds(const Cell& cell) {
  if (cell.kind == Cell::Kind::kFloat) return cell.real != 0;
  return cell.kind == Cell::Kind::kPointer ? cell.object != 0 : cell.whole != 0;
}

std::int64_t size_of(const CType& type) {
  std::int64_t size = type.pointers > 0 ? 8 : type.scalar_bytes;
  for (const std::uint64_t extent : type.extents) size *= static_cast<std::int64_t>(extent);
  return size;
}

std::int64_t step_of(const CType& type) {
  CType inner = type;
  if (!inner.extents.empty()) {
    inner.extents.erase(inner.extents.begin());
  } else {
    --inner.pointers;
  }
  return inner.pointers == 0 && inner.scalar == CType::Scalar::kVoid ? 1 : size_of(inner);
}

Cell converted(const Cell& cell, const CType& type) {
  if (type.pointers > 0 || !type.extents.empty()) {
    return cell.kind == Cell::Kind::kPointer ? cell : pointer(0, 0);
  }
  if (type.scalar == CType::Scalar::kFloat) {
    const double value = cell.kind == Cell::Kind::kFloat ? cell.real : static_cast<double>(cell.whole);
    return real(type.scalar_bytes == 4 ? static_cast<double>(static_cast<float>(value)) : value);
  }
  if (type.scalar == CType::Scalar::kBool) return integer(holds(cell) ? 1 : 0);
  const std::int64_t value = cell.kind == Cell::Kind::kFloat ? static_cast<std::int64_t>(cell.real) : cell.whole;
  const bool is_signed = type.scalar != CType::Scalar::kUInt;
  if (type.scalar_bytes == 1)
    return integer(is_signed ? static_cast<std::int8_t>(value) : static_cast<std::uint8_t>(value));
  if (type.scalar_bytes == 2)
    return integer(is_signed ? static_cast<std::int16_t>(value) : static_cast<std::uint16_t>(value));
  if (type.scalar_bytes == 4) {
    return integer(is_signed ? static_cast<std::int64_t>(static_cast<std::int32_t>(value))
                             : static_cast<std::int64_t>(static_cast<std::uint32_t>(value)));
  }
  return integer(value);
}

Cell binary(BinaryOperator op, const Cell& a, const Cell& b, const CType& type) {
  if (a.kind == Cell::Kind::kPointer || b.kind == Cell::Kind::kPointer) return pointers(op, a, b, type);
  const bool is_real = a.kind == Cell::Kind::kFloat || b.kind == Cell::Kind::kFloat;
  if (is_real) return reals(op, a, b, type);
  return converted(integer(integers(op, a.whole, b.whole)), type);
}

}  // namespace detent::models::tvm::interpreter
