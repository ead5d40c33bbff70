// What each operation of a term computes, as C does it; two's complement instead of undefined behaviour.
#include <algorithm>
#include <cmath>

#include "models/import/tvm/footprint/terms/term.hpp"

namespace detent::models::tvm::footprint {
namespace {

std::uint64_t bits_of(std::int64_t value) { return static_cast<std::uint64_t>(value); }
std::int64_t from_bits(std::uint64_t value) { return static_cast<std::int64_t>(value); }

std::int64_t wrapped(std::int64_t value, std::int64_t bits) {
  const std::uint64_t width = bits < 0 ? bits_of(-bits) : bits_of(bits);
  if (width >= 64) return value;
  const std::uint64_t low = bits_of(value) & ((std::uint64_t{1} << width) - 1);
  const bool negative = bits < 0 && (low >> (width - 1)) != 0;
  return negative ? from_bits(low) - from_bits(std::uint64_t{1} << width) : from_bits(low);
}

std::int64_t truncated(double number) {
  if (!(std::fabs(number) < static_cast<double>(kFar))) return 0;
  return static_cast<std::int64_t>(number);
}

double narrowed(double number, std::int64_t bytes) {
  return bytes == 4 ? static_cast<double>(static_cast<float>(number)) : number;
}

std::int64_t shifted(const Node& node, std::int64_t a, std::int64_t b) {
  if (b < 0 || b > 62) return 0;
  return node.op == Op::kShiftLeft ? from_bits(bits_of(a) << bits_of(b)) : (a >> b);
}

std::int64_t divided(const Node& node, std::int64_t a, std::int64_t b) {
  if (b == 0 || b == -1) return b == 0 || node.op == Op::kMod ? 0 : from_bits(0 - bits_of(a));
  return node.op == Op::kDiv ? a / b : a % b;
}

std::int64_t sum_of(const Node& node, const std::vector<Slot>& slots, const std::vector<std::uint32_t>& args) {
  std::uint64_t result = bits_of(node.value);
  for (std::size_t i = 0; i < args.size(); ++i) result += bits_of(node.coefs[i]) * bits_of(slots[args[i]].integer);
  return from_bits(result);
}

}  // namespace

Slot evaluate(const Node& node, const std::vector<Slot>& slots, const std::vector<std::uint32_t>& args) {
  const auto whole = [&](std::size_t i) { return slots[args[i]].integer; };
  const auto real = [&](std::size_t i) { return slots[args[i]].number; };
  const auto integer = [](std::int64_t value) { return Slot{value, 0}; };
  const auto number = [&](double value) { return Slot{0, narrowed(value, node.value)}; };
  switch (node.op) {
    case Op::kSum:
      return integer(sum_of(node, slots, args));
    case Op::kVariable:
      return {};
    case Op::kFloorDiv:
      return integer(floor_div(whole(0), node.value));
    case Op::kFloorMod:
      return integer(floor_mod(whole(0), node.value));
    case Op::kDiv:
    case Op::kMod:
      return integer(divided(node, whole(0), whole(1)));
    case Op::kMul:
      return integer(from_bits(bits_of(whole(0)) * bits_of(whole(1))));
    case Op::kShiftLeft:
    case Op::kShiftRight:
      return integer(shifted(node, whole(0), whole(1)));
    case Op::kBitAnd:
      return integer(from_bits(bits_of(whole(0)) & bits_of(whole(1))));
    case Op::kBitOr:
      return integer(from_bits(bits_of(whole(0)) | bits_of(whole(1))));
    case Op::kBitXor:
      return integer(from_bits(bits_of(whole(0)) ^ bits_of(whole(1))));
    case Op::kGe0:
      return integer(whole(0) >= 0 ? 1 : 0);
    case Op::kEq0:
      return integer(whole(0) == 0 ? 1 : 0);
    case Op::kLogicAnd:
      return integer(whole(0) != 0 && whole(1) != 0 ? 1 : 0);
    case Op::kLogicOr:
      return integer(whole(0) != 0 || whole(1) != 0 ? 1 : 0);
    case Op::kSelect:
      return integer(whole(0) != 0 ? whole(1) : whole(2));
    case Op::kMin:
      return integer(std::min(whole(0), whole(1)));
    case Op::kMax:
      return integer(std::max(whole(0), whole(1)));
    case Op::kWrap:
      return integer(wrapped(whole(0), node.value));
    case Op::kTruncate:
      return integer(truncated(real(0)));
    case Op::kFloatLess:
      return integer(real(0) < real(1) ? 1 : 0);
    case Op::kFloatLessEqual:
      return integer(real(0) <= real(1) ? 1 : 0);
    case Op::kFloatEqual:
      return integer(real(0) == real(1) ? 1 : 0);
    case Op::kFloatConstant:
      return number(node.number);
    case Op::kFloatOfInt:
      return number(static_cast<double>(whole(0)));
    case Op::kFloatAdd:
      return number(real(0) + real(1));
    case Op::kFloatSub:
      return number(real(0) - real(1));
    case Op::kFloatMul:
      return number(real(0) * real(1));
    case Op::kFloatDiv:
      return number(real(0) / real(1));
    case Op::kFloatNegate:
      return number(-real(0));
    case Op::kFloatFloor:
      return number(std::floor(real(0)));
    case Op::kFloatCeil:
      return number(std::ceil(real(0)));
    case Op::kFloatRound:
      return number(std::round(real(0)));
    case Op::kFloatNearby:
      return number(std::nearbyint(real(0)));
    case Op::kFloatTrunc:
      return number(std::trunc(real(0)));
    case Op::kFloatAbs:
      return number(std::fabs(real(0)));
    case Op::kFloatMin:
      return number(std::fmin(real(0), real(1)));
    case Op::kFloatMax:
      return number(std::fmax(real(0), real(1)));
    case Op::kFloatSelect:
      return number(whole(0) != 0 ? real(1) : real(2));
    case Op::kFloatConvert:
      return number(real(0));
  }
  return {};
}

}  // namespace detent::models::tvm::footprint
