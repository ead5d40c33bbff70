// LLVM's numbers for instructions, values, types and linkage, which it promises to keep.
#pragma once

#include <cstdint>

namespace detent::models::tvm::llvm_numbers {

// @see LLVMOpcode, LLVMValueKind, LLVMTypeKind, LLVMLinkage in llvm-c/Core.h
enum Opcode : std::uint8_t {
  kOpReturn = 1,
  kOpBranch = 2,
  kOpSwitch = 3,
  kOpAdd = 8,
  kOpSub = 10,
  kOpXor = 25,
  kOpAlloca = 26,
  kOpLoad = 27,
  kOpStore = 28,
  kOpGetElementPtr = 29,
  kOpTrunc = 30,
  kOpFPExt = 38,
  kOpPtrToInt = 39,
  kOpIntToPtr = 40,
  kOpBitCast = 41,
  kOpICmp = 42,
  kOpFCmp = 43,
  kOpPhi = 44,
  kOpCall = 45,
  kOpSelect = 46,
  kOpExtractElement = 50,
  kOpInsertElement = 51,
  kOpShuffleVector = 52,
  kOpExtractValue = 53,
  kOpInsertValue = 54,
  kOpFNeg = 66,
  kOpFreeze = 68
};
enum ValueKind : std::uint8_t {
  kArgumentValue = 0,
  kFunctionValue = 5,
  kGlobalAlias = 6,
  kGlobalIFunc = 7,
  kGlobalVariable = 8,
  kConstantExpr = 10,
  kConstantArray = 11,
  kConstantStruct = 12,
  kConstantVector = 13,
  kUndef = 14,
  kAggregateZero = 15,
  kDataArray = 16,
  kDataVector = 17,
  kConstantInt = 18,
  kConstantFP = 19,
  kNullPointer = 20,
  kInlineAsm = 23,
  kInstruction = 24,
  kPoison = 25
};

inline constexpr int kArrayType = 11;
inline constexpr int kPointerType = 12;
inline constexpr int kExternal = 0;
inline constexpr int kAvailableElsewhere = 1;
inline constexpr int kInternal = 8;
inline constexpr int kPrivate = 9;

}  // namespace detent::models::tvm::llvm_numbers
