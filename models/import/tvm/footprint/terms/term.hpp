// Terms: the integer expressions of an operator over its loop variables, in a normal form where equal terms are equal
// ids.
//
// An integer term is a sum  constant + coefficient * atom + ...  of atoms that are not sums: variables, quotients,
// remainders, comparisons, selections. Division and remainder are simplified as far as ranges allow, so that after
// v := 34 * q + r the quotient v / 34 is q and the remainder is r. Floating-point terms exist because resizing
// operators compute indices in float; they are evaluated as the target does, never reordered.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace detent::models::tvm::footprint {

using NodeId = std::uint32_t;
using VarId = std::uint32_t;
inline constexpr std::uint32_t kNone = UINT32_MAX;

/// Values lo..hi, both included. Sums and products saturate at +-kFar.
struct Range {
  std::int64_t lo = 0, hi = 0;
  bool operator==(const Range&) const = default;
};
inline constexpr std::int64_t kFar = std::int64_t{1} << 60U;

std::int64_t saturating_add(std::int64_t a, std::int64_t b);
std::int64_t saturating_mul(std::int64_t a, std::int64_t b);
std::int64_t floor_div(std::int64_t a, std::int64_t b);  ///< b > 0
std::int64_t floor_mod(std::int64_t a, std::int64_t b);  ///< b > 0
Range add(const Range& a, const Range& b);
Range mul(const Range& a, const Range& b);
Range hull(const Range& a, const Range& b);
bool within(const Range& range, std::int64_t lo, std::int64_t hi);
/// How many values; saturates.
std::int64_t count_of(const Range& range);

enum class Op : std::uint8_t {
  kSum,       ///< value + coefs[i] * args[i]; a constant has no args
  kVariable,  ///< value: VarId
  kFloorDiv,  ///< args[0] / value, rounded down; value > 0
  kFloorMod,  ///< what is left of it
  kDiv,       ///< args[0] / args[1] as in C, towards zero
  kMod,
  kMul,
  kShiftLeft,
  kShiftRight,
  kBitAnd,
  kBitOr,
  kBitXor,
  kGe0,  ///< args[0] >= 0
  kEq0,
  kLogicAnd,
  kLogicOr,
  kSelect,  ///< args[0] ? args[1] : args[2]
  kMin,
  kMax,
  kWrap,      ///< args[0] stored in an integer of |value| bits, signed where value < 0
  kTruncate,  ///< the integer part of a float term
  kFloatLess,
  kFloatLessEqual,
  kFloatEqual,
  // From here on: float terms; value is 4 or 8, the width that the result is rounded to.
  kFloatConstant,  ///< number
  kFloatOfInt,
  kFloatAdd,
  kFloatSub,
  kFloatMul,
  kFloatDiv,
  kFloatNegate,
  kFloatFloor,
  kFloatCeil,
  kFloatRound,
  kFloatNearby,
  kFloatTrunc,
  kFloatAbs,
  kFloatMin,
  kFloatMax,
  kFloatSelect,
  kFloatConvert
};

struct Node {
  Op op = Op::kSum;
  std::int64_t value = 0;
  double number = 0;
  std::vector<NodeId> args;
  std::vector<std::int64_t> coefs;
  Range range;              ///< integer terms only
  bool data = false;        ///< depends on values in memory
  std::vector<VarId> vars;  ///< all variables below, ascending
};

struct LoopVariable {
  Range domain;
  bool data = false;  ///< a value read from memory: any of the domain
};

/// coefficient * atom + ..., without the constant
using Summand = std::pair<NodeId, std::int64_t>;

/// Thrown when a text makes more or longer terms than any generator's does.
struct TooComplicated {};

/// Table of terms. Ids stay valid; equal terms have equal ids.
/// @throws TooComplicated  from whatever makes a term
class Terms {
 public:
  [[nodiscard]] const Node& node(NodeId id) const { return nodes_[id]; }
  [[nodiscard]] const Range& range(NodeId id) const { return nodes_[id].range; }
  [[nodiscard]] const LoopVariable& variable(VarId id) const { return variables_[id]; }
  [[nodiscard]] bool is_constant(NodeId id) const { return nodes_[id].op == Op::kSum && nodes_[id].args.empty(); }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] std::vector<Summand> summands(NodeId id) const;  ///< of a sum; of any other term: once itself
  [[nodiscard]] std::int64_t offset_of(NodeId id) const;         ///< the constant of the sum

  NodeId constant(std::int64_t value);
  NodeId loop_variable(std::int64_t count);  ///< a new variable over 0..count-1
  NodeId unknown(const Range& range);        ///< a new data variable

  NodeId add(NodeId a, NodeId b);
  NodeId sub(NodeId a, NodeId b) { return add(a, scale(b, -1)); }
  NodeId scale(NodeId a, std::int64_t factor);
  NodeId float_constant(double number, std::uint32_t bytes);
  /// constant + coefficient * atom + ...
  NodeId sum(std::int64_t constant, std::vector<Summand> terms);
  /// An operation that is no sum, folded where its arguments are constants; one on data is a data variable.
  NodeId atom(Op op, std::int64_t value, std::vector<NodeId> args, const Range& range);
  /// The minimum or maximum that a data variable stands for; null: it stands for none.
  [[nodiscard]] const Node* origin_of(NodeId id) const;

  /// `variable` restricted to `domain`, written as domain.lo + d0 + m[0] * d1 + m[1] * d2 ...: new variables, the same
  /// for the same question. @param moduli  ascending, each divides the next and all divide the number of values
  NodeId digits(VarId variable, const Range& domain, const std::vector<std::int64_t>& moduli);

 private:
  NodeId intern(Node node);

  std::uint64_t size_ = 0;  ///< of all terms together
  std::deque<Node> nodes_;  ///< references stay valid while terms are made
  std::deque<LoopVariable> variables_;
  std::unordered_map<std::uint64_t, std::vector<NodeId>> index_;
  std::map<std::vector<std::int64_t>, NodeId> digits_;
  std::map<std::vector<std::int64_t>, NodeId> unknowns_;  ///< result of an operation on data -> its data variable
  std::map<NodeId, Node> origins_;                        ///< of those data variables that are a minimum or maximum
};

/// A value during evaluation: an integer or a float, as the op says.
struct Slot {
  std::int64_t integer = 0;
  double number = 0;
};
/// One step on evaluated arguments, for constant folding and enumeration. Division by zero gives 0.
/// `kVariable` is the caller's.
Slot evaluate(const Node& node, const std::vector<Slot>& slots, const std::vector<std::uint32_t>& args);
bool is_float(Op op);

}  // namespace detent::models::tvm::footprint
