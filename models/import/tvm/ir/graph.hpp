// IrFunction: one function of LLVM's intermediate representation as plain values, with nothing of LLVM in it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace detent::models::tvm {

inline constexpr const char* kNeverSet = "a variable that was never set";

/// What a value is, as far as the taint analysis tells values apart. Whatever has no kind of its own is kUnknown.
enum class IrKind : std::uint8_t {
  kArgument,
  kNumber,          ///< a constant without an address in it; the address of a function
  kNull,            ///< the null pointer
  kUndefined,       ///< a value that was never set
  kConstantObject,  ///< address of memory that never changes and whose contents are known
  kObject,          ///< address of other memory with static lifetime
  kArithmetic,      ///< a function of its operands alone: operators, conversions, comparisons of numbers, libm
  kSubtract,
  kCompare,  ///< of numbers or of pointers
  kAddress,  ///< a pointer plus numbers
  kPointerToNumber,
  kNumberToPointer,
  kSelect,
  kPhi,
  kLocal,     ///< address of a local variable or array; operand: number of elements
  kLoad,      ///< operand: address
  kStore,     ///< operands: value, address
  kCopy,      ///< memcpy, memmove; operands: to, from, size
  kFill,      ///< memset; operands: to, value, size
  kAllocate,  ///< TVMBackendAllocWorkspace; operands: its arguments
  kRelease,   ///< TVMBackendFreeWorkspace; operands: its arguments
  kNothing,   ///< says something to the compiler or debugger only
  kBranch,    ///< operand: condition, when there are several successors
  kReturn,    ///< operand: value, if any
  kUnknown    ///< `text` says what it is
};

struct IrNode {
  IrKind kind = IrKind::kUnknown;
  bool is_pointer =
      false;  ///< kCompare: of pointers; kLoad: what is loaded is one; kConstantObject: it holds some; kArgument
  /// kConstantObject: what clang-19 gives to variables that the text does not set; kStore, kCopy, kFill: that it does
  bool is_never_set = false;
  std::uint32_t line = 0;               ///< of the source; 0: none
  std::uint32_t code = 0;               ///< pure operators: which one; 0: equal operands do not make equal values
  std::uint64_t type = 0;               ///< of the result, kLoad, kStore: of what is accessed; equal for equal types
  std::uint64_t value = 0;              ///< whole numbers below 2^64: their bits; kLocal: bytes, 0 when not constant
  std::uint64_t element = 0;            ///< kAddress: what the indices count
  std::vector<std::uint32_t> operands;  ///< nodes
  std::string text;  ///< name of an argument or object; of kUnknown: "inline assembly", "a call of rand"
  std::string file;  ///< of `line`
};

struct IrBlock {
  std::vector<std::uint32_t> nodes;  ///< in order; the last one is kBranch, kReturn or kUnknown
  std::vector<std::uint32_t> successors;
};

/// A function with what it calls in its place.
struct IrFunction {
  std::string name;
  std::vector<IrNode> nodes;  ///< arguments first, by position
  std::uint32_t argument_count = 0;
  bool is_doubtful = false;  ///< a structure holds a pointer that is chosen: loads may be there that the text has not
  std::vector<IrBlock> blocks;  ///< reachable ones; the first is the entry
};

}  // namespace detent::models::tvm
